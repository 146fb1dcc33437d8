import { expect, it, vi } from 'vitest';
import type { ProxyExchangeDetail } from '@shared/contract/proxy';
import { createFakeTransport } from '../../../transport/fake';
import { setTransport } from '../../../transport/client';
import { describeExchange } from './proxy-selectors';
import { useProxyStore } from './proxy-store';

const refused = {
  id: 'px_1',
  reason: null,
  signature: 'refused',
  httpStatus: 401,
  token: null,
  problemCount: 0,
  operation: 'payout',
  diagnosis: null,
  publicKeyPem: null,
} as never as ProxyExchangeDetail;
const explained: ProxyExchangeDetail = {
  ...refused,
  diagnosis: { verdict: 'explained', explanation: 'The amount is padded.', causes: [] },
};

it('tells of an exchange that is open what the doctor found since', async () => {
  let kept = refused;
  const read = vi.fn(() => kept);
  const fake = createFakeTransport({
    'proxy.status': () => ({ state: 'running' }) as never,
    'proxy.list': () => ({ exchanges: [], nextBefore: null, totalCount: 1 }),
    'proxy.get': read,
  });
  setTransport(fake);
  const { start, open } = useProxyStore.getState();
  const said = (): string => describeExchange(useProxyStore.getState().exchange!).text;
  const stop = start();
  await open('px_1');
  expect(said()).toContain('Its cause has not been found yet');
  kept = explained;
  fake.emit('proxy.received', { count: 1 });
  await vi.waitFor(() => expect(said()).toBe('The amount is padded.'));
  fake.emit('proxy.received', { count: 1 });
  await useProxyStore.getState().load();
  expect(read).toHaveBeenCalledTimes(2);
  stop();
});
