import { expect, it, vi } from 'vitest';
import { usualSetup } from '@shared/contract/usual-setup';
import { AppError } from '@shared/errors';
import { createEventBus } from '../../platform/event-bus';
import { systemRandom } from '../../platform/node-ports';
import type { HttpAnswer, HttpCall } from '../../platform/ports';
import { createHistoryService } from '../history/create-history-service';
import { createSendingService, type SendingDeps } from './create-sending-service';

const clock = { now: () => 1_800_000_000_000, monotonicMs: () => 0 };
const phases = { queueMs: 0, dnsMs: null, tlsMs: null, connectMs: 1, firstByteMs: 2, downloadMs: 3 };
const answer = {
  httpStatus: 202,
  headers: [],
  body: Buffer.from('{}'),
  isCut: false,
  timings: { ...phases, totalMs: 6 },
};

/** A service that leaves each request to be answered, and waits for its environment. */
function createSending(environmentIs: Promise<void> = Promise.resolve()) {
  const left: { call: HttpCall; resolve(answer: HttpAnswer): void }[] = [];
  const ports = { clock, random: systemRandom, logger: { log: () => undefined }, dataDirectory: '' };
  const sending = createSendingService({
    ports: {
      clock,
      http: (call) =>
        new Promise((resolve, reject) => {
          const cancel = (): void => reject(new AppError('sending.canceled', 'Canceled.'));
          if (call.signal?.aborted === true) cancel();
          call.signal?.addEventListener('abort', cancel);
          left.push({ call, resolve });
        }),
    },
    keys: {} as SendingDeps['keys'],
    tokens: {
      listKnownSecrets: () => Promise.resolve([]),
      getBearer: (_environment: string, _product: string, { isForced = false } = {}) =>
        Promise.resolve(isForced ? 'a-new-token-of-the-service' : 'an-old-token-of-the-service'),
    } as unknown as SendingDeps['tokens'],
    environments: {
      listProduction: () => Promise.resolve([]),
      async requireBound(id) {
        await environmentIs;
        return { id, name: id, label: id, baseUrl: 'http://127.0.0.1:1', setup: usualSetup };
      },
      readSecret: () => Promise.reject(new Error('not asked for')),
    },
    history: createHistoryService({ ports, events: createEventBus(), file: ':memory:' }),
    requestTimeoutMs: () => 1000,
  });
  const request = { environment: 'uat', operation: 'other', identity: null, title: 'One' } as const;
  const to = { method: 'POST', url: 'http://127.0.0.1:1/notes', headers: [], body: '{}' };
  const send = (headers: [string, string][] = []) => sending.send({ ...request, ...to, headers });
  return { left, sending, send, sent: send() };
}

it('keeps the answer that comes a moment after the end was asked for', async () => {
  const { left, sending, sent } = createSending();
  await vi.waitFor(() => expect(left).toHaveLength(1));
  const closed = sending.close();
  left[0]!.resolve(answer);
  await closed;
  expect(await sent).toMatchObject({ error: null, response: { httpStatus: 202 } });
});

it('breaks off what is not answered within a moment', async () => {
  const { left, sending, sent } = createSending();
  await vi.waitFor(() => expect(left).toHaveLength(1));
  await sending.close();
  expect((await sent).error?.code).toBe('sending.canceled');
});

it('lets nothing leave that gets ready after the end', async () => {
  let beReady = (): void => undefined;
  const { left, sending, sent } = createSending(new Promise((resolve) => (beReady = resolve)));
  await sending.close();
  beReady();
  await sent;
  expect(left.map(({ call }) => call.signal?.aborted)).toEqual([true]);
});

it('lets nothing leave, either, that gets ready while another request has its moment', async () => {
  const { left, sending, send, sent } = createSending();
  await vi.waitFor(() => expect(left).toHaveLength(1));
  const closed = sending.close();
  await send();
  left[0]!.resolve(answer);
  await closed;
  expect(left.map(({ call }) => call.signal?.aborted)).toEqual([false, true]);
  expect((await sent).error).toBeNull();
});

it('does not send again with another token what was refused for its own after the end was asked for', async () => {
  const { left, sending, send } = createSending();
  const sent = send([['Authorization', 'Bearer {{token.payout}}']]);
  await vi.waitFor(() => expect(left).toHaveLength(2));
  const closed = sending.close();
  left[1]!.resolve({ ...answer, httpStatus: 401, body: Buffer.from('{"code":"400.001.100"}') });
  expect(await sent).toMatchObject({ error: null, response: { httpStatus: 401 } });
  await closed;
  expect(left).toHaveLength(2);
});
