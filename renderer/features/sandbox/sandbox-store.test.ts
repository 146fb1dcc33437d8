import type { MethodOutput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { validateInitiation } from '@shared/payments/validate-fields';
import { readStringToSign } from '@shared/signing/string-to-sign';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import {
  describeClock,
  describeDelivery,
  describeVerdict,
  isRefused,
  readSeconds,
  snippetKinds,
  writeSnippet,
} from './sandbox-selectors';
import type { SandboxDelivery } from '@shared/contract/sandbox';
import { useSandboxStore } from './sandbox-store';

const sandboxState: MethodOutput<'sandbox.state'> = {
  baseUrl: 'http://127.0.0.1:4010',
  now: 0,
  clockOffsetMs: 0,
  consumerKeyMasked: 'ck_…',
  backendConsumerKey: null,
  wallets: [],
  payments: [],
  deliveries: [],
  requests: [],
  publicKeys: [],
  faults: { latencyMs: 0, errorRate: 0, dropRate: 0, slowBodyMs: 0 },
  settings: {
    settleMs: 1500,
    rateLimit: 0,
    retries: 'standard',
    acceptanceForm: '200.100',
    badRequestForm: 'envelope',
    pathForm: 'both',
    allowedCallbackHosts: [],
    webhookSigning: false,
  },
};

const loggedRequest: MethodOutput<'sandbox.getRequest'> = {
  id: 'r',
  at: 0,
  operation: 'payout',
  method: 'POST',
  path: '/payments/v1/payouts',
  query: '',
  httpStatus: 201,
  verdict: 'accepted',
  reference: 'R-1',
  durationMs: 1,
  reason: null,
  fieldErrors: [],
  checks: [],
  stringToSign: null,
  request: {
    headers: [],
    body: '',
    bodyBase64: null,
    sizeBytes: 0,
    isCut: false,
    isTooLong: false,
    isMasked: false,
  },
  answer: { headers: [], body: '', bodyBase64: null, sizeBytes: 0, isCut: false, isDropped: false },
};

let fake: FakeTransport;
let stop = (): void => undefined;
const state = () => useSandboxStore.getState();
const count = (method: string): number => fake.calls.filter((one) => one.method === method).length;

beforeEach(() => {
  vi.useFakeTimers();
  useSandboxStore.setState(useSandboxStore.getInitialState(), true);
  fake = createFakeTransport({
    'sandbox.status': () => ({ state: 'running', baseUrl: sandboxState.baseUrl, message: null }),
    'sandbox.state': () => sandboxState,
    'sandbox.listRequests': () => ({ requests: [], skipped: 0 }),
    'sandbox.advanceClock': () => ({ now: 30_000 }),
    'sandbox.reset': () => ({}),
  });
  setTransport(fake);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('sandbox store', () => {
  it('reads once for a burst of changes', async () => {
    stop = state().start();
    await vi.runAllTimersAsync();
    for (let index = 0; index < 50; index += 1) fake.emit('sandbox.changed', { reason: 'payment' });
    await vi.runAllTimersAsync();
    expect(count('sandbox.state')).toBe(2);
  });

  it('asks a stopped sandbox for nothing', async () => {
    fake.handlers['sandbox.status'] = () => ({
      state: 'failed',
      baseUrl: null,
      message: 'Port 4010 is taken.',
    });
    await state().load();
    expect(count('sandbox.state')).toBe(0);
    expect(state()).toMatchObject({ phase: 'ready', state: null, status: { state: 'failed' } });
  });

  it('reads again after an action, and says why one was refused', async () => {
    await state().advanceClock(30);
    expect(count('sandbox.state')).toBe(1);
    fake.handlers['sandbox.advanceClock'] = () =>
      Promise.reject(new AppError('sandbox.stopped', 'Start it.'));
    await state().advanceClock(30);
    expect(state()).toMatchObject({ isBusy: false, actionError: { code: 'sandbox.stopped' } });
  });

  it('keeps the explanation of the request chosen last', async () => {
    const resolvers: (() => void)[] = [];
    fake.handlers['sandbox.explain'] = ({ requestId }) =>
      new Promise((resolve) => {
        resolvers.push(() =>
          resolve({ requestId, verdict: 'token', explanation: requestId, fieldErrors: [], signature: null }),
        );
      });
    fake.handlers['sandbox.getRequest'] = ({ requestId }) => ({ ...loggedRequest, id: requestId });
    const first = state().openRequest('one');
    await vi.advanceTimersByTimeAsync(0);
    const second = state().openRequest('two');
    await vi.advanceTimersByTimeAsync(0);
    resolvers[1]?.();
    resolvers[0]?.();
    await Promise.all([first, second]);
    expect(state().explanation?.requestId).toBe('two');
    expect(state().request?.id).toBe('two');
  });

  it('lists by the filter set last, whichever answer comes first', async () => {
    const resolvers: (() => void)[] = [];
    fake.handlers['sandbox.listRequests'] = ({ text }) =>
      new Promise((resolve) => {
        resolvers.push(() => resolve({ requests: [{ ...loggedRequest, id: text ?? '' }], skipped: 0 }));
      });
    const both = ['a', 'ab'].map((text) => state().filterRequests({ text }));
    await vi.advanceTimersByTimeAsync(0);
    resolvers[1]?.();
    resolvers[0]?.();
    await Promise.all(both);
    expect(state().requests.map(({ id }) => id)).toEqual(['ab']);
  });

  it('keeps the list of the filter set last while an earlier reading of it all is on its way', async () => {
    const answers: (() => void)[] = [];
    fake.handlers['sandbox.listRequests'] = ({ operation }) =>
      new Promise((resolve) =>
        answers.push(() => resolve({ requests: operation ? [] : [loggedRequest], skipped: 0 } as never)),
      );
    const loading = state().load();
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    const filtering = state().filterRequests({ operation: 'status' });
    answers[1]!();
    await filtering;
    answers[0]!();
    await loading;
    expect(state()).toMatchObject({ phase: 'ready', requests: [] });
  });

  it('says nothing of a filter that could not be read once another is set', async () => {
    let refuse = (_reason: Error): void => undefined;
    fake.handlers['sandbox.listRequests'] = () => new Promise((_resolve, reject) => (refuse = reject));
    const filtering = state().filterRequests({ text: 'a' });
    await vi.waitFor(() => expect(fake.calls.at(-1)?.method).toBe('sandbox.listRequests'));
    fake.handlers['sandbox.listRequests'] = () => ({ requests: [], skipped: 0 });
    await state().filterRequests({ text: 'ab' });
    refuse(new Error('unreachable'));
    await filtering;
    expect(state().actionError).toBeNull();
  });

  it('shows no webhook secret that comes after it was left', async () => {
    fake.handlers['sandbox.revealWebhookSecret'] = () => ({ secret: 'whsec_a', hideAfterMs: 10_000 });
    const late = state().revealWebhookSecret();
    state().hideWebhookSecret();
    await late;
    expect(state().webhookSecret).toBeNull();
    await state().revealWebhookSecret();
    expect(state().webhookSecret).toBe('whsec_a');
  });

  it('forgets what was chosen when it starts afresh', async () => {
    state().selectPayment('p');
    await state().reset();
    expect(state().paymentUuid).toBeNull();
  });
});

describe('sandbox selectors', () => {
  it('says which check answered', () => {
    expect(describeVerdict('signature')).toEqual({ text: 'signature refused', tone: 'bad' });
    expect(describeVerdict('brand_new').text).toBe('brand_new');
    expect([isRefused('ok'), isRefused('fields')]).toEqual([false, true]);
  });

  it('says how far a delivery is', () => {
    const delivery: SandboxDelivery = {
      id: 'd',
      webhookId: 'w',
      callbackUrl: 'u',
      transactionReference: null,
      state: 'pending',
      nextAttemptAt: 5000,
      attempts: [{ attempt: 1, at: 0, durationMs: 1, httpStatus: 500, error: null, responseBody: null }],
      body: '{}',
    };
    expect(describeDelivery(delivery, 0).text).toBe('500, next try in 5.0 s');
    expect(describeDelivery(delivery, 4001).text).toBe('500, next try in 1.0 s');
    expect(describeDelivery({ ...delivery, attempts: [] }, 5000).text).toBe('due now');
    expect(describeDelivery({ ...delivery, state: 'delivered' }, 0).tone).toBe('good');
    expect(describeDelivery({ ...delivery, state: 'failed', attempts: [] }, 0).text).toBe(
      'given up, never tried',
    );
  });

  it('reads spans of time as people type them', () => {
    expect(['30', '30 s', '1 h', '2min', '1.5h'].map(readSeconds)).toEqual([30, 30, 3600, 120, 5400]);
    expect(['', '0', 'soon', '-1', '9999d'].map(readSeconds)).toEqual([null, null, null, null, null]);
    expect(describeClock(3_600_000)).toBe('1 h 0 min ahead of the real time');
  });

  const addresses = { baseUrl: 'http://127.0.0.1:4010', listenerUrl: 'http://127.0.0.1:4021' };

  it('writes snippets with what is known of the credentials', () => {
    expect(writeSnippet('env', addresses, {})).toContain(`PAYMENTS_BASE_URL=${addresses.baseUrl}`);
    expect(writeSnippet('docker', addresses, {})).toContain('host.docker.internal:4010');
    expect(writeSnippet('curl', addresses, {})).toContain('"product":"payout"');
    const made = { consumerKey: 'ck_1', consumerSecret: 'cs_1' };
    for (const kind of snippetKinds) expect(writeSnippet(kind, addresses, made)).toMatch(/ck_1[^]*cs_1/);
  });

  it('writes a payout for the shell that the interface takes, signs what it says, and has its webhook sent to the listener', () => {
    const snippet = writeSnippet('curl', addresses, {});
    const [, written = ''] = /<<END\n([^]*)\nEND$/.exec(snippet)!;
    const sent = written.replace(/\$\(date [^)]*\)/, '2026-01-05T10:00:00Z').replace('$reference', 'trial-1');
    expect(validateInitiation('payout', JSON.parse(sent))).toEqual([]);
    expect(JSON.parse(sent)).toMatchObject({ callback_url: 'http://127.0.0.1:4021/webhooks' });
    const [, signed = ''] = /printf %s "([^"]*)"/.exec(snippet)!;
    expect(signed.replace('${reference}', 'trial-1')).toBe(readStringToSign(sent).text);
  });
});
