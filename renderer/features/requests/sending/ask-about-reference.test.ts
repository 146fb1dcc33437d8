import type { Journey } from '@shared/contract/journey';
import { expect, it } from 'vitest';
import type { OpenTab } from '../requests-store';
import { readLaterWord } from './ask-about-reference';

const sentAt = 1000;
const exchange = { id: 'e1', reference: 'R-1', sentAt } as OpenTab['exchange'];
const journey = (reference: string, ...events: Partial<Journey['events'][number]>[]): Journey =>
  ({ summary: { reference }, events }) as Journey;
const unknown = { kind: 'unknown', at: sentAt + 1, title: 'Outcome unknown', state: null } as const;
const webhook = { kind: 'webhook', at: sentAt + 2, title: 'Webhook: SUCCESS', state: 'succeeded' } as const;

it('gives the last word on a payment whose answer never came', () => {
  const status = { kind: 'status', at: sentAt + 3, title: 'Status: failed', state: 'failed' } as const;
  expect(readLaterWord({ exchange, journey: journey('R-1', unknown, webhook) })).toBe('Webhook: SUCCESS');
  expect(readLaterWord({ exchange, journey: journey('R-1', unknown, webhook, status) })).toBe(status.title);
});

it('takes no word of another service, where the reference may be another payment', () => {
  const [staging, local] = ['https://staging.test', 'http://127.0.0.1:4010'];
  const own = { ...unknown, exchangeId: 'e1', service: staging };
  const status = { kind: 'status', at: sentAt + 3, title: 'Status: failed', state: 'failed' } as const;
  const word = (...events: Partial<Journey['events'][number]>[]): string | null =>
    readLaterWord({ exchange, journey: journey('R-1', own, ...events) });
  expect(word({ ...status, service: local })).toBeNull();
  expect(word({ ...status, service: staging })).toBe('Status: failed');
  expect(word({ ...webhook, service: null }, { ...status, service: local })).toBe('Webhook: SUCCESS');
});

it('takes no word of another payment, of an earlier try, or of somebody who knows nothing of it', () => {
  const before = { ...webhook, at: sentAt - 1 };
  const notFound = { kind: 'status', at: sentAt + 3, title: 'Status: not found', state: null } as const;
  expect(readLaterWord({ exchange, journey: journey('R-1', before, unknown, notFound) })).toBeNull();
  expect(readLaterWord({ exchange, journey: journey('R-2', webhook) })).toBeNull();
  expect(readLaterWord({ exchange, journey: null })).toBeNull();
  expect(readLaterWord({ exchange: null, journey: journey('R-1', webhook) })).toBeNull();
});
