import type { MethodInput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { describe, expect, it, vi } from 'vitest';
import { useAppStatus } from '../../../session/app-status';
import { findErrorPlace } from '../../../session/error-place';
import { openRequest } from '../tree/collection-actions';
import { chooseKey, confirmOverride } from '../signing/key-actions';
import { canRepeat, readInsight, selectActiveTab } from '../requests-selectors';
import { updateTab, useRequestsStore } from '../requests-store';
import { copyAsCurl } from './copy-as-curl';
import {
  cancelSending,
  followJourneys,
  loadLastExchange,
  sendRequest,
  sendUnsigned,
  showRequest,
  trustHost,
} from './sending-actions';
import { acceptedReading, makeExchange, startFakeBackEnd, signed } from '../test-support';

const active = () => selectActiveTab(useRequestsStore.getState())!;
const insight = () => readInsight(active(), useAppStatus.getState().status!.environment);
const journey = {
  summary: {
    reference: 'R-1',
    environment: 'local',
    operation: 'remittance' as const,
    title: 'a',
    amount: null,
    currency: null,
    startedAt: 0,
    lastAt: 0,
    finalAt: null,
    track: { signed: 'done', accepted: 'done', webhook: 'waiting', final: 'waiting' } as const,
    state: null,
    isDisputed: false,
    sentTo: [],
  },
  events: [],
  unasked: [],
};

describe('what is not sent', () => {
  it.each([
    ['a disabled request', '# @disabled\nGET {{base_url}}/a', 'sending.disabled'],
    ['half a request', 'GET {{base_url}}/a\nno header', 'collections.bad_file'],
    ['a value that another client would have', 'GET {{base_url}}/{{$processEnv HOME}}', 'sending.unresolved'],
  ])('is %s, however sure the user is', async (_name, text, code) => {
    const fake = startFakeBackEnd({ 'a.http': text }, { 'sending.send': () => makeExchange() });
    await openRequest('a.http');
    await sendRequest(active().id, true);
    expect(active().sendError).toMatchObject({ code });
    expect(fake.calls.filter(({ method }) => method === 'sending.send')).toEqual([]);
  });

  it('is what would take a token elsewhere, until the user lets that host have it', async () => {
    const fake = startFakeBackEnd(
      { 'a.http': signed },
      {
        'sending.send': ({ allowHosts }) => {
          if (allowHosts?.includes('evil.example') === true) return makeExchange();
          const details = { host: 'evil.example', target: 'http://evil.example', home: 'http://h' };
          throw new AppError('sending.foreign_host', 'Nothing was sent.', { details });
        },
        'journey.get': () => journey,
      },
    );
    await openRequest('a.http');
    await sendRequest(active().id);
    expect(useRequestsStore.getState().question).toMatchObject({ kind: 'host', host: 'evil.example' });
    await trustHost(active().id, 'staging', 'evil.example');
    expect(active().sendError).toMatchObject({ code: 'sending.foreign_host' });
    await trustHost(active().id, 'local', 'evil.example');
    expect(active()).toMatchObject({ sendError: null, exchange: { id: 'e1' } });
    expect(fake.calls.filter(({ method }) => method === 'sending.send')).toHaveLength(3);
  });

  it('is what takes a token of an environment without an address, and no question would help', async () => {
    const details = { host: 'evil.example', target: 'http://evil.example', home: null };
    startFakeBackEnd(
      { 'a.http': signed },
      {
        'sending.send': () => {
          throw new AppError('sending.foreign_host', 'Nothing was sent.', { details });
        },
      },
    );
    await openRequest('a.http');
    await sendRequest(active().id);
    expect(active().sendError).toMatchObject({ code: 'sending.foreign_host' });
    expect(useRequestsStore.getState().question).toBeNull();
    const place = { href: '#/environments', label: 'Open Environments' };
    expect(findErrorPlace(active().sendError!)).toEqual(place);
  });

  it('is a body without its files: their bytes go out in their places', async () => {
    const text =
      'POST {{base_url}}/a\nContent-Type: multipart/form-data; boundary=B\n\n--B\n\n< ./x.bin\n--B--\n';
    const fake = startFakeBackEnd(
      { 'a.http': text },
      {
        'collections.readBodyFile': ({ file }) => ({ base64: file === './x.bin' ? btoa('\x00\xff') : '' }),
        'sending.send': () => makeExchange({ reference: null }),
      },
    );
    await openRequest('a.http');
    await sendRequest(active().id);
    const sent = fake.calls.find(({ method }) => method === 'sending.send')!.input as Record<string, unknown>;
    expect(sent['body']).toBeNull();
    expect(atob(String(sent['bodyBase64']))).toBe('--B\r\n\r\n\x00\xff\r\n--B--');
  });
});

describe('sendRequest', () => {
  it('sends exactly what the preview shows, and draws new values afterwards', async () => {
    const fake = startFakeBackEnd(
      { 'a.http': signed },
      { 'sending.send': () => makeExchange({ reading: acceptedReading }), 'journey.get': () => journey },
    );
    await openRequest('a.http');
    const shown = insight().prepared!.body;
    await sendRequest(active().id);
    const sent = fake.calls.find(({ method }) => method === 'sending.send')!.input;
    expect(sent).toMatchObject({
      environment: 'local',
      operation: 'remittance',
      url: 'http://127.0.0.1:4010/payments/v1/remittance',
      headers: [
        ['Authorization', 'Bearer {{token.remittance}}'],
        ['X-Custom-Signature', '{{signature}}'],
      ],
      body: shown,
    });
    expect(insight().prepared!.body).not.toBe(shown);
    expect(active()).toMatchObject({
      run: null,
      exchange: { id: 'e1' },
      journey: { summary: { reference: 'R-1' } },
    });
  });

  it('keeps the values of a request that was sent too soon, so that it can go again with its reference', async () => {
    let outcome: 'rate_limited' | 'accepted' = 'rate_limited';
    const fake = startFakeBackEnd(
      { 'a.http': signed },
      {
        'sending.send': ({ body }) => {
          const exchange = makeExchange();
          const reading = { ...exchange.reading!, outcome };
          return { ...exchange, reading, request: { ...exchange.request, body: body ?? null } };
        },
        'journey.get': () => journey,
      },
    );
    const bodies = () =>
      fake.calls
        .filter(({ method }) => method === 'sending.send')
        .map(({ input }) => (input as { body: string }).body);
    await openRequest('a.http');
    await sendRequest(active().id);
    expect(canRepeat(active(), insight())).toBe(true);
    outcome = 'accepted';
    await sendRequest(active().id);
    expect(canRepeat(active(), insight())).toBe(false);
    await sendRequest(active().id);
    const [first, second, third] = bodies();
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('leaves no earlier answer beside a send that was refused', async () => {
    startFakeBackEnd(
      { 'a.http': '# @disabled\nPOST {{base_url}}/a\n\n{}\n' },
      { 'history.list': () => ({ exchanges: [], nextBefore: null }) },
    );
    await openRequest('a.http');
    useRequestsStore.setState(({ tabs }) => ({
      tabs: tabs.map((tab) => ({ ...tab, exchange: makeExchange({ reference: null }) })),
    }));
    await sendRequest(active().id);
    expect(active()).toMatchObject({ exchange: null, sendError: { code: 'sending.disabled' } });
  });

  it('that cannot be signed goes without its signature when told to', async () => {
    const fake = startFakeBackEnd(
      { 'a.http': signed.replace('"country":"KE"}}', '"country":') },
      { 'sending.send': () => makeExchange({ reference: null }) },
    );
    await openRequest('a.http');
    await sendUnsigned(active().id);
    const { headers, body } = fake.calls.find(({ method }) => method === 'sending.send')!
      .input as MethodInput<'sending.send'>;
    expect(headers.map(([name]) => name)).not.toContain('X-Custom-Signature');
    expect(body).toContain('"country":');
  });

  it('asks once more before it sends a variable without a value', async () => {
    const fake = startFakeBackEnd(
      { 'a.http': 'POST {{base_url}}/a\n\n{{nope}}\n' },
      { 'sending.send': () => makeExchange({ reference: null }) },
    );
    await openRequest('a.http');
    await sendRequest(active().id);
    expect(active().isSendDoubted).toBe(true);
    expect(fake.calls.some(({ method }) => method === 'sending.send')).toBe(false);
    await sendRequest(active().id, true);
    expect(fake.calls.some(({ method }) => method === 'sending.send')).toBe(true);
  });

  it('shows why it could not be sent, and keeps the values for another try', async () => {
    startFakeBackEnd(
      { 'a.http': signed },
      {
        'sending.send': () => {
          throw new AppError('keys.none_for_environment', 'No key is bound to this environment.');
        },
      },
    );
    await openRequest('a.http');
    const shown = insight().prepared!.body;
    await sendRequest(active().id);
    expect(active()).toMatchObject({ run: null, sendError: { code: 'keys.none_for_environment' } });
    expect(insight().prepared!.body).toBe(shown);
  });

  it('runs once at a time and can be stopped', async () => {
    let finish: (() => void) | null = null;
    const fake = startFakeBackEnd(
      { 'a.http': signed },
      {
        'sending.send': () =>
          new Promise((resolve) => {
            finish = () => resolve(makeExchange({ reference: null }));
          }),
        'sending.cancel': () => {
          finish?.();
          return {};
        },
      },
    );
    await openRequest('a.http');
    const first = sendRequest(active().id);
    await sendRequest(active().id);
    await vi.waitFor(() => expect(finish).not.toBeNull());
    // The pane says that the second one went nowhere.
    expect(active().run).toMatchObject({ isAskedAgain: true });
    const { sendId } = active().run!;
    await cancelSending(active().id);
    await first;
    expect(fake.calls.filter(({ method }) => method === 'sending.send')).toHaveLength(1);
    expect(fake.calls.at(-1)).toEqual({ method: 'sending.cancel', input: { sendId } });
    expect(active().run).toBeNull();
  });
});

describe('a request copied as cURL', () => {
  const token = 'eyJ.token';
  const copyFrom = async (text: string): Promise<string> => {
    const fake = startFakeBackEnd(
      { 'a.http': text },
      {
        'tokens.fetch': () => ({}) as never,
        'tokens.reveal': () => ({ token, hideAfterMs: 1000 }),
        'signing.sign': () => ({ signature: 'c2lnbmVk' }) as never,
      },
    );
    const writeText = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    await openRequest('a.http');
    await copyAsCurl(active().id);
    vi.unstubAllGlobals();
    expect(fake.calls.some(({ method }) => method === 'tokens.reveal')).toBe(text === signed);
    return String(writeText.mock.lastCall?.[0]);
  };

  it('holds token and signature for the service of its environment', async () => {
    const command = await copyFrom(signed);
    expect(command).toContain(`Bearer ${token}`);
    expect(command).toContain('c2lnbmVk');
  });

  it('holds neither for another host', async () => {
    const command = await copyFrom(signed.replace('{{base_url}}', 'https://elsewhere.example'));
    expect(command).toContain('{{token.remittance}}');
    expect(command).not.toContain(token);
    expect(command).not.toContain('c2lnbmVk');
  });
});

describe('a key chosen for the request', () => {
  it('signs in its environment, with the word that was typed, and in no other', async () => {
    const fake = startFakeBackEnd(
      { 'a.http': signed },
      { 'sending.send': () => makeExchange({ reference: null }) },
    );
    await openRequest('a.http');
    chooseKey(active().id, 'local', 'k2');
    await sendRequest(active().id);
    confirmOverride(active().id, { environment: 'local', keyId: 'k2', overrideConfirmation: 'local' });
    await sendRequest(active().id);
    confirmOverride(active().id, { environment: 'other', keyId: 'k2', overrideConfirmation: 'other' });
    await sendRequest(active().id);
    const keys = fake.calls
      .filter(({ method }) => method === 'sending.send')
      .map(({ input }) => {
        const { keyId, overrideConfirmation } = input as { keyId?: string; overrideConfirmation?: string };
        return { keyId, overrideConfirmation };
      });
    expect(keys).toEqual([{ keyId: 'k2' }, { keyId: 'k2', overrideConfirmation: 'local' }, {}]);
  });
});

describe('followJourneys', () => {
  it('reads journeys of answers on the screen, and no others', async () => {
    const fake = startFakeBackEnd(
      { 'a.http': signed },
      { 'sending.send': () => makeExchange(), 'journey.get': () => journey },
    );
    await openRequest('a.http');
    await sendRequest(active().id);
    fake.calls.length = 0;
    await followJourneys(['R-2']);
    expect(fake.calls).toEqual([]);
    await followJourneys(['R-1']);
    expect(fake.calls).toEqual([{ method: 'journey.get', input: { reference: 'R-1' } }]);
  });
});

describe('the last answer', () => {
  const several = '### A\nGET {{base_url}}/a\n\n### B\nGET {{base_url}}/b\n';
  const identity = { collectionId: 'c1', path: 'a.http', block: 'A' };

  it('is asked for by the identity of the request, never by its title', async () => {
    const fake = startFakeBackEnd(
      { 'Status query.http': 'GET {{base_url}}/a\n' },
      { 'history.list': () => ({ exchanges: [], nextBefore: null }) },
    );
    await openRequest('Status query.http');
    await loadLastExchange(active().id);
    expect(fake.calls.find(({ method }) => method === 'history.list')?.input).toEqual({
      identity: { collectionId: 'c1', path: 'Status query.http', block: '' },
      limit: 1,
    });
  });

  it('of one request of a file is not shown under another', async () => {
    const fake = startFakeBackEnd(
      { 'a.http': several },
      {
        'sending.send': ({ identity: sent }) => makeExchange({ identity: sent ?? null, reference: null }),
        'history.list': () => ({ exchanges: [], nextBefore: null }),
      },
    );
    await openRequest('a.http');
    await sendRequest(active().id);
    expect(active().exchange).toMatchObject({ identity });
    // In the history its file's name alone would tell it from none of its neighbours.
    expect(fake.calls.find(({ method }) => method === 'sending.send')?.input).toMatchObject({
      title: 'a · A',
    });
    await showRequest(active().id, 1);
    expect(active().exchange).toBeNull();
    expect(fake.calls.at(-1)).toMatchObject({
      method: 'history.list',
      input: { identity: { ...identity, block: 'B' } },
    });
  });

  it('is one that a command got since, once it is there; an earlier one that was chosen stays', async () => {
    const ended = { response: { ...makeExchange().response!, httpStatus: 201 } };
    let kept = [makeExchange({ id: 'e1', reference: null, ...ended })];
    startFakeBackEnd(
      { 'a.http': several },
      {
        'history.list': () => ({ exchanges: kept.slice(-1) as never, nextBefore: null }),
        'history.get': ({ id }) => kept.find((one) => one.id === id)!,
      },
    );
    await openRequest('a.http');
    const { id } = active();
    await loadLastExchange(id);
    expect(active().exchange?.id).toBe('e1');
    kept = [...kept, makeExchange({ id: 'e2', reference: null })];
    await loadLastExchange(id);
    expect(active().exchange?.id).toBe('e1');
    kept = [kept[0]!, makeExchange({ id: 'e2', reference: null, ...ended })];
    await loadLastExchange(id);
    expect(active().exchange?.id).toBe('e2');
    updateTab(id, { exchange: kept[0]! });
    await loadLastExchange(id);
    expect(active().exchange?.id).toBe('e1');
  });

  it.each(['answer', 'error'] as const)(
    'stays that of the request on show, where the %s of another one of its file comes meanwhile',
    async (end) => {
      const ofB = makeExchange({ id: 'e1', reference: null });
      let finish = (): void => undefined;
      startFakeBackEnd(
        { 'a.http': several },
        {
          'sending.send': () =>
            new Promise((resolve, reject) => {
              const refuse = () => reject(new AppError('sending.closed', 'The connection was closed.'));
              finish = end === 'error' ? refuse : () => resolve(makeExchange({ id: 'e2', reference: null }));
            }),
          'history.list': () => ({ exchanges: [ofB] as never, nextBefore: null }),
          'history.get': () => ofB,
        },
      );
      await openRequest('a.http');
      const sending = sendRequest(active().id);
      await showRequest(active().id, 1);
      expect(active()).toMatchObject({ exchange: null, run: { requestIndex: 0 } });
      finish();
      await sending;
      expect(active()).toMatchObject({ run: null, sendError: null, exchange: { id: 'e1' } });
    },
  );
});
