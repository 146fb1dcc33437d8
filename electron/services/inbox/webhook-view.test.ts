import { expect, it } from 'vitest';
import type { ListedWebhook } from '../../listener/inbox-reader';
import type { ExchangeRow } from '../history/history-store';
import { summariseWebhook } from './webhook-view';

it('says of a webhook that nobody can tell which of several services’ payments it answers, not that it answers none', () => {
  const row = { id: 1, client_reference: 'R-1', payment_uuid: null, tags: '' } as ListedWebhook;
  const read = (answered: { row: ExchangeRow | null; oneOf: number }, of: ListedWebhook = row) => {
    const { answers, answersOneOf } = summariseWebhook(of, { findAnswered: () => answered });
    return [answers?.title ?? null, answersOneOf];
  };
  const sent = { id: 2, title: 'Pay', sent_at: 5 } as ExchangeRow;
  expect(read({ row: null, oneOf: 2 })).toEqual([null, 2]);
  expect(read({ row: null, oneOf: 0 })).toEqual([null, undefined]);
  expect(read({ row: sent, oneOf: 0 })).toEqual(['Pay', undefined]);
  // What names no payment answers none, and a history that cannot be read hides no webhook.
  expect(read({ row: null, oneOf: 2 }, { ...row, client_reference: null })).toEqual([null, undefined]);
  const damaged = (): never => {
    throw new Error('damaged');
  };
  expect(summariseWebhook(row, { findAnswered: damaged }).answers).toBeNull();
});
