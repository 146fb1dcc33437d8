import { describe, expect, it } from 'vitest';
import type { EnvironmentSetup, ServiceProfile } from '@shared/contract/environment-setup';
import { usualProfile, usualSetup } from '@shared/contract/usual-setup';
import type { AppError } from '@shared/errors';
import type { HttpAnswer, HttpCall } from '../../platform/ports';
import { fetchToken, type FetchedToken, type TokenRequest } from './token-endpoint';

const NOW = 1_900_000_000_000;
const timings = {
  queueMs: 0,
  dnsMs: null,
  tlsMs: null,
  connectMs: 0,
  firstByteMs: 0,
  downloadMs: 0,
  totalMs: 0,
};

interface Service {
  status?: number;
  body?: unknown;
  headers?: [string, string][];
  isCut?: boolean;
  profile?: Partial<ServiceProfile>;
  baseUrl?: string;
  areGiven?: boolean;
}

/** Asks a service that answers so; gives the token, and what was sent. */
async function ask(service: Service): Promise<{ fetched: FetchedToken; call: HttpCall }> {
  const {
    status = 200,
    body = {},
    headers = [],
    isCut = false,
    profile = {},
    baseUrl = 'https://pay.example',
  } = service;
  const setup: EnvironmentSetup = { ...usualSetup, profile: { ...usualProfile, ...profile } };
  const request: TokenRequest = {
    environment: {
      id: 'data/live',
      name: 'live',
      label: 'live',
      baseUrl,
      setup,
    } as unknown as TokenRequest['environment'],
    product: 'payout',
    credentials: { consumerKey: 'the-key-1', consumerSecret: 'the-secret-1' },
    timeoutMs: 1234,
    ...(service.areGiven !== undefined && { areGiven: service.areGiven }),
  };
  const calls: HttpCall[] = [];
  const http = (call: HttpCall): Promise<HttpAnswer> => {
    calls.push(call);
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    return Promise.resolve({ httpStatus: status, headers, body: bytes, isCut, timings });
  };
  const fetched = await fetchToken(request, http, { now: () => NOW, monotonicMs: () => 0 }).catch(
    (error: unknown) => {
      throw Object.assign(error as Error, { sent: calls.length });
    },
  );
  return { fetched, call: calls[0]! };
}

const failure = async (service: Service): Promise<AppError & { sent: number }> => {
  try {
    await ask(service);
  } catch (error) {
    return error as AppError & { sent: number };
  }
  throw new Error('It gave a token.');
};
const expiry = async (body: object, profile: Partial<ServiceProfile> = {}): Promise<number | null> =>
  (await ask({ body: { access_token: 'abc', ...body }, profile })).fetched.expiresAt;
const jwt = (claims: object): string =>
  ['{"alg":"none"}', JSON.stringify(claims)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.') + '.x';

describe('what is sent', () => {
  it('is JSON, to the token path of the environment', async () => {
    const { call } = await ask({ body: { access_token: 'abc' }, baseUrl: 'https://pay.example/v1//' });
    expect(call).toMatchObject({
      method: 'POST',
      url: 'https://pay.example/v1/auth/v1/token',
      headers: [
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
      ],
      timeoutMs: 1234,
      maxResponseBytes: 65_536,
    });
  });

  it('has the names of the service profile, and no product where it names none', async () => {
    const requestNames = { consumerKey: 'id', consumerSecret: 'word', product: '' };
    const { call } = await ask({ body: { access_token: 'abc' }, profile: { requestNames } });
    expect(JSON.parse(Buffer.from(call.body!).toString())).toEqual({ id: 'the-key-1', word: 'the-secret-1' });
  });

  it.each(['@evil.example/token', '.evil.example/token', ':8443/token'])(
    'goes nowhere where the token path is %s: it leads away from the host',
    async (tokenPath) => {
      expect(await failure({ profile: { tokenPath } })).toMatchObject({
        code: 'tokens.no_address',
        message: expect.stringContaining("of 'live' leads away from its host. Nothing was sent.") as string,
        details: { environment: 'data/live' },
        sent: 0,
      });
    },
  );
});

describe('how long a token lasts', () => {
  it.each([
    ['seconds', { expires_in: 60 }, NOW + 60_000],
    ['seconds as text', { expires_in: '60' }, NOW + 60_000],
    ['no time', { expires_in: 0 }, null],
    ['less than none', { expires_in: -5 }, null],
    ['no number', { expires_in: 'soon' }, null],
    ['a list', { expires_in: [60] }, null],
    ['true', { expires_in: true }, null],
    ['nothing', {}, null],
    ['the last moment of the calendar', { expires_in: (8.64e15 - NOW) / 1000 }, 8.64e15],
    ['a time beyond it', { expires_in: 8.64e15 }, null],
    ['a time that no number holds in milliseconds', { expires_in: 1e308 }, null],
    ['a text as long', { expires_in: '1e300' }, null],
  ])('is read from %s', async (_name, body, end) => {
    expect(await expiry(body)).toBe(end);
  });

  it('is read in the unit of the service profile, by its name or path', async () => {
    expect(await expiry({ expires_in: 60 }, { expiresInUnit: 'milliseconds' })).toBe(NOW + 60);
    const answerNames = { accessToken: 'access_token', expiresIn: 'life.left' };
    expect(await expiry({ life: { left: 7 } }, { answerNames })).toBe(NOW + 7000);
    expect(await expiry({ 'life.left': 8, life: { left: 7 } }, { answerNames })).toBe(NOW + 8000);
    for (const life of [null, 7, 'left', undefined])
      expect(await expiry({ life }, { answerNames })).toBeNull();
    const unnamed = { accessToken: 'access_token', expiresIn: '' };
    expect(await expiry({ '': 60 }, { answerNames: unnamed })).toBeNull();
    const inherited = { accessToken: 'access_token', expiresIn: 'constructor.length' };
    expect(await expiry({}, { answerNames: inherited })).toBeNull();
  });

  it('is read from the token itself, else', async () => {
    expect(await expiry({ access_token: jwt({ exp: 5000, iat: 4000 }) })).toBe(NOW + 1_000_000);
    expect(await expiry({ access_token: jwt({ exp: 5000 }) })).toBe(5_000_000);
    expect(await expiry({ access_token: jwt({ iat: 4000 }) })).toBeNull();
    expect(await expiry({ access_token: jwt({ exp: 'x', iat: 4000 }) })).toBeNull();
    expect(await expiry({ expires_in: 1e308, access_token: jwt({ exp: 5000 }) })).toBe(5_000_000);
    for (const exp of [1e300, -1e300, 1e13])
      expect(await expiry({ access_token: jwt({ exp }) }), String(exp)).toBeNull();
    expect(await expiry({ access_token: jwt({ exp: 8.64e12, iat: -8.64e12 }) })).toBeNull();
  });
});

describe('where no token comes', () => {
  it('says what the service said, and where to look', async () => {
    const refused = await failure({ status: 401, body: { code: 'E1', message: 'no the-secret-1' } });
    expect(refused).toMatchObject({
      code: 'tokens.refused',
      message:
        "The service refused the consumer key and secret of 'live' for payout (E1: no ••••••••). Check them in Keys and tokens, and that the account has this product.",
      details: { httpStatus: 401, environment: 'data/live', product: 'payout', code: 'E1' },
    });
    expect((await failure({ status: 400, body: { code: '', description: 'Bad' } })).message).toContain(
      'for payout (Bad). Check',
    );
    for (const body of ['<html>', 'null', '7', '[]', '"x"', {}])
      expect((await failure({ status: 403, body })).message).toContain('for payout. Check them');
    expect((await failure({ status: 403, areGiven: true })).message).toContain(
      'of COUNTERSIGN_CONSUMER_KEY and COUNTERSIGN_CONSUMER_SECRET for payout. Check them (they go before',
    );
  });

  it('says when to try again', async () => {
    expect(await failure({ status: 500 })).toMatchObject({
      code: 'tokens.unavailable',
      message: 'The service could not issue a token now (HTTP 500). Try again in a moment.',
      retryable: true,
      details: { httpStatus: 500, environment: 'data/live', product: 'payout', retryAfter: null },
    });
    const date: [string, string] = ['Date', 'Wed, 21 Oct 2026 07:27:00 GMT'];
    const limit = (value: string, more: [string, string][] = [date]) =>
      failure({ status: 429, headers: [['X', '1'], ['RETRY-after', value], ...more] });
    const limited = await limit('7'.repeat(50));
    expect(limited.message).toContain(`Try again in ${'7'.repeat(40)} s.`);
    expect(limited.details).toMatchObject({
      retryAfter: '7'.repeat(50),
      date: 'Wed, 21 Oct 2026 07:27:00 GMT',
    });
    // By the service's clock, which need not be that of this machine.
    const at = 'Wed, 21 Oct 2026 07:28:00 GMT';
    expect((await limit(at)).message).toContain('Try again in 60 s.');
    expect((await limit(at, [])).message).toContain(`Try again at ${at}.`);
    expect((await limit('soon')).message).toContain('Try again in a moment.');
  });

  it('says what is wrong with the answer', async () => {
    for (const [status, body, why] of [
      [300, { access_token: 'abc' }, 'a redirect, which is not followed'],
      [200, { access_token: 7 }, 'access_token is no text'],
      [200, { access_token: '' }, 'access_token is empty'],
      [200, { access_token: 'a\r\nb' }, 'access_token has characters that no token may have'],
      [200, { access_token: null }, 'no access_token'],
      [200, {}, 'no access_token'],
      [200, 'null', 'no access_token'],
    ] as const) {
      expect(await failure({ status, body })).toMatchObject({
        code: 'tokens.bad_answer',
        message: expect.stringContaining(`(HTTP ${status}, ${why})`) as string,
        details: { httpStatus: status, environment: 'data/live', product: 'payout' },
      });
    }
    expect((await failure({ body: '{', isCut: true })).message).not.toContain('no access_token');
    const other = await failure({ body: { access_token: 'abc', product: 'REMITTANCE' } });
    expect(other).toMatchObject({
      code: 'tokens.bad_answer',
      message: expect.stringContaining(`a token for 'remittance' where 'payout' was`) as string,
      details: { product: 'payout' },
    });
    // Words of the service's own for the products tell nothing.
    for (const product of ['payout', 'Payout', 'DISBURSEMENTS'])
      expect((await ask({ body: { access_token: 'abc', product } })).fetched.token).toBe('abc');
    expect((await ask({ status: 299, body: { access_token: 'abc', product: 7 } })).fetched.token).toBe('abc');
  });
});
