import { expect, it } from 'vitest';
import { usualSetup } from '@shared/contract/usual-setup';
import type { SendInput } from '@shared/contract/sending';
import { createEventBus } from '../../platform/event-bus';
import { systemRandom } from '../../platform/node-ports';
import { createHistoryService } from '../history/create-history-service';
import { createSendingService, type SendingDeps } from './create-sending-service';

const clock = { now: () => 1_800_000_000_000, monotonicMs: () => 0 };
const phases = { queueMs: 0, dnsMs: null, tlsMs: null, connectMs: 1, firstByteMs: 2, downloadMs: 3 };
const live = { id: 'data/live', name: 'live', label: 'live · ours', kind: 'production' } as const;
const there = { ...live, baseUrl: 'http://localhost:1/v2' };
const input: SendInput = {
  environment: 'uat',
  operation: 'payout',
  identity: null,
  title: 'Pay',
  method: 'POST',
  url: 'http://127.0.0.1:1/payments/v1/payouts',
  headers: [['Authorization', 'Bearer {{token.payout}}']],
  body: '{}',
};

type Listed = Awaited<ReturnType<SendingDeps['environments']['listProduction']>>;

/** A service with these environments of production; `asked`: for tokens and answers. */
function createSending(listed: Listed) {
  const asked: string[] = [];
  const ports = { clock, random: systemRandom, logger: { log: () => undefined }, dataDirectory: '' };
  const sending = createSendingService({
    ports: {
      clock,
      http({ url }) {
        asked.push(url);
        const timings = { ...phases, totalMs: 6 };
        return Promise.resolve({
          httpStatus: 202,
          headers: [],
          body: Buffer.from('{}'),
          isCut: false,
          timings,
        });
      },
    },
    keys: {} as SendingDeps['keys'],
    tokens: {
      listKnownSecrets: () => Promise.resolve([]),
      getBearer() {
        asked.push('token');
        return Promise.resolve('a-token-of-the-service');
      },
    } as unknown as SendingDeps['tokens'],
    environments: {
      listProduction: () => Promise.resolve(listed),
      requireBound: (id) =>
        Promise.resolve({ id, name: id, label: id, baseUrl: 'http://127.0.0.1:1', setup: usualSetup }),
      readSecret: () => Promise.reject(new Error('not asked for')),
    },
    history: createHistoryService({ ports, events: createEventBus(), file: ':memory:' }),
    requestTimeoutMs: () => 1000,
  });
  const ways: ((given: SendInput) => Promise<unknown>)[] = [
    async (given) => sending.handlers['sending.send'](given),
    async (given) => (await sending.makeReady(given)).leave(),
  ];
  return { sending, asked, ways };
}

it.each<[string, Listed, Partial<SendInput>]>([
  ['by its address, in whichever environment', [there], {}],
  [
    'as the environment that is chosen',
    [{ ...live, baseUrl: 'https://elsewhere' }],
    { environment: live.id },
  ],
  ['with a word for another one', [there], { production: 'data/other' }],
])('sends nothing to production unasked, and fetches no token for it: %s', async (_case, listed, more) => {
  const { asked, ways } = createSending(listed);
  for (const send of ways) {
    await expect(send({ ...input, ...more })).rejects.toMatchObject({
      code: 'sending.not_confirmed',
      message: expect.stringContaining("--production 'live'"),
      details: { environment: 'data/live', label: 'live · ours', host: '127.0.0.1:1' },
    });
  }
  expect(asked).toEqual([]);
});

it('sends what the user said yes to, by a send and by a run', async () => {
  const { asked, ways } = createSending([there]);
  for (const send of ways) await send({ ...input, production: live.id });
  expect(asked).toEqual(['token', input.url, 'token', input.url]);
});

it('asks production what pays nothing, without a word', async () => {
  const { sending, asked } = createSending([there]);
  await sending.send({ ...input, operation: 'status' });
  expect(asked).toHaveLength(2);
});
