import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EnvironmentSetup } from '@shared/contract/environment-setup';
import { usualSetup } from '@shared/contract/usual-setup';
import { AppError } from '@shared/errors';
import { createEventBus } from '../../platform/event-bus';
import { systemRandom } from '../../platform/node-ports';
import { readGiven } from '../../platform/given';
import type { Given, HttpAnswer, HttpCall } from '../../platform/ports';
import { createVaultService, type VaultService } from '../vault/create-vault-service';
import { createTokensService, type TokensService } from './create-tokens-service';
import { makeTemporaryFolder } from '../../../test/support/temporary';

type GivenSecrets = Pick<Given, 'token' | 'credentials'>;

const NOTHING_GIVEN: GivenSecrets = { token: null, credentials: null };
const START = Date.UTC(2030, 0, 1);
let directory: string;
let address: string;
let setup: EnvironmentSetup;
let now: number;
let vault: VaultService;
let calls: HttpCall[];
let answer: (call: HttpCall) => { status: number; body: unknown; headers?: [string, string][] };

function makeJwt(claims: Record<string, unknown>): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl${calls.length}`;
}

function issue(): { status: number; body: unknown } {
  const token = makeJwt({ sub: 'client', product: 'payout', iat: now / 1000, exp: now / 1000 + 3600 });
  return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 3600 } };
}

async function http(call: HttpCall): Promise<HttpAnswer> {
  calls.push(call);
  const { status, body, headers = [] } = answer(call);
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const timings = {
    queueMs: 0,
    dnsMs: null,
    tlsMs: null,
    connectMs: 0,
    firstByteMs: 0,
    downloadMs: 0,
    totalMs: 0,
  };
  return { httpStatus: status, headers, body: bytes, isCut: false, timings };
}

function openTokens(given: GivenSecrets = NOTHING_GIVEN): TokensService {
  return createTokensService({
    ports: { clock: { now: () => now, monotonicMs: () => now }, random: systemRandom, http, given },
    vault,
    listSessionSecrets: (id) => (id === 'local' ? ['session-hush'] : []),
    async requireBound(id) {
      if (id === 'nowhere') throw new AppError('environments.unknown', 'none');
      return { id, name: id, label: `${id} · here`, baseUrl: id === 'unset' ? '' : address, setup };
    },
  });
}

beforeEach(async () => {
  directory = makeTemporaryFolder('tokens');
  now = START;
  setup = usualSetup;
  address = 'http://127.0.0.1:4010/';
  calls = [];
  answer = issue;
  vault = createVaultService({
    ports: {
      clock: { now: () => now, monotonicMs: () => now },
      random: systemRandom,
      logger: { log: () => undefined },
      dataDirectory: directory,
      osKeychain: null,
      host: 'cli',
    },
    events: createEventBus(),
    passphrase: null,
  });
  await vault.saveCredentials('local', { consumerKey: 'ck-1', consumerSecret: 'cs-hush-1' });
});
afterEach(() => {
  vault.close();
});

describe('getBearer', () => {
  it('asks the service as assumption A1 says', async () => {
    await openTokens().getBearer('local', 'payout');
    expect(calls[0]).toMatchObject({ method: 'POST', url: 'http://127.0.0.1:4010/auth/v1/token' });
    expect(JSON.parse(Buffer.from(calls[0]!.body!).toString())).toEqual({
      consumer_key: 'ck-1',
      consumer_secret: 'cs-hush-1',
      product: 'payout',
    });
  });

  it('lists what the service was given of this environment, so that it is masked where it comes back', async () => {
    const variables = new Map([['api_key', 'ak-hush']]);
    await vault.variables.keep('local', variables);
    await vault.connections.keep('local', new Map([['proxyPassword', 'proxy-hush']]));
    await vault.variables.keep('other', new Map([['api_key', 'ak-of-another']]));
    const [payout, remittance] = [
      await openTokens().getBearer('local', 'payout'),
      await openTokens().getBearer('local', 'remittance'),
    ];
    expect(await openTokens().listKnownSecrets('local')).toEqual([
      'session-hush',
      'cs-hush-1',
      payout,
      remittance,
      'ak-hush',
      'proxy-hush',
    ]);
    expect(await openTokens().listKnownSecrets('nowhere')).toEqual([]);
  });

  it('lists what a run was given, and the tokens that it got', async () => {
    const credentials = { consumerKey: 'given', consumerSecret: 'given-secret' };
    const byCredentials = openTokens({ token: null, credentials });
    const token = await byCredentials.getBearer('elsewhere', 'payout');
    expect(await byCredentials.listKnownSecrets('elsewhere')).toEqual(['given-secret', token]);
    expect(await byCredentials.listKnownSecrets('nowhere')).toEqual(['given-secret']);
    expect(await openTokens({ token: 't', credentials }).listKnownSecrets('nowhere')).toEqual([
      't',
      'given-secret',
    ]);
  });

  it('lists nothing of a vault that is locked, and does not fail for it', async () => {
    const { handlers } = vault;
    await handlers['vault.setPassphrase']({ current: null, next: 'a passphrase of many words' });
    await handlers['vault.lock']({});
    expect(await openTokens().listKnownSecrets('local')).toEqual(['session-hush']);
  });

  it('keeps a token until shortly before its end, over a restart too, and fetches anew then', async () => {
    const first = await openTokens().getBearer('local', 'payout');
    now += 3_500_000;
    expect(await openTokens().getBearer('local', 'payout')).toBe(first);
    expect(calls).toHaveLength(1);
    now += 75_000;
    expect(await openTokens().getBearer('local', 'payout')).not.toBe(first);
    expect(calls).toHaveLength(2);
  });

  it('keeps one token for each product', async () => {
    const tokens = openTokens();
    await tokens.getBearer('local', 'payout');
    await tokens.getBearer('local', 'remittance');
    await tokens.getBearer('local', 'payout');
    expect(calls).toHaveLength(2);
    expect((await tokens.handlers['tokens.list']({})).tokens.map(({ product }) => product)).toEqual([
      'payout',
      'remittance',
    ]);
  });

  it('sends one request for callers that come together', async () => {
    const tokens = openTokens();
    const got = await Promise.all(Array.from({ length: 20 }, () => tokens.getBearer('local', 'payout')));
    expect(new Set(got).size).toBe(1);
    expect(calls).toHaveLength(1);
  });

  it('gives callers that come together for different products a token of their own each', async () => {
    const tokens = openTokens();
    const wanted = ['payout', 'remittance', 'collection', 'payout'] as const;
    const got = await Promise.all(wanted.map((product) => tokens.getBearer('local', product)));
    expect(calls).toHaveLength(3);
    expect(got[3]).toBe(got[0]);
    expect(new Set(got).size).toBe(3);
    const asked = calls.map(
      ({ body }) => (JSON.parse(Buffer.from(body!).toString()) as { product: string }).product,
    );
    expect(asked.sort()).toEqual(['collection', 'payout', 'remittance']);
    for (const [index, product] of wanted.entries()) {
      expect(await tokens.getBearer('local', product), product).toBe(got[index]);
    }
    expect(calls).toHaveLength(3);
  });

  it('fetches again after a failure, for everyone who waited', async () => {
    const tokens = openTokens();
    answer = () => ({ status: 500, body: '' });
    const failed = await Promise.allSettled([
      tokens.getBearer('local', 'payout'),
      tokens.getBearer('local', 'payout'),
    ]);
    expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
    answer = issue;
    expect(await tokens.getBearer('local', 'payout')).toMatch(/^eyJ/);
  });

  it('counts the life of a token from its receipt, whatever the service’s clock says', async () => {
    const tokens = openTokens();
    answer = () => ({ status: 200, body: { access_token: makeJwt({ iat: 1000, exp: 1600 }) } });
    const { expiresAt } = await tokens.handlers['tokens.fetch']({
      environment: 'local',
      product: 'payout',
      isForced: true,
    });
    expect(expiresAt).toBe(START + 600_000);
  });

  it('fetches anew when forced, or when the token was forgotten', async () => {
    const tokens = openTokens();
    await tokens.getBearer('local', 'payout');
    await tokens.getBearer('local', 'payout', { isForced: true });
    expect(calls).toHaveLength(2);
    await tokens.forget('local', 'payout');
    expect((await tokens.handlers['tokens.list']({})).tokens).toEqual([]);
    await tokens.getBearer('local', 'payout');
    expect(calls).toHaveLength(3);
  });
});

describe('a token that cannot be had', () => {
  const refusals: readonly (readonly [string, number, unknown, string])[] = [
    [
      'wrong credentials',
      401,
      { code: '400.200', status: 'REJECTED', description: 'Failed authentication' },
      'tokens.refused',
    ],
    ['a refused product', 403, { code: '403.300' }, 'tokens.refused'],
    ['a bad request', 400, { error: 'bad', message: 'no product' }, 'tokens.refused'],
    ['too many requests', 429, '', 'tokens.unavailable'],
    ['a failing service', 503, '<html>', 'tokens.unavailable'],
    ['a web page', 200, '<html>welcome</html>', 'tokens.bad_answer'],
    ['no token', 200, { token_type: 'Bearer' }, 'tokens.bad_answer'],
    ['a token that no header can carry', 200, { access_token: 'a\r\nX: y' }, 'tokens.bad_answer'],
    ['a redirect', 302, { access_token: 'abc' }, 'tokens.bad_answer'],
    ['another product', 200, { access_token: 'abc', product: 'payout' }, 'tokens.bad_answer'],
  ];
  it.each(refusals)('is told by its code: %s', async (_name, status, body, code) => {
    answer = () => ({ status, body });
    await expect(openTokens().getBearer('local', 'remittance')).rejects.toMatchObject({ code });
    expect((await openTokens().handlers['tokens.list']({})).tokens).toEqual([]);
  });

  it('repeats what the service said, without the secrets in it', async () => {
    answer = () => ({
      status: 401,
      body: { code: `400.200 ${'x'.repeat(287)} cs-hush-1`, description: 'bad secret cs-hush-1 for ck-1' },
    });
    const error: unknown = await openTokens()
      .getBearer('local', 'payout')
      .catch((caught: unknown) => caught);
    expect((error as AppError).message).toContain(': bad secret •••••••• for ••••••••)');
    expect(JSON.stringify([(error as AppError).message, (error as AppError).details])).not.toContain('cs-h');
  });

  it('says what is missing: credentials, address, environment', async () => {
    const tokens = openTokens();
    await expect(tokens.getBearer('other', 'payout')).rejects.toMatchObject({
      code: 'tokens.no_credentials',
      message: expect.stringContaining('Keys and tokens') as string,
    });
    await expect(tokens.getBearer('run/command line', 'payout')).rejects.toMatchObject({
      code: 'tokens.no_credentials',
      message:
        'No consumer key and secret are known for this address. Set COUNTERSIGN_CONSUMER_KEY and COUNTERSIGN_CONSUMER_SECRET.',
    });
    await expect(tokens.getBearer('nowhere', 'payout')).rejects.toMatchObject({
      code: 'environments.unknown',
    });
    await vault.saveCredentials('unset', { consumerKey: 'a', consumerSecret: 'b' });
    await expect(tokens.getBearer('unset', 'payout')).rejects.toMatchObject({ code: 'tokens.no_address' });
    expect(calls).toEqual([]);
  });

  it('stays behind the lock of the vault', async () => {
    const tokens = openTokens();
    await tokens.getBearer('local', 'payout');
    await vault.handlers['vault.lock']({});
    await expect(tokens.getBearer('local', 'payout')).rejects.toMatchObject({ code: 'vault.locked' });
    await expect(tokens.handlers['tokens.list']({})).rejects.toMatchObject({ code: 'vault.locked' });
    await expect(
      tokens.handlers['tokens.reveal']({ environment: 'local', product: 'payout' }),
    ).rejects.toMatchObject({
      code: 'vault.locked',
    });
  });
});

describe('the view of a token', () => {
  it('decodes header and claims and shows the ends alone', async () => {
    const tokens = openTokens();
    const shown = await tokens.handlers['tokens.fetch']({
      environment: 'local',
      product: 'payout',
      isForced: false,
    });
    expect(shown).toMatchObject({
      environment: 'local',
      product: 'payout',
      header: { alg: 'RS256' },
      claims: { sub: 'client' },
      issuedAt: START,
      expiresAt: START + 3_600_000,
    });
    expect(shown.masked).toMatch(/^eyJh….{4}$/);
    const { token, hideAfterMs } = await tokens.handlers['tokens.reveal']({
      environment: 'local',
      product: 'payout',
    });
    expect(token).toBe(await tokens.getBearer('local', 'payout'));
    expect(hideAfterMs).toBe(10_000);
    expect(JSON.stringify(shown)).not.toContain(token);
  });

  it('copes with tokens that are no JWT', async () => {
    answer = () => ({ status: 200, body: { access_token: 'opaque-token-value', expires_in: '60' } });
    const shown = await openTokens().handlers['tokens.fetch']({
      environment: 'local',
      product: 'payout',
      isForced: false,
    });
    expect(shown).toMatchObject({ header: {}, claims: {}, expiresAt: START + 60_000 });
  });

  it('says that there is none to reveal', async () => {
    const reveal = openTokens().handlers['tokens.reveal'];
    await expect(reveal({ environment: 'local', product: 'payout' })).rejects.toMatchObject({
      code: 'tokens.none',
    });
  });

  it('is nowhere in the vault’s file in the open', async () => {
    const token = await openTokens().getBearer('local', 'payout');
    const text = readFileSync(join(directory, 'vault.json'), 'utf8');
    expect(text).toContain('"product":"payout"');
    for (const part of [token, ...token.split('.')]) expect(text).not.toContain(part);
  });
});

describe('secrets given by environment variables', () => {
  it('are read, and ignored by halves', () => {
    const both = { COUNTERSIGN_CONSUMER_KEY: 'k', COUNTERSIGN_CONSUMER_SECRET: 's' };
    expect(readGiven(both)).toMatchObject({
      token: null,
      credentials: { consumerKey: 'k', consumerSecret: 's' },
    });
    expect(readGiven({ COUNTERSIGN_CONSUMER_KEY: 'k', COUNTERSIGN_TOKEN: 't' })).toMatchObject({
      token: 't',
      credentials: null,
    });
  });

  it('are used before those of the vault, and leave nothing in it', async () => {
    const before = readFileSync(join(directory, 'vault.json'), 'utf8');
    const tokens = openTokens({
      token: null,
      credentials: { consumerKey: 'given', consumerSecret: 'given-secret' },
    });
    const first = await tokens.getBearer('local', 'payout');
    expect(await tokens.getBearer('local', 'payout')).toBe(first);
    expect(Buffer.from(calls[0]!.body!).toString()).toContain('given-secret');
    expect(await tokens.getBearer('local', 'collection')).not.toBe(first);
    expect(await tokens.getBearer('staging', 'payout')).not.toBe(first);
    expect(await tokens.getBearer('local', 'payout')).toBe(first);
    expect(calls).toHaveLength(3);
    expect(readFileSync(join(directory, 'vault.json'), 'utf8')).toBe(before);
  });

  it('are named where the service refuses them: the vault has nothing to do with it', async () => {
    answer = () => ({ status: 401, body: { code: '400.200' } });
    const tokens = openTokens({
      token: null,
      credentials: { consumerKey: 'given', consumerSecret: 'given-secret' },
    });
    const said = tokens.getBearer('local', 'payout');
    await expect(said).rejects.toThrow(/of COUNTERSIGN_CONSUMER_KEY and COUNTERSIGN_CONSUMER_SECRET for/);
    await expect(said).rejects.not.toThrow('Keys and tokens');
  });

  it('a whole token is used as it is, without any call', async () => {
    const tokens = openTokens({ token: 'given-token', credentials: null });
    expect(await tokens.getBearer('local', 'payout')).toBe('given-token');
    expect(calls).toEqual([]);
  });
});

describe('a kept token', () => {
  it('never goes to another address than it came from', async () => {
    const tokens = openTokens();
    const first = await tokens.getBearer('local', 'payout');
    address = 'http://127.0.0.1:4011/';
    expect(await tokens.getBearer('local', 'payout')).not.toBe(first);
    address = 'https://127.0.0.1:4011/';
    await tokens.getBearer('local', 'payout');
    expect(calls.map(({ url }) => new URL(url).origin)).toEqual([
      'http://127.0.0.1:4010',
      'http://127.0.0.1:4011',
      'https://127.0.0.1:4011',
    ]);
    // A path below the same address is the same service.
    address = 'https://127.0.0.1:4011/v2';
    await tokens.getBearer('local', 'payout');
    expect(calls).toHaveLength(3);
  });

  it('is good with the credentials that got it alone, over a restart too', async () => {
    const first = await openTokens().getBearer('local', 'payout');
    expect(await openTokens().getBearer('local', 'payout')).toBe(first);
    await vault.saveCredentials('local', { consumerKey: 'ck-2', consumerSecret: 'cs-hush-2' });
    expect(await openTokens().getBearer('local', 'payout')).not.toBe(first);
    expect(readFileSync(join(directory, 'vault.json'), 'utf8')).not.toMatch(/ck-2|hush/);
  });

  it('of credentials given from outside stays with them as well', async () => {
    const tokens = openTokens({ token: null, credentials: { consumerKey: 'a', consumerSecret: 'b' } });
    const first = await tokens.getBearer('local', 'payout');
    address = 'http://127.0.0.1:4011/';
    expect(await tokens.getBearer('local', 'payout')).not.toBe(first);
  });
});

describe('when a kept token is fetched anew', () => {
  const fetchAt = async (body: object, elapsed: readonly number[]): Promise<number[]> => {
    answer = () => ({ status: 200, body: { access_token: `opaque-${calls.length}`, ...body } });
    const tokens = openTokens();
    await tokens.getBearer('local', 'payout');
    const counts: number[] = [];
    for (const ms of elapsed) {
      now = START + ms;
      await tokens.getBearer('local', 'payout');
      counts.push(calls.length);
    }
    return counts;
  };

  it.each([
    ['half a minute before its end', { expires_in: 3600 }, [3_569_999, 3_570_000], [1, 2]],
    ['at nine tenths of a short life', { expires_in: 100 }, [89_999, 90_000], [1, 2]],
    ['after five minutes where nothing says its end', {}, [269_999, 270_000], [1, 2]],
    [
      'where the clock was set back by more than half a minute',
      { expires_in: 3600 },
      [-30_000, -30_001],
      [1, 2],
    ],
  ])('is %s', async (_name, body, elapsed, counts) => {
    expect(await fetchAt(body, elapsed)).toEqual(counts);
  });

  it.each([
    ['reads its answer', { expiresInUnit: 'milliseconds' }],
    ['asks for it', { requestNames: { ...usualSetup.profile.requestNames, product: 'scope' } }],
  ] as const)('is once another profile %s', async (_name, change) => {
    expect(await fetchAt({ expires_in: 3600 }, [1])).toEqual([1]);
    setup = { ...usualSetup, profile: { ...usualSetup.profile, ...change } };
    await openTokens().getBearer('local', 'payout');
    expect(calls).toHaveLength(2);
  });
});

describe('what is kept of tokens', () => {
  const products = async (tokens: TokensService): Promise<string[]> =>
    (await tokens.handlers['tokens.list']({})).tokens.map((one) => `${one.environment} ${one.product}`);
  const records = (): { kind: string; environment: string }[] =>
    (
      JSON.parse(readFileSync(join(directory, 'vault.json'), 'utf8')) as {
        records: { kind: string; environment: string }[];
      }
    ).records;

  it.each([
    ['sealed', NOTHING_GIVEN],
    ['in memory', { token: null, credentials: { consumerKey: 'a', consumerSecret: 'b' } }],
  ])('is listed and forgotten one by one, %s', async (_name, given) => {
    const tokens = openTokens(given);
    await vault.saveCredentials('other', { consumerKey: 'x', consumerSecret: 'y' });
    for (const [environment, product] of [
      ['local', 'payout'],
      ['local', 'remittance'],
      ['other', 'payout'],
    ] as const)
      await tokens.getBearer(environment, product);
    expect(await products(tokens)).toEqual(['local payout', 'local remittance', 'other payout']);
    expect(await tokens.handlers['tokens.forget']({ environment: 'local', product: 'payout' })).toEqual({});
    expect(await products(tokens)).toEqual(['local remittance', 'other payout']);
    await tokens.forget('nowhere', 'payout');
    expect(await products(tokens)).toEqual(['local remittance', 'other payout']);
  });

  it('is one record for each environment and product, however often they are fetched', async () => {
    const tokens = openTokens();
    for (let run = 0; run < 3; run += 1) await tokens.getBearer('local', 'payout', { isForced: true });
    expect(records().filter(({ kind }) => kind === 'token')).toHaveLength(1);
    expect(records().filter(({ kind }) => kind === 'credentials')).toHaveLength(1);
    expect(await openTokens().getBearer('local', 'payout')).toBe(await tokens.getBearer('local', 'payout'));
    expect(calls).toHaveLength(3);
  });

  it('gives credentials without a product only where all products have the same', async () => {
    const shared = await openTokens().readCredentials('local', null);
    expect(shared).toEqual(await openTokens().readCredentials('local', 'collection'));
    setup = { ...usualSetup, profile: { ...usualSetup.profile, credentials: 'per_product' } };
    expect(await openTokens().readCredentials('local', null)).toBeNull();
  });

  it('asks with the credentials of each product where the service has them so', async () => {
    setup = { ...usualSetup, profile: { ...usualSetup.profile, credentials: 'per_product' } };
    await expect(openTokens().getBearer('local', 'payout')).rejects.toMatchObject({
      code: 'tokens.no_credentials',
      message: expect.stringContaining("saved for the product payout of 'local · here'") as string,
      details: { environment: 'local' },
    });
  });
});
