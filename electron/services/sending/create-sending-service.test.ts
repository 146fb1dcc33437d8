import { generateKeyPairSync } from 'node:crypto';
import { systemRandom } from '../../platform/node-ports';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventMap } from '@shared/contract/events';
import type { SendInput } from '@shared/contract/sending';
import { usualSetup } from '@shared/contract/usual-setup';
import { AppError } from '@shared/errors';
import { writeNewRequest } from '@shared/http-file/new-request';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { createEventBus } from '../../platform/event-bus';
import type { HttpAnswer, HttpCall } from '../../platform/ports';
import { createHistoryService, type HistoryService } from '../history/create-history-service';
import { verifyText } from '../../platform/crypto/rsa-signatures';
import { drawEcho, findEcho } from '../../../test/support/encoded-echo';
import { createSendingService, type SendingService } from './create-sending-service';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.c2VudGluZWwtc2VjcmV0.signature-part';
const BODY =
  '{ "transaction": {"reference": "R-1", "amount": 1000.00, "currency":"KES",\r\n "service_code":"X"}, "originator": {"country": "KE"} }';

let calls: HttpCall[];
/** What the history held when each of them left: reference and status of the newest. */
let keptBefore: unknown[];
let answers: (HttpAnswer | AppError)[];
let tokens: string[];
let history: HistoryService;
let remembered: string[];
let sending: SendingService;
let changed: EventMap['journey.changed'][];

const answer = (httpStatus: number, body: string, headers: [string, string][] = []): HttpAnswer => ({
  httpStatus,
  headers,
  body: Buffer.from(body),
  isCut: false,
  timings: { queueMs: 0, dnsMs: null, tlsMs: null, connectMs: 1, firstByteMs: 2, downloadMs: 3, totalMs: 6 },
});

const failedTimings = { ...answer(0, '').timings, firstByteMs: null, downloadMs: null };

const CONSUMER_SECRET = 'cs_of_this_environment';
const payout = (more: Partial<SendInput> = {}): SendInput => ({
  environment: 'local',
  operation: 'payout',
  identity: null,
  title: 'Payout',
  method: 'post',
  url: 'http://127.0.0.1:1/payments/v1/payouts',
  headers: [
    ['Authorization', 'Bearer {{token.payout}}'],
    ['X-Custom-Signature', '{{signature}}'],
    ['Content-Type', 'application/json'],
  ],
  body: BODY,
  ...more,
});

beforeEach(() => {
  calls = [];
  keptBefore = [];
  answers = [];
  tokens = [TOKEN];
  changed = [];
  remembered = [];
  const events = createEventBus();
  events.subscribe('journey.changed', (payload) => changed.push(payload));
  history = createHistoryService({
    ports: {
      clock: { now: () => 1_800_000_000_000, monotonicMs: () => 0 },
      random: systemRandom,
      logger: { log: () => undefined },
      dataDirectory: '',
    },
    events,
    file: ':memory:',
  });
  sending = createSendingService({
    ports: {
      clock: { now: () => 1_800_000_000_000, monotonicMs: () => 0 },
      http: async (call) => {
        calls.push(call);
        const kept = await history.handlers['history.list']({ limit: 10, before: null });
        keptBefore.push(kept.exchanges.map(({ reference, httpStatus }) => [reference, httpStatus]));
        const next = answers.shift()!;
        if (next instanceof AppError) call.onFailure?.(failedTimings);
        if (next instanceof AppError) throw next;
        return next;
      },
    },
    keys: {
      getSigningKey: () =>
        Promise.resolve({ id: 'k', name: 'Key', fingerprint: 'f'.repeat(64), publicKeyPem: '', privateKey }),
    },
    tokens: {
      requireCredentials: () => Promise.resolve(),
      getBearer: (_environment, _product, how) => Promise.resolve(tokens.at(how?.isForced ? -1 : 0)!),
      listKnownSecrets: () => Promise.resolve([CONSUMER_SECRET]),
      readCredentials: (_environment, product) =>
        Promise.resolve({ consumerKey: `key of ${product}`, consumerSecret: `secret of ${product}` }),
    },
    environments: {
      requireBound: async (id) => {
        if (id !== 'local') throw new AppError('environments.unknown', 'no such environment');
        return { id, name: id, label: id, baseUrl: 'http://127.0.0.1:1/base', setup: usualSetup };
      },
      readSecret: (_id, name) =>
        name === 'consumer_secret' || name === 'unknown'
          ? Promise.reject(new AppError('environments.no_secret', 'not in the vault'))
          : Promise.resolve(`value of ${name}`),
      rememberReference: (_id, _product, reference) => remembered.push(reference),
      listProduction: () => Promise.resolve([]),
    },
    history,
    requestTimeoutMs: () => 1000,
  });
});

describe('sending', () => {
  it('sends the bytes of the body unchanged, with a signature that verifies over their literals', async () => {
    answers = [answer(201, '{"status":"200.100","code":"ACCEPTED","data":{"payment_uuid":"7"}}')];
    const exchange = await sending.send(payout());
    expect(Buffer.from(calls[0]!.body!).toString()).toBe(BODY);
    expect(exchange.request.stringToSign).toBe('R-11000.00KEX');
    expect(verifyText('R-11000.00KEX', calls[0]!.headers[1]![1], publicKey)).toBe(true);
    expect(calls[0]!.headers[0]).toEqual(['Authorization', `Bearer ${TOKEN}`]);
    expect(exchange).toMatchObject({
      reference: 'R-1',
      reading: { outcome: 'accepted', paymentUuid: '7' },
      timings: { totalMs: 6 },
    });
  });

  it('keeps and gives no consumer secret that the service sends back, however it is written', async () => {
    const base64 = Buffer.from(CONSUMER_SECRET).toString('base64');
    answers = [answer(200, JSON.stringify({ a: CONSUMER_SECRET, b: base64 }), [['X-Echo', CONSUMER_SECRET]])];
    const exchange = await sending.send(payout());
    const kept = await history.handlers['history.get']({ id: exchange.id });
    for (const text of [JSON.stringify(exchange), JSON.stringify(kept)]) {
      expect(text).not.toContain(CONSUMER_SECRET);
      expect(text).not.toContain(base64.slice(4, -4));
    }
  });

  it('keeps and gives no token, not even where the service echoes it', async () => {
    answers = [answer(200, `{"echo":"${TOKEN}","access_token":"another-secret-value"}`, [['X-Echo', TOKEN]])];
    const exchange = await sending.send(payout());
    const kept = await history.handlers['history.get']({ id: exchange.id });
    for (const text of [JSON.stringify(exchange), JSON.stringify(kept)]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain('another-secret-value');
    }
    expect(exchange.request.headers[0]).toEqual(['Authorization', 'Bearer eyJh…part']);
  });

  it.each(['X-Gateway', 'Accept', 'Referer', 'X-Request-Id'])(
    'keeps no token that went out in the header %s',
    async (name) => {
      answers = [answer(200, '{}')];
      const headers: [string, string][] = [[name, 'a={{token.payout}};b={{token.payout}}']];
      const exchange = await sending.send(payout({ headers }));
      expect(calls[0]!.headers).toEqual([[name, `a=${TOKEN};b=${TOKEN}`]]);
      const kept = await history.handlers['history.get']({ id: exchange.id });
      expect(JSON.stringify([exchange, kept])).not.toContain(TOKEN.slice(4, -4));
      expect(exchange.request.headers[0]![0]).toBe(name);
    },
  );

  it.each([
    ['Base64', (text: string) => Buffer.from(text).toString('base64')],
    ['Base64 within more', (text: string) => Buffer.from(`{"a":"Bearer ${text}"}`).toString('base64')],
    ['URL-safe Base64', (text: string) => Buffer.from(`xy${text}z`).toString('base64url')],
    ['hex', (text: string) => Buffer.from(text).toString('hex')],
    ['a URL', (text: string) => `https://x/?t=${encodeURIComponent(text)}`],
    [
      'a URL in small letters',
      (text: string) => encodeURIComponent(text).replace(/%../g, (e) => e.toLowerCase()),
    ],
    ['escaped slashes', (text: string) => text.replaceAll('/', '\\/')],
  ])('masks a token that comes back as %s', async (_name, encode) => {
    tokens = ['opaque+token/with=signs??and>more'];
    const echo = encode(tokens[0]!);
    answers = [answer(200, `{"status":{"description":"${echo}"},"echo":"${echo}"}`, [['X-Echo', echo]])];
    const exchange = await sending.send(payout());
    const core = echo.slice(4, -4);
    expect(core.length).toBeGreaterThan(12);
    const kept = await history.handlers['history.get']({ id: exchange.id });
    expect(JSON.stringify([exchange, kept])).not.toContain(core);
  });

  it('keeps, gives and tells nothing of a token, in whatever envelopes it comes back', async () => {
    await fc.assert(
      fc.asyncProperty(drawEcho(), async (drawn) => {
        tokens = [drawn.secret];
        const body = JSON.stringify({
          status: { description: drawn.echo },
          data: { payment_uuid: drawn.echo },
        });
        const header = drawn.echo.replaceAll('\r\n', '');
        answers = [answer(400, body, [['X-Echo', header]])];
        const exchange = await sending.send(payout());
        const kept = await history.handlers['history.get']({ id: exchange.id });
        const listed = await history.handlers['history.list']({ limit: 1, before: null });
        for (const told of [exchange, kept, listed, changed]) {
          const text = JSON.stringify(told);
          expect([...findEcho(drawn, text), ...findEcho({ ...drawn, echo: header }, text)]).toEqual([]);
        }
      }),
      { numRuns: 100, seed: 20_261_123 },
    );
  });

  it('masks the value of a variable that is secret by its name, wherever it stands and comes back', async () => {
    const secret = 'given-on-the-command-line';
    answers = [answer(200, `{"got":"${secret}"}`, [['X-Got', secret]])];
    const headers: [string, string][] = [['X-Merchant', secret]];
    const body = `{"merchant":"${secret}"}`;
    const exchange = await sending.send(payout({ headers, body, secretValues: [secret] }));
    expect(calls[0]!.headers).toEqual(headers);
    expect(Buffer.from(calls[0]!.body!).toString()).toBe(body);
    const kept = await history.handlers['history.get']({ id: exchange.id });
    expect(JSON.stringify([exchange, kept])).not.toContain(secret);
  });

  it('masks what is secret by name in addresses and forms that are kept', async () => {
    answers = [answer(200, '{}'), answer(200, '{}')];
    const exchange = await sending.send(
      payout({
        url: 'http://127.0.0.1:1/x?api_key=key-in-the-query&page=2',
        headers: [['X-Auth-Token', 'token-typed-in-a-header']],
        body: 'user=amina&password=word-in-the-form',
      }),
    );
    expect(calls[0]!.url).toContain('key-in-the-query');
    expect(Buffer.from(calls[0]!.body!).toString()).toContain('word-in-the-form');
    const text = JSON.stringify(exchange);
    for (const secret of ['key-in-the-query', 'token-typed-in-a-header', 'word-in-the-form']) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('page=2');
    expect(text).toContain('user=amina');
  });

  it('masks what is secret by name in bodies, answers and headers of any notation, and sends it unchanged', async () => {
    const secret = 'a-secret-typed-by-hand';
    const body = `<login><Password>${secret}</Password></login>`;
    answers = [
      answer(
        200,
        `{"pass\\u0077ord":"${secret}","api_key":12345678901234,"next":"https://x/?token=${secret}"}`,
        [
          ['X-Auth-Token', secret],
          ['Location', `https://host/?session_id=${secret}`],
        ],
      ),
    ];
    const exchange = await sending.send(
      payout({ url: `http://me:${secret}@127.0.0.1:1/`, headers: [], body }),
    );
    expect(calls[0]!.url).toContain(secret);
    expect(Buffer.from(calls[0]!.body!).toString()).toBe(body);
    const kept = await history.handlers['history.get']({ id: exchange.id });
    for (const text of [JSON.stringify(exchange), JSON.stringify(kept)]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('12345678901234');
    }
  });

  it('sends bytes that are no text as they are, and signs those that are', async () => {
    answers = [answer(200, '{}'), answer(200, '{}')];
    const bytes = Buffer.from([0, 255, 13, 10]);
    await sending.send(payout({ headers: [], body: null, bodyBase64: bytes.toString('base64') }));
    expect(Buffer.from(calls[0]!.body!)).toEqual(bytes);
    await sending.send(payout({ body: null, bodyBase64: Buffer.from(BODY).toString('base64') }));
    expect(verifyText('R-11000.00KEX', calls[1]!.headers[1]![1], publicKey)).toBe(true);
  });

  it.each([
    ['another host', 'http://evil.example/payments', {}],
    ['another port', 'http://127.0.0.1:2/payments', {}],
    ['https made http or the other way', 'https://127.0.0.1:1/payments', {}],
    ['a host behind user and password', 'http://127.0.0.1:1@evil.example/', {}],
    ['a host behind a backslash', 'http:\\\\evil.example\\@127.0.0.1:1/', {}],
    ['a token in another header', 'http://evil.example/', { headers: [['X-Note', 'a {{ token.payout }}']] }],
    ['a signature alone', 'http://evil.example/', { headers: [['X-Note', '{{signature}}']] }],
    [
      'a host that was allowed beside it',
      'http://evil.example/',
      { allowHosts: ['evil.example:81', 'example'] },
    ],
  ])('keeps token and signature from %s', async (_name, url, more) => {
    await expect(sending.send(payout({ url, ...(more as Partial<SendInput>) }))).rejects.toMatchObject({
      code: 'sending.foreign_host',
      message: expect.stringContaining('http://127.0.0.1:1') as string,
      details: { host: new URL(url).host },
    });
    expect(calls).toEqual([]);
    expect((await history.handlers['history.list']({ limit: 10, before: null })).exchanges).toEqual([]);
  });

  it.each(['evil.example', 'evil.example:1', ' EVIL.example', '127.0.0.1', '127.0.0.1:2', 'a b', ''])(
    'keeps token and signature from the Host header “%s”, by which what stands in front of services goes',
    async (host) => {
      const headers: SendInput['headers'] = [...payout().headers, ['hOsT', host]];
      await expect(sending.send(payout({ headers }))).rejects.toMatchObject({
        code: expect.stringMatching(/sending\.(foreign_host|unresolved)/) as string,
      });
      expect(calls).toEqual([]);
      answers = [answer(200, '{}'), answer(200, '{}'), answer(200, '{}')];
      await sending.send(payout({ headers: [...payout().headers, ['Host', '127.0.0.1:1']] }));
      await sending.send(payout({ headers: [['Host', 'evil.example']], body: null }));
      if (URL.canParse(`http://${host}`)) {
        await sending.send(payout({ headers, allowHosts: [new URL(`http://${host.trim()}`).host] }));
        expect(calls).toHaveLength(3);
      }
    },
  );

  describe('with a value of the vault', () => {
    const reference = '{{vault.api_key}}';

    it('puts in consumer key and secret of the product that the body names, where no secret has their name', async () => {
      const text = writeNewRequest({ name: 'x', operation: 'token', product: 'remittance' });
      const { headers, body } = parseHttpFile(text).requests[0]!;
      answers = [answer(200, '{"access_token":"t"}')];
      const exchange = await sending.send(
        payout({
          operation: 'token',
          url: 'http://127.0.0.1:1/base/auth/v1/token',
          headers: headers.map(({ name, value }) => [name, value]),
          body,
        }),
      );
      expect(JSON.parse(Buffer.from(calls[0]!.body!).toString('utf8'))).toEqual({
        consumer_key: 'value of consumer_key',
        consumer_secret: 'secret of remittance',
        product: 'remittance',
      });
      expect(exchange.request.body).not.toContain('secret of');
      await expect(
        sending.send(payout({ operation: 'other', headers: [], body: '{{vault.unknown}}' })),
      ).rejects.toMatchObject({ code: 'environments.no_secret' });
    });

    it.each([
      ['transaction.reference', BODY.replace('R-1', `R-${reference}`), 'payout'],
      ['transaction.amount', BODY.replace('1000.00', reference), 'payout'],
      ['originator.country', BODY.replace('KE"}', `${reference}"}`), 'payout'],
      ['transaction.service_code', BODY.replace('"X"', `"{{%vault.api_key}}"`), 'payout'],
      ['transaction_reference', `{"transaction_reference":"${reference}"}`, 'status'],
      ['client_reference', `{"client_reference":"${reference}"}`, 'custom'],
    ])('refuses it in %s, which is signed or kept', async (field, body, operation) => {
      await expect(
        sending.send(payout({ body, operation: operation as SendInput['operation'] })),
      ).rejects.toMatchObject({
        code: 'sending.secret_field',
        message: expect.stringMatching(/vault\.api_key/) as string,
        details: { field, variable: 'api_key' },
      });
      expect(calls).toEqual([]);
    });

    it.each(['callback_url', 'redirect_url'])('refuses it in a %s of another host', async (field) => {
      const withUrl = (url: string): string => BODY.replace('{ ', `{ "${field}": "${url}", `);
      for (const url of [`https://evil.example/?k=${reference}`, `https://${reference}.evil.example/`]) {
        await expect(sending.send(payout({ body: withUrl(url) }))).rejects.toMatchObject({
          code: 'sending.foreign_host',
          details: { field, variable: 'api_key' },
        });
      }
      expect(calls).toEqual([]);
      answers = [answer(200, '{}'), answer(200, '{}')];
      await sending.send(payout({ body: withUrl(`http://127.0.0.1:1/?k=${reference}`) }));
      await sending.send(
        payout({ body: withUrl('https://mine.example/').replace('"X"', `"X","meta":"${reference}"`) }),
      );
      expect(calls).toHaveLength(2);
    });

    it('keeps none in what is derived of a body, where the field holds the same text by another way', async () => {
      answers = [answer(200, '{}')];
      const body = BODY.replace('R-1', 'value of api_key').replace('"X"', `"X","note":"${reference}"`);
      const exchange = await sending.send(payout({ body }));
      const kept = await history.handlers['history.get']({ id: exchange.id });
      expect(JSON.stringify([exchange, kept])).not.toContain('value of api_key');
      expect(remembered).toEqual([]);
      answers = [answer(200, '{}')];
      await sending.send(payout());
      expect(remembered).toEqual(['R-1']);
    });
  });

  it('lets go what carries nothing of ours, and where the user allowed the host', async () => {
    answers = [answer(200, '{}'), answer(200, '{}')];
    await sending.send(
      payout({ url: 'http://other.example/', headers: [['Authorization', 'Bearer typed']] }),
    );
    await sending.send(payout({ url: 'http://Other.example:81/', allowHosts: ['OTHER.example:81'] }));
    expect(calls).toHaveLength(2);
  });

  it('has kept a request before it leaves: it may be paid though nobody hears of it', async () => {
    answers = [answer(401, '{"code":"400.001.100","status":"REJECTED"}'), answer(201, '{}')];
    tokens = [TOKEN, 'fresh-token-fresh-token'];
    await sending.send(payout());
    expect(keptBefore).toEqual([
      [['R-1', null]],
      [
        ['R-1', null],
        ['R-1', 401],
      ],
    ]);
  });

  it('sends nothing that cannot be kept', async () => {
    history.begin = () => {
      throw new Error('disk full');
    };
    await expect(sending.send(payout())).rejects.toThrow('disk full');
    expect(calls).toEqual([]);
  });

  it('gives the same exchange from the history', async () => {
    answers = [answer(400, '{"status":"400.100","code":"REJECTED","data":null}', [['X-Request-Id', 'q1']])];
    const exchange = await sending.send(payout());
    expect(await history.handlers['history.get']({ id: exchange.id })).toEqual(exchange);
    expect(exchange.response?.requestId).toBe('q1');
    expect((await history.handlers['history.list']({ limit: 10, before: null })).exchanges[0]).toMatchObject({
      id: exchange.id,
      httpStatus: 400,
      outcome: 'rejected',
      reference: 'R-1',
    });
  });

  it('keeps the signature as it left, with what was typed beside the placeholder', async () => {
    answers = [answer(401, '{}')];
    const headers: [string, string][] = [['X-Custom-Signature', 'v1={{signature}}']];
    const { request } = await sending.send(payout({ headers }));
    expect(request.signature).toMatch(/^v1=[A-Za-z0-9+/]+=*$/);
    expect(calls[0]!.headers).toEqual([['X-Custom-Signature', request.signature]]);
  });

  it('keeps what is not UTF-8 as Base64', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    answers = [{ ...answer(200, ''), body: bytes }];
    const exchange = await sending.send(payout());
    expect(exchange.response?.bodyBase64).toBe(bytes.toString('base64'));
    expect(await history.handlers['history.get']({ id: exchange.id })).toEqual(exchange);
  });

  it('tells why no answer came, in the exchange and in the history', async () => {
    answers = [new AppError('sending.unreachable', 'Cannot reach 127.0.0.1 on port 1.')];
    const exchange = await sending.send(payout());
    expect(exchange).toMatchObject({
      response: null,
      error: { code: 'sending.unreachable' },
      timings: failedTimings,
    });
    expect(await history.handlers['history.get']({ id: exchange.id })).toEqual(exchange);
  });

  it('replaces a cached token that was refused, once, and sends the same bytes again', async () => {
    const refused = '{"code":"400.001.100","status":"REJECTED","data":{}}';
    answers = [answer(401, refused), answer(201, '{"status":"ACCEPTED","code":"100"}')];
    tokens = [TOKEN, 'fresh-token-fresh-token'];
    const exchange = await sending.send(payout());
    expect(exchange.reading?.outcome).toBe('accepted');
    expect(calls).toHaveLength(2);
    expect(calls[1]!.body).toEqual(calls[0]!.body);
    expect(calls[1]!.headers[1]).toEqual(calls[0]!.headers[1]);
    expect((await history.handlers['history.list']({ limit: 10, before: null })).exchanges).toHaveLength(2);
  });

  it.each([
    [
      'the signature was refused',
      '{"code":"400.200","status":"REJECTED","data":null}',
      ['a'.repeat(20), 'b'.repeat(20)],
    ],
    ['the token stays the same', '{"code":"400.001.100","status":"REJECTED"}', [TOKEN]],
  ])('does not send again where %s', async (_name, body, given) => {
    answers = [answer(401, body)];
    tokens = given;
    await sending.send(payout());
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['signing.field_missing', payout({ body: '{"transaction":{}}' })],
    ['signing.not_json', payout({ body: '{"transaction":' })],
    ['signing.not_json', payout({ body: null })],
    ['environments.unknown', payout({ environment: 'x' })],
    ['sending.unresolved', payout({ headers: [['X-A', '{{unknown}}']] })],
    ['sending.unresolved', payout({ headers: [['Authorization', 'Bearer {{token.payot}}']] })],
  ])('refuses with %s before anything is sent or kept', async (code, input) => {
    await expect(sending.send(input)).rejects.toMatchObject({ code });
    expect(calls).toHaveLength(0);
    expect((await history.handlers['history.list']({ limit: 10, before: null })).exchanges).toHaveLength(0);
  });

  it('tells the journey before and after the answer', async () => {
    answers = [answer(201, '{}')];
    await sending.send(payout());
    expect(changed).toEqual([{ references: ['R-1'] }, { references: ['R-1'] }]);
  });
});

it.each([
  ['payout', 'POST', 'payment'],
  ['remittance', 'POST', 'payment'],
  ['collection', 'POST', 'payment'],
  ['status', 'POST', 'none'],
  ['balances', 'GET', 'none'],
  ['other', 'GET', 'none'],
  ['other', 'POST', undefined],
] as const)('tells the client what a %s by %s leaves behind: %s', async (operation, method, aftermath) => {
  answers.push(answer(200, '{}'));
  const body = method === 'GET' ? null : BODY;
  await sending.send(payout({ operation, method, body, headers: [] }));
  expect(calls[0]!.aftermath).toBe(aftermath);
});

it.each([
  ['status', '/tsq/v1/query/payments', true],
  ['token', '/auth/v1/token?x=1', true],
  ['status', '/payments/v1/payouts', undefined],
  ['status', '/payments/v1/payouts?/tsq/v1/query/payments', undefined],
  ['payout', '/tsq/v1/query/payments', undefined],
  ['send_test', '/developer-tools/webhooks/send-test', undefined],
  ['other', '/anything', undefined],
] as const)('lets the client repeat a %s by POST to %s: %s', async (operation, path, isRepeatable) => {
  answers.push(answer(200, '{}'));
  await sending.send(payout({ operation, url: `http://127.0.0.1:4010${path}`, headers: [] }));
  expect(calls[0]!.isRepeatable).toBe(isRepeatable);
});
