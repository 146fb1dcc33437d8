import { expect, it } from 'vitest';
import { usualSetup } from '@shared/contract/usual-setup';
import { createEventBus } from '../../platform/event-bus';
import { systemRandom } from '../../platform/node-ports';
import type { HttpTrace } from '../../platform/ports';
import type { LongWork } from '../../platform/workers/long-work';
import { createHistoryService } from '../history/create-history-service';
import { createSendingService, type SendingDeps } from './create-sending-service';
import { sendingWork, type SendingWork } from './sending-work';

const clock = { now: () => 1_800_000_000_000, monotonicMs: () => 0 };
const phases = { queueMs: 0, dnsMs: null, tlsMs: null, connectMs: 1, firstByteMs: 2, downloadMs: 3 };
const LONG = 200_000;

/** A service whose thread for long texts writes down what it was given, and how long that was said to be. */
function createSending() {
  const done: { method: string; input: unknown; sizeBytes: number }[] = [];
  const longWork: LongWork<SendingWork> = {
    async call(method, input, sizeBytes) {
      done.push({ method, input, sizeBytes });
      return sendingWork[method](input as never) as never;
    },
    close: () => Promise.resolve(),
  };
  const history = createHistoryService({
    ports: { clock, random: systemRandom, logger: { log: () => undefined }, dataDirectory: '' },
    events: createEventBus(),
    file: ':memory:',
  });
  const sending = createSendingService({
    ports: {
      clock,
      http: async ({ trace, body }) => {
        const wire = (bytes: Uint8Array) => ({ bytes, sizeBytes: bytes.length });
        const facts = { address: null, isProxied: false, isReused: false, httpVersion: '1.1', tls: null };
        trace?.onEnd({ ...facts, sent: wire(body!), received: wire(Buffer.from('')) } satisfies HttpTrace);
        const timings = { ...phases, totalMs: 6 };
        return { httpStatus: 200, headers: [], body: Buffer.from('{}'), isCut: false, timings };
      },
    },
    keys: {} as SendingDeps['keys'],
    tokens: { listKnownSecrets: () => Promise.resolve([]) } as unknown as SendingDeps['tokens'],
    environments: {
      listProduction: () => Promise.resolve([]),
      requireBound: async (id) => {
        return { id, name: id, label: id, baseUrl: 'http://127.0.0.1:1', setup: usualSetup };
      },
      readSecret: () => Promise.reject(new Error('not asked for')),
    },
    history,
    longWork,
    requestTimeoutMs: () => 1000,
  });
  const send = async (body: string) => {
    const request = { environment: 'uat', operation: 'other', identity: null, title: 'Long' } as const;
    const to = { method: 'POST', url: 'http://127.0.0.1:1/notes', headers: [], isForScreen: true };
    const exchange = await (await sending.makeReady({ ...request, ...to, body })).leave();
    return { exchange, kept: await history.handlers['history.get']({ id: exchange.id }) };
  };
  return { send, done };
}

it('masks all of a long request in the thread for long texts, and its body once', async () => {
  const { send, done } = createSending();
  const body = `{"api_key":"typed-by-hand-1","note":"${'a=b:c='.repeat(LONG / 6)}","again":"typed-by-hand-1"}`;
  const { exchange, kept } = await send(body);
  for (const text of [JSON.stringify(exchange), JSON.stringify(kept)])
    expect(text).not.toContain('typed-by-hand-1');
  expect(kept.request.written?.lost).toContain('credential');
  expect(done.map(({ method }) => method)).toEqual([
    'listOwnSecrets',
    'maskTexts',
    'readReceived',
    'maskWire',
  ]);
  for (const { sizeBytes } of done) expect(sizeBytes).toBeGreaterThan(LONG);
  const { texts } = done[1]!.input as Parameters<SendingWork['maskTexts']>[0];
  expect(texts.filter((text) => text === body)).toHaveLength(1);
});

it('keeps what the thread made of a long body, as the body and as it was written', async () => {
  const { send, done } = createSending();
  const { kept } = await send('x'.repeat(LONG));
  expect(kept.request.body).toBe('x'.repeat(LONG));
  expect(kept.request.written).toMatchObject({ lost: null });
  expect(kept.request.written).not.toHaveProperty('body');
  expect(done).toHaveLength(4);
});
