import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EnvironmentSetup } from '@shared/contract/environment-setup';
import { usualSetup } from '@shared/contract/usual-setup';
import { makeAuthority } from '../../../test/support/certificates';
import { openServices } from '../../../test/support/open-services';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import type { Services } from '../create-services';

const authority = makeAuthority('Service CA');
const client = authority.issue('client', { passphrase: 'open sesame' });
const id = 'data/uat';

let directory: string;
let services: Services;
let seen: { path: string; body: string; subject: string | null; authorization: string | null }[];
const opened: Server[] = [];

beforeEach(() => {
  directory = makeTemporaryFolder('setups');
  services = openServices(directory);
  seen = [];
});
afterEach(async () => {
  await services.close();
  for (const server of opened.splice(0)) server.close();
});

async function listen<S extends Server>(server: S): Promise<number> {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** A service that takes no connection without a certificate of its CA, and has words of its own for the token call. */
async function serveService(): Promise<string> {
  const { certificate, key } = authority.issue('localhost');
  const server = createTlsServer(
    { cert: certificate, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const peer = (request.socket as TLSSocket).getPeerCertificate();
      void readAll(request).then((body) => {
        seen.push({
          path: request.url ?? '',
          body,
          subject: peer.subject?.CN?.toString() ?? null,
          authorization: request.headers.authorization ?? null,
        });
        const isToken = request.url === '/oauth2/token';
        const product = isToken ? (JSON.parse(body) as { scope: string }).scope : '';
        response.end(JSON.stringify(isToken ? { data: { jwt: `token-of-${product}`, ttl: 60_000 } } : {}));
      });
    },
  );
  return `https://localhost:${await listen(server)}`;
}

async function serveProxy(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization']}`);
    const onward = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward])
      end.on('error', () => void [socket, onward].map((one) => one.destroy()));
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}

const add = (baseUrl: string, kind: 'sandbox' | 'production' = 'sandbox') =>
  services.router.call('environments.save', { name: 'uat', kind, baseUrl });
const setUp = (setup: Partial<EnvironmentSetup>, secrets = {}) =>
  services.router.call('environments.setUp', { id, setup: { ...usualSetup, ...setup }, secrets });
const send = (url: string, environment = id) =>
  services.router.call('sending.send', {
    environment,
    operation: 'other',
    title: 'x',
    method: 'GET',
    url,
    headers: [['Authorization', 'Bearer {{token.payout}}']],
    body: null,
  });

const profile: EnvironmentSetup['profile'] = {
  ...usualSetup.profile,
  tokenPath: '/oauth2/token',
  requestNames: { consumerKey: 'client_id', consumerSecret: 'client_secret', product: 'scope' },
  answerNames: { accessToken: 'data.jwt', expiresIn: 'data.ttl' },
  expiresInUnit: 'milliseconds',
  credentials: 'per_product',
};

describe('the setup of an environment', () => {
  it('is what tokens and requests go by: proxy, issuer, client certificate and the words of the token call', async () => {
    const baseUrl = await serveService();
    const proxy = await serveProxy();
    await add(baseUrl);
    const { certificate, key } = client;
    const saved = await setUp(
      {
        proxyUrl: proxy.url,
        proxyUser: 'ann',
        ca: authority.certificate,
        clientCertificate: certificate,
        profile,
      },
      { proxyPassword: 'hush-proxy', clientKey: key, clientKeyPassphrase: 'open sesame' },
    );
    expect(saved.sealedParts.toSorted()).toEqual(['clientKey', 'clientKeyPassphrase', 'proxyPassword']);
    await services.router.call('credentials.save', {
      environment: id,
      product: 'payout',
      consumerKey: 'ck-payout',
      consumerSecret: 'cs-payout',
    });
    const { response, error } = await send(`${baseUrl}/payments`);
    expect(error).toBeNull();
    expect(response?.httpStatus).toBe(200);
    expect(seen).toEqual([
      {
        path: '/oauth2/token',
        body: '{"client_id":"ck-payout","client_secret":"cs-payout","scope":"payout"}',
        subject: 'client',
        authorization: null,
      },
      { path: '/payments', body: '', subject: 'client', authorization: 'Bearer token-of-payout' },
    ]);
    const sign = `Basic ${Buffer.from('ann:hush-proxy').toString('base64')}`;
    expect(new Set(proxy.asked)).toEqual(new Set([`${new URL(baseUrl).host} ${sign}`]));
    const { tokens } = await services.router.call('tokens.list', {});
    expect(tokens.map(({ issuedAt, expiresAt }) => expiresAt! - issuedAt!)).toEqual([60_000]);
    // Another product has no credentials of its own, and takes none of another's.
    await expect(
      services.router.call('tokens.fetch', { environment: id, product: 'remittance' }),
    ).rejects.toMatchObject({
      code: 'tokens.no_credentials',
      message: expect.stringContaining('remittance'),
    });
    const onDisk = ['settings.json', 'vault.json']
      .map((file) => readFileSync(join(directory, file), 'utf8'))
      .join();
    for (const secret of ['hush-proxy', 'open sesame', 'PRIVATE KEY']) expect(onDisk).not.toContain(secret);
  });

  it('goes with a new name, and leaves nothing behind where it is taken back or deleted', async () => {
    await add('https://uat.example.test');
    const { certificate, key } = client;
    await setUp({ clientCertificate: certificate }, { clientKey: key, clientKeyPassphrase: 'open sesame' });
    const renamed = await services.router.call('environments.save', {
      id,
      name: 'stage',
      kind: 'sandbox',
      baseUrl: 'https://uat.example.test',
    });
    expect(renamed).toMatchObject({
      setup: { clientCertificate: expect.stringContaining('BEGIN CERTIFICATE') },
      sealedParts: ['clientKey', 'clientKeyPassphrase'],
    });
    const cleared = await services.router.call('environments.setUp', { id: 'data/stage', setup: usualSetup });
    expect(cleared.sealedParts).toEqual([]);
    await services.router.call('environments.delete', { id: 'data/stage' });
    await add('https://uat.example.test');
    const { environments } = await services.router.call('environments.list', {});
    expect(environments.find((one) => one.id === id)).toMatchObject({ setup: usualSetup, sealedParts: [] });
  });

  it('shows its certificate, and trusts its issuer, at its own address alone', async () => {
    const baseUrl = await serveService();
    await add('https://uat.example.test');
    const { certificate, key } = client;
    await setUp(
      { ca: authority.certificate, clientCertificate: certificate },
      { clientKey: key, clientKeyPassphrase: 'open sesame' },
    );
    const exchange = await services.router.call('sending.send', {
      environment: id,
      operation: 'other',
      title: 'x',
      method: 'GET',
      url: baseUrl,
      headers: [],
      body: null,
    });
    expect(exchange.error?.code).toBe('sending.tls');
    expect(seen).toEqual([]);
  });

  it('is bound to the address: another one gets neither proxy password nor client key', async () => {
    const proxy = await serveProxy();
    await add('https://uat.example.test');
    await setUp({ proxyUrl: proxy.url, proxyUser: 'ann' }, { proxyPassword: 'hush' });
    await services.router.call('environments.save', {
      id,
      name: 'uat',
      kind: 'sandbox',
      baseUrl: 'https://elsewhere.example.test',
    });
    await expect(send('https://elsewhere.example.test/x')).rejects.toMatchObject({
      code: 'environments.address_changed',
    });
    await expect(
      setUp({ proxyUrl: proxy.url, proxyUser: 'ann' }, { proxyPassword: 'new' }),
    ).rejects.toMatchObject({ code: 'environments.address_changed' });
    expect(proxy.asked).toEqual([]);
  });

  it('keeps a proxy password for the proxy that it was entered for', async () => {
    const [one, other] = [await serveProxy(), await serveProxy()];
    await add('https://localhost:9');
    await setUp({ proxyUrl: one.url, proxyUser: 'ann' }, { proxyPassword: 'hush' });
    expect((await setUp({ proxyUrl: one.url, proxyUser: 'bob' })).sealedParts).toEqual(['proxyPassword']);
    expect((await setUp({ proxyUrl: other.url, proxyUser: 'bob' })).sealedParts).toEqual([]);
    await services.router.call('sending.send', {
      environment: id,
      operation: 'other',
      title: 'x',
      method: 'GET',
      url: 'https://localhost:9/',
      headers: [],
      body: null,
    });
    expect(other.asked).toEqual([`localhost:9 Basic ${Buffer.from('bob:').toString('base64')}`]);
  });

  it.each(['.evil.test/token', '@evil.test/token', ':1/token'])(
    'sends no credentials by a token path that settings bring along: %s',
    async (tokenPath) => {
      await add(await serveService());
      await setUp({ ca: authority.certificate });
      await services.router.call('credentials.save', {
        environment: id,
        product: null,
        consumerKey: 'ck',
        consumerSecret: 'cs',
      });
      await services.close();
      const file = join(directory, 'settings.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace(usualSetup.profile.tokenPath, tokenPath));
      services = openServices(directory);
      await expect(
        services.router.call('tokens.fetch', { environment: id, product: 'payout' }),
      ).rejects.toMatchObject({ code: 'tokens.no_address', message: expect.stringContaining('token path') });
    },
  );

  it.each<[string, Partial<EnvironmentSetup>, Record<string, string>, RegExp]>([
    [
      'a token path on another host',
      { profile: { ...profile, tokenPath: '//evil.test/token' } },
      {},
      /own host/,
    ],
    ['a whole address for one', { profile: { ...profile, tokenPath: 'https://evil.test/' } }, {}, /own host/],
    ['a token path with a turn', { profile: { ...profile, tokenPath: '/\\evil.test/' } }, {}, /own host/],
    ['a proxy of another kind', { proxyUrl: 'socks5://127.0.0.1:1080' }, {}, /SOCKS/],
    ['a proxy with its password', { proxyUrl: 'http://a:b@127.0.0.1:1' }, {}, /fields of their own/],
    ['a key in place of a CA', { ca: client.key }, {}, /BEGIN CERTIFICATE|private key/i],
    ['a CA that is none', { ca: 'hello' }, {}, /PEM/],
    [
      'a key that is not the certificate’s',
      { clientCertificate: client.certificate },
      { clientKey: 'x' },
      /cannot be opened/,
    ],
    [
      'two fields of one name',
      { profile: { ...profile, requestNames: { consumerKey: 'a', consumerSecret: 'a', product: '' } } },
      {},
      /field of their own/,
    ],
    [
      'a state that means something already',
      { profile: { ...profile, webhookStates: { failed: 'processing' } } },
      {},
      /means failed already/,
    ],
  ])('refuses %s', async (_name, setup, secrets, message) => {
    await add('https://uat.example.test');
    await expect(setUp(setup, secrets)).rejects.toMatchObject({
      code: 'environments.bad_setup',
      message: expect.stringMatching(message),
    });
    const { environments } = await services.router.call('environments.list', {});
    expect(environments.find((one) => one.id === id)).toMatchObject({ setup: usualSetup, sealedParts: [] });
  });
});

describe('values of this run', () => {
  it('are kept in memory alone, secret ones by their names, and end with the run', async () => {
    await add('https://uat.example.test');
    const set = (name: string, value: string | null) =>
      services.router.call('environments.setSessionValue', { id, name, value });
    await set('amount', '7');
    const { session } = await set('api_key', 'hush-session');
    expect(session).toEqual({ amount: '7', api_key: '{{vault.api_key}}' });
    const shown = await services.router.call('environments.revealVariable', { id, name: 'api_key' });
    expect(shown.value).toBe('hush-session');
    expect((await set('amount', null)).session).toEqual({ api_key: '{{vault.api_key}}' });
    expect(readFileSync(join(directory, 'settings.json'), 'utf8')).not.toContain('hush-session');
    await expect(set('base_url', 'https://evil.test')).rejects.toMatchObject({
      code: 'environments.bad_name',
    });
    await services.close();
    services = openServices(directory);
    const { environments } = await services.router.call('environments.list', {});
    expect(environments.find((one) => one.id === id)?.session).toEqual({});
  });

  it('that are secret are masked in the answer to another request, too', async () => {
    const port = await listen(createServer((_request, response) => response.end('echo hush-session')));
    await add(`http://127.0.0.1:${port}`);
    const value = { id, name: 'api_key', value: 'hush-session' };
    await services.router.call('environments.setSessionValue', value);
    const exchange = await services.router.call('sending.send', {
      environment: id,
      operation: 'other',
      title: 'x',
      method: 'GET',
      url: `http://127.0.0.1:${port}/`,
      headers: [],
      body: null,
    });
    expect(exchange.response?.body).toMatch(/^echo /);
    expect(JSON.stringify(exchange)).not.toContain('hush-session');
  });

  it('that are secret leave with the request, to the host of their environment', async () => {
    let header: string | undefined;
    const port = await listen(
      createServer((request, response) => {
        header = String(request.headers['x-api-key']);
        response.end('{}');
      }),
    );
    await add(`http://127.0.0.1:${port}`);
    await services.router.call('environments.setSessionValue', {
      id,
      name: 'api_key',
      value: 'hush-session',
    });
    const exchange = await services.router.call('sending.send', {
      environment: id,
      operation: 'other',
      title: 'x',
      method: 'GET',
      url: `http://127.0.0.1:${port}/`,
      headers: [['X-Api-Key', '{{vault.api_key}}']],
      body: null,
    });
    expect(header).toBe('hush-session');
    expect(JSON.stringify(exchange)).not.toContain('hush-session');
    header = undefined;
    const elsewhere = `http://localhost:${port}`;
    const moved = { id, name: 'uat', kind: 'sandbox', baseUrl: elsewhere } as const;
    await services.router.call('environments.save', moved);
    await expect(
      services.router.call('sending.send', {
        environment: id,
        operation: 'other',
        title: 'x',
        method: 'GET',
        url: `${elsewhere}/`,
        headers: [['X-Api-Key', '{{vault.api_key}}']],
        body: null,
      }),
    ).rejects.toMatchObject({
      code: 'environments.address_changed',
      message: expect.stringContaining(`it is at ${elsewhere} now`),
    });
    expect(header).toBeUndefined();
  });
});

it('says that the sandbox does not run, where its environment has no address for that', async () => {
  const said = { code: 'sending.unreachable', message: expect.stringContaining('sandbox does not run') };
  await expect(send('/payments/v1/payouts', 'local')).rejects.toMatchObject(said);
});
