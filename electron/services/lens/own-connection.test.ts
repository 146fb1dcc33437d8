import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { makeAuthority } from '../../../test/support/certificates';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { serveProxyWorker, type ProxyStart } from '../../lens/proxy/proxy-worker';
import type { HttpConnection } from '../../platform/ports';
import { createProxyService, type ProxyServiceDeps } from './create-proxy-service';
import { createLensSources } from './lens-sources';

const authority = makeAuthority('A CA of the user');
const { certificate: cert, key: serverKey } = authority.issue('localhost');
const server = createServer(
  { cert, key: serverKey, ca: authority.certificate, requestCert: true, rejectUnauthorized: true },
  (_request, response) => response.end('behind tls'),
);
const closes: (() => unknown)[] = [() => server.close()];
afterAll(async () => {
  for (const close of closes) await close();
});

/** The service over a worker without a thread, and an environment that is reached in a way of its own. */
function createStage(target: string, setup: { ca: string; clientCertificate: string; proxyUrl: string }) {
  const { certificate, key } = authority.issue('client');
  const connection: HttpConnection = {
    proxy: setup.proxyUrl === '' ? null : { url: setup.proxyUrl, user: '', password: '' },
    ca: setup.ca,
    clientCertificate: setup.clientCertificate === '' ? null : { certificate, key, passphrase: '' },
  };
  const environment = { id: 'data/staging', name: 'Staging', baseUrl: `${target}/v1`, setup };
  const sources = createLensSources({
    environments: {
      list: () => [environment],
      requireBound: () => Promise.resolve(environment),
      connect: () => Promise.resolve(connection),
    },
  } as never);
  const methods = serveProxyWorker(() => undefined);
  const settings = new Map<string, unknown>();
  const proxy = createProxyService({
    ports: {
      dataDirectory: makeTemporaryFolder('own-connection'),
      settings: {
        get: (name: string) => settings.get(name),
        set: (name: string, value: unknown) => settings.set(name, value),
      },
      logger: { log: () => undefined },
      startWorker: () => ({
        call: async (method: keyof typeof methods, input: ProxyStart) => methods[method](input as never),
        onEvent: () => undefined,
        onExit: () => undefined,
        terminate: () => Promise.resolve(),
      }),
    },
    events: { emit: () => undefined, subscribe: () => () => undefined },
    usualTarget: () => target,
    listKeys: () => Promise.resolve([]),
    listSecrets: () => Promise.resolve([]),
    findWay: sources.findWay,
    record: () => undefined,
  } as unknown as ProxyServiceDeps);
  closes.unshift(() => proxy.close());
  return proxy.handlers['proxy.start']({ port: 0 });
}

it('reaches the target of an environment with its issuers and client certificate, and says what else it does not take', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = `https://localhost:${(server.address() as AddressInfo).port}`;
  const ask = async (url: string | null): Promise<string> => (await fetch(`${url}/x`)).text();

  const own = { ca: authority.certificate, clientCertificate: 'given', proxyUrl: 'http://127.0.0.1:1' };
  const status = await createStage(target, own);
  expect(await ask(status.url)).toBe('behind tls');
  expect(status.message).toBe(
    'The issuers and client certificate of ‘Staging’ count on the way to the target. ‘Staging’ is reached through another proxy: this one goes straight to the target.',
  );
  const nothing = await createStage(target, { ca: '', clientCertificate: '', proxyUrl: '' });
  expect(nothing.message).toBe(null);
  expect(await ask(nothing.url)).toContain('certificate');
});

it('looks for all that the vault keeps for the environments of its target, and for what the run was given', async () => {
  const sources = createLensSources({
    given: { token: 'given-token', credentials: { consumerKey: 'key', consumerSecret: 'given-secret' } },
    environments: {
      list: () => [
        { id: 'data/uat', baseUrl: 'https://uat.example/v1' },
        { id: 'data/other', baseUrl: 'https://other.example' },
      ],
    },
    need: () =>
      Promise.resolve({
        listKnownSecrets: (id: string) => Promise.resolve(['given-secret', `secret of ${id}`]),
      }),
  } as never);
  expect(await sources.listSecrets(new URL('https://uat.example/'))).toEqual([
    'given-token',
    'given-secret',
    'secret of data/uat',
  ]);
});
