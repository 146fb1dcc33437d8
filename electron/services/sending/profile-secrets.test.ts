import { expect, it } from 'vitest';
import { usualProfile, usualSetup } from '@shared/contract/usual-setup';
import { createEventBus } from '../../platform/event-bus';
import { systemRandom } from '../../platform/node-ports';
import type { HttpCall, HttpTrace, WireBytes } from '../../platform/ports';
import { createHistoryService } from '../history/create-history-service';
import { createSendingService, type SendingDeps } from './create-sending-service';

const clock = { now: () => 1_800_000_000_000, monotonicMs: () => 0 };
const timings = {
  queueMs: 0,
  dnsMs: null,
  tlsMs: null,
  connectMs: 1,
  firstByteMs: 2,
  downloadMs: 3,
  totalMs: 6,
};

const traceOf = (sent: Uint8Array, received: string): HttpTrace => {
  const toWire = (bytes: Uint8Array): WireBytes => ({ bytes, sizeBytes: bytes.length });
  const facts = { address: null, isProxied: false, isReused: false, httpVersion: '1.1', tls: null };
  return { ...facts, sent: toWire(sent), received: toWire(Buffer.from(received)) };
};

it.each([
  ['ticket', '{"ticket":"plain-words","again":"plain-words"}'],
  ['data.ticket', '{"data":{"ticket":"plain-words"}}'],
  ['ticket', 'ticket=plain%2Dwords&valid=60'],
])('masks what the profile names as secret: %s in %s', async (accessToken, body) => {
  const profile = {
    ...usualProfile,
    answerNames: { ...usualProfile.answerNames, accessToken },
    requestNames: { ...usualProfile.requestNames, consumerSecret: 'word' },
  };
  const calls: HttpCall[] = [];
  const history = createHistoryService({
    ports: { clock, random: systemRandom, logger: { log: () => undefined }, dataDirectory: '' },
    events: createEventBus(),
    file: ':memory:',
  });
  const sending = createSendingService({
    ports: {
      clock,
      http: async (call) => {
        calls.push(call);
        call.trace?.onEnd(traceOf(call.body!, `HTTP/1.1 200 OK\r\nX-Ticket: plain-words\r\n\r\n${body}`));
        const headers: [string, string][] = [['X-Ticket', 'plain-words']];
        return { httpStatus: 200, headers, body: Buffer.from(body), isCut: false, timings };
      },
    },
    keys: {} as SendingDeps['keys'],
    tokens: { listKnownSecrets: () => Promise.resolve([]) } as unknown as SendingDeps['tokens'],
    environments: {
      listProduction: () => Promise.resolve([]),
      requireBound: async (id) => ({
        id,
        name: id,
        label: id,
        baseUrl: 'http://127.0.0.1:1',
        setup: { ...usualSetup, profile },
      }),
      readSecret: () => Promise.reject(new Error('not asked for')),
    },
    history,
    requestTimeoutMs: () => 1000,
  });
  const request = {
    environment: 'uat',
    operation: 'other',
    identity: null,
    title: 'Ticket',
    method: 'POST',
    url: 'http://127.0.0.1:1/tickets',
    headers: [],
    body: '{"word":"typed by hand"}',
    isForScreen: true,
  } as const;
  const told: string[] = [];
  const ready = await sending.makeReady({ ...request, headers: [] });
  const exchange = await ready.leave((_answer, secrets) => told.push(...secrets));
  const kept = await history.handlers['history.get']({ id: exchange.id });
  const { sent, received } = exchange.trace!;
  const wire = [sent, received].map(({ base64 }) => Buffer.from(base64, 'base64').toString('utf8'));
  for (const text of [JSON.stringify(exchange), JSON.stringify(kept), ...wire])
    expect(text).not.toMatch(/plain(?:-|%2D)words|typed by hand/);
  expect(wire[1]).toContain('ticket');
  expect(told).toContain('plain-words');
  expect(Buffer.from(calls[0]!.body!).toString()).toBe(request.body);
});
