import { expect, it } from 'vitest';
import { formatSortableId } from '../../platform/sortable-id';
import type { InboxDeps } from './inbox-deps';
import { createInboxHandlers } from './inbox-handlers';
import type { InboxSource } from './inbox-source';

const live = {
  id: 'data/live',
  name: 'live',
  label: 'live',
  kind: 'production',
  baseUrl: 'https://pay.example/api',
} as const;
const payout = '/payments/v1/payouts';

/** Replays what a backend sent to the listener. @returns where it went */
async function replay(target: string, to: string, isTrial = false): Promise<string[]> {
  const sentTo: string[] = [];
  const source = {
    getBytes: () => ({
      head: Buffer.from(`POST ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t`),
      body: Buffer.from('{}'),
    }),
    keepReplay: () => 1,
  } as unknown as InboxSource;
  const timings = { totalMs: 5 };
  const ports = {
    async http({ url }: { url: string }) {
      sentTo.push(url);
      return { httpStatus: 201, headers: [], body: Buffer.alloc(0), isCut: false, timings };
    },
    clock: { now: () => 0 },
    random: { uuid: () => 'a-b' },
  };
  const deps = { ports, listProduction: async () => [live] } as unknown as InboxDeps;
  const { 'inbox.replay': call } = createInboxHandlers({ file: '', find: async () => source }, deps);
  await call({
    ...{ id: formatSortableId(1), to, edits: [], body: null, isResigned: false, timeoutMs: 1000 },
    ...{ isTrial, store: 'local' },
  });
  return sentTo;
}

it.each([
  ['its own path', payout, 'https://pay.example'],
  ['another spelling of the host', payout, 'https://PAY.example.'],
  ['another spelling of the path', '/payments/v1/x/../payouts', 'https://pay.example'],
  ['a path that is named', '/hooks', `https://pay.example${payout}`],
])('sends no payment to production that came to the listener: %s', async (_how, target, to) => {
  const refused = expect.objectContaining({
    code: 'inbox.bad_replay',
    message: expect.stringMatching(/it is a payment, and \S+ is production \('live'\)/),
  });
  await expect(replay(target, to)).rejects.toEqual(refused);
  await expect(replay(target, to, true)).rejects.toEqual(refused);
});

it.each([
  ['a webhook to that host', '/hooks', 'https://pay.example', 'https://pay.example/hooks'],
  ['a payment to another', payout, 'https://uat.example', `https://uat.example${payout}`],
])('sends %s', async (_what, target, to, address) => {
  expect(await replay(target, to)).toEqual([address]);
});
