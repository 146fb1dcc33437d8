import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MethodInput, MethodName, MethodOutput } from '@shared/contract/contract';
import type { Services } from '../../electron/services/create-services';
import { prepareDataDirectory } from '../../electron/platform/files/data-directory';
import { makeChange } from '../../electron/platform/files/pending-change';
import { openServices, openVault } from '../support/open-services';
import { makeTemporaryFolder } from '../support/temporary';

/** A service that gives tokens and remembers what came. */
interface Service {
  url: string;
  received: { path: string; authorization: string | undefined; body: string }[];
  server: Server;
}

const secret = 'the-consumer-secret';
const body = '{"transaction":{"reference":"R","amount":1,"service_code":"S"},"originator":{"country":"KE"}}';
let folder: string;
let shop: string;
let services: Services;
let mine: Service;
let stranger: Service;

async function startService(name: string): Promise<Service> {
  const received: Service['received'] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        authorization: request.headers.authorization,
        body: text,
      });
      const token = `token-of-${name}-${received.length}`;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, server };
}

const call = <M extends MethodName>(method: M, input: MethodInput<M>): Promise<MethodOutput<M>> =>
  services.router.call(method, input);
const writeShared = (directory: string, environments: Record<string, string>): void =>
  writeFileSync(
    join(directory, 'http-client.env.json'),
    JSON.stringify(
      Object.fromEntries(Object.entries(environments).map(([name, base_url]) => [name, { base_url }])),
    ),
  );
const makeCollection = (name: string, environments: Record<string, string>): string => {
  const directory = join(folder, name);
  mkdirSync(directory);
  writeShared(directory, environments);
  return directory;
};
const keepSecrets = async (environment: string): Promise<void> => {
  await call('credentials.save', { environment, consumerKey: 'ck', consumerSecret: secret });
  await call('keys.generate', { name: `Key of ${environment}`, environment });
};
const ask = (environment: string) =>
  call('lookups.status', { environment, product: 'payout', by: 'payment_uuid', value: '1' });
/** Everything that would send or sign. */
const attempts = (environment: string, url: string): (() => Promise<unknown>)[] => [
  () => ask(environment),
  () => call('balances.fetch', { environment, product: 'payout' }),
  () => call('tokens.fetch', { environment, product: 'payout', isForced: true }),
  () => call('signing.sign', { environment, body }),
  () => call('webhooks.sendTest', { environment, callbackUrl: 'http://127.0.0.1:9/' }),
  () => call('credentials.save', { environment, consumerKey: 'ck2', consumerSecret: 'cs2' }),
  () => call('keys.generate', { name: 'Another', environment }),
  () =>
    call('sending.send', {
      environment,
      operation: 'payout',
      title: 'Pay',
      method: 'POST',
      url: `${url}/payments/v1/payouts`,
      headers: [
        ['Authorization', 'Bearer {{token.payout}}'],
        ['X-Custom-Signature', '{{signature}}'],
      ],
      body,
    }),
];

beforeEach(async () => {
  folder = makeTemporaryFolder('binding');
  [mine, stranger] = await Promise.all([startService('mine'), startService('stranger')]);
  services = openServices(prepareDataDirectory(join(folder, 'data')));
  shop = makeCollection('shop', { staging: mine.url });
});
afterEach(async () => {
  await services.close();
  for (const { server } of [mine, stranger]) server.close();
});

describe('secrets go to the address that they were kept for', () => {
  it('when a pulled http-client.env.json names another: nothing is sent until the user binds them again', async () => {
    const { id } = await call('collections.open', { directory: shop });
    const environment = `${id}/staging`;
    await keepSecrets(environment);
    await ask(environment);
    expect(mine.received.map(({ path }) => path)).toEqual(['/auth/v1/token', expect.any(String)]);
    writeShared(shop, { staging: stranger.url });
    for (const attempt of attempts(environment, stranger.url)) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'environments.address_changed',
        message: expect.stringMatching(`${mine.url}.*${stranger.url}.*Nothing was sent`),
        details: { name: 'staging', from: mine.url, to: stranger.url },
      });
    }
    expect(stranger.received).toEqual([]);
    await expect(call('environments.bindAddress', { id: environment, address: mine.url })).rejects.toThrow();
    await call('environments.bindAddress', { id: environment, address: stranger.url });
    await ask(environment);
    // The token that the first address gave is not for the second.
    expect(stranger.received.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/auth/v1/token', undefined],
      [expect.any(String), 'Bearer token-of-stranger-1'],
    ]);
  });

  it.each([2, 1])(
    'when a backup that is restored names another (settings of version %i)',
    async (version) => {
      const { id } = await call('environments.save', { name: 'uat', kind: 'sandbox', baseUrl: mine.url });
      await keepSecrets(id);
      await services.close();
      // Somebody who got a backup changes what is open in it; the vault in it stays as it is sealed.
      const [data, taken] = [join(folder, 'data'), join(folder, 'taken')];
      cpSync(data, taken, { recursive: true });
      const file = join(taken, 'settings.json');
      const changed = readFileSync(file, 'utf8')
        .replaceAll(mine.url, stranger.url)
        .replace('"version": 2', `"version": ${version}`);
      writeFileSync(file, changed);
      const backup = join(folder, 'b.tar.gz');
      services = openServices(taken);
      await call('data.backup', { file: backup });
      await services.close();
      services = openServices(data);
      const { leftOut } = await call('data.restore', { file: backup });
      await services.close();
      makeChange(data);
      services = openServices(data);
      expect((await call('environments.list', {})).environments.find((one) => one.id === id)?.baseUrl).toBe(
        stranger.url,
      );
      for (const attempt of attempts(id, stranger.url))
        await expect(attempt()).rejects.toMatchObject({ code: 'environments.address_changed' });
      expect(stranger.received).toEqual([]);
      expect(leftOut).toContain('the address that the secrets of uat are bound to');
    },
  );

  it('when a stranger’s collection has an environment of the same name', async () => {
    const own = await call('collections.open', { directory: shop });
    await keepSecrets(`${own.id}/staging`);
    await keepSecrets(
      (await call('environments.save', { name: 'staging', kind: 'sandbox', baseUrl: mine.url })).id,
    );
    await call('keys.generate', { name: 'Bound to none', environment: null });
    const { id } = await call('collections.open', {
      directory: makeCollection('strange', { staging: stranger.url }),
    });
    const [status, balances, token, sign, , , , send] = attempts(`${id}/staging`, stranger.url);
    for (const attempt of [status!, balances!, token!]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'tokens.no_credentials' });
    }
    for (const attempt of [sign!, send!]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'keys.none_for_environment' });
    }
    expect(stranger.received).toEqual([]);
  });

  it('when a collection takes over the name of a production environment that was deleted', async () => {
    const production = { name: 'live', kind: 'production' as const, baseUrl: 'https://live.example' };
    await keepSecrets((await call('environments.save', production)).id);
    await call('environments.delete', { id: 'data/live' });
    const { id } = await call('collections.open', {
      directory: makeCollection('taker', { live: stranger.url }),
    });
    await expect(ask(`${id}/live`)).rejects.toMatchObject({ code: 'tokens.no_credentials' });
    await expect(ask('data/live')).rejects.toMatchObject({ code: 'environments.unknown' });
    // Made anew at another address, it still asks.
    await call('environments.save', { ...production, kind: 'sandbox', baseUrl: stranger.url });
    await expect(ask('data/live')).rejects.toMatchObject({ code: 'environments.address_changed' });
    expect(stranger.received).toEqual([]);
  });

  it('when a former vault named an environment that only a collection defines now', async () => {
    const production = { name: 'live', kind: 'production' as const, baseUrl: 'https://live.example' };
    await call('environments.save', production);
    await call('environments.delete', { id: 'data/live' });
    await services.close();
    const former = openVault(join(folder, 'data'));
    await former.saveCredentials('live', { consumerKey: 'ck', consumerSecret: secret });
    await former.generateKey({ name: 'Live', bits: 2048, environment: 'live' });
    former.close();
    const vault = join(folder, 'data', 'vault.json');
    writeFileSync(vault, readFileSync(vault, 'utf8').replace('"version": 2', '"version": 1'));
    const directory = makeCollection('taker', { live: stranger.url });
    const settings = { collection: { directory }, environments: { active: 'local', data: [] } };
    writeFileSync(join(folder, 'data', 'settings.json'), JSON.stringify(settings));
    services = openServices(join(folder, 'data'));
    const { environments } = await call('environments.list', {});
    const taken = environments.find(({ name }) => name === 'live')!;
    expect(taken).toMatchObject({ hasCredentials: true, addressChange: { from: null, to: stranger.url } });
    await expect(ask(taken.id)).rejects.toMatchObject({ code: 'environments.address_changed' });
    expect(stranger.received).toEqual([]);
  });

  it('when production turns from https into http', async () => {
    const { id } = await call('collections.open', { directory: shop });
    const environment = `${id}/staging`;
    const live = { id: environment, name: 'staging', kind: 'production' as const };
    await call('environments.save', { ...live, baseUrl: mine.url });
    await keepSecrets(environment);
    writeShared(shop, { staging: 'http://pay.example' });
    for (const attempt of attempts(environment, 'http://pay.example')) {
      await expect(attempt()).rejects.toMatchObject({ code: 'environments.insecure' });
    }
  });
});

/** Ways to write an address in `http-client.env.json`; `mine` and `stranger` are `127.0.0.1:PORT`. */
const written: readonly (readonly [what: string, write: (mine: string, stranger: string) => unknown])[] = [
  ['another port', (_mine, stranger) => `http://${stranger}`],
  ['the name of this machine', (mine) => `http://${mine.replace('127.0.0.1', 'localhost')}`],
  ['the same in capitals and with a dot', (mine) => `http://${mine.replace('127.0.0.1', 'LOCALHOST.')}`],
  [
    'an address of IPv6 that means the same',
    (mine) => `http://${mine.replace('127.0.0.1', '[::ffff:127.0.0.1]')}`,
  ],
  ['https for http', (mine) => `https://${mine}`],
  ['another scheme', (mine) => `ws://${mine}`],
  ['the own address as a user', (mine, stranger) => `http://${mine}@${stranger}`],
  ['the own address as a user and password', (mine, stranger) => `http://user:${mine}@${stranger}/`],
  ['the own address behind #', (mine, stranger) => `http://${stranger}#@${mine}`],
  ['the own address behind ?', (mine, stranger) => `http://${stranger}?@${mine}`],
  ['the own address behind a backslash', (mine, stranger) => `http://${stranger}\\@${mine}`],
  ['a tab in the scheme', (_mine, stranger) => `ht\ttp://${stranger}`],
  ['a line end in the host', (_mine, stranger) => `http://${stranger.replace('.', '.\n')}`],
  ['one slash', (_mine, stranger) => `http:/${stranger}`],
  ['no slash', (_mine, stranger) => `http:${stranger}`],
  ['blanks around it', (_mine, stranger) => `  http://${stranger}\u00a0 `],
  ['digits of full width', (_mine, stranger) => `http://${stranger.replace('127.0.0.1', '１２７。0．0.1')}`],
  ['a number', (_mine, stranger) => `http://${stranger.replace('127.0.0.1', '2130706433')}`],
  ['hexadecimal digits', (_mine, stranger) => `http://${stranger.replace('127.0.0.1', '0x7f.1')}`],
  ['a variable', () => '{{elsewhere}}'],
  ['a variable for the host', () => 'http://{{elsewhere_host}}'],
  ['nothing', () => ''],
  ['something else than text', () => ['http://127.0.0.1']],
  ['no address', () => undefined],
];

/** Ways to write the same address. */
const same: readonly (readonly [what: string, write: (mine: string) => string])[] = [
  ['capitals', (mine) => `HTTP://${mine}`],
  ['slashes behind it', (mine) => `http://${mine}//`],
  ['a number', (mine) => `http://${mine.replace('127.0.0.1', '2130706433')}`],
];

describe('an address that was changed by hand in http-client.env.json', () => {
  const rewrite = (base_url: unknown): void => {
    const elsewhere = { elsewhere: stranger.url, elsewhere_host: stranger.url.slice('http://'.length) };
    writeFileSync(
      join(shop, 'http-client.env.json'),
      JSON.stringify({ staging: { base_url, ...elsewhere } }),
    );
  };
  const hostOf = ({ url }: Service): string => url.slice('http://'.length);
  const bind = async (): Promise<string> => {
    const { id } = await call('collections.open', { directory: shop });
    await keepSecrets(`${id}/staging`);
    return `${id}/staging`;
  };

  it('gets nothing, whatever it is', async () => {
    const environment = await bind();
    for (const [what, write] of written) {
      const base = write(hostOf(mine), hostOf(stranger));
      rewrite(base);
      const urls = new Set([stranger.url, '{{base_url}}', typeof base === 'string' ? base : stranger.url]);
      for (const attempt of [...urls].flatMap((url) => attempts(environment, url))) {
        await expect(attempt(), what).rejects.toHaveProperty('code');
      }
      expect([stranger.received, mine.received], what).toEqual([[], []]);
    }
  });

  it('is the same, however it is written', async () => {
    const environment = await bind();
    for (const [what, write] of same) {
      rewrite(write(hostOf(mine)));
      await ask(environment);
      expect(mine.received.splice(0).length, what).toBeGreaterThan(0);
    }
  });
});
