import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { createProxyService, type ProxyServiceDeps } from './create-proxy-service';

const [first, second] = [0, 1].map(() =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString(),
) as [string, string];

it('keeps neither target nor key where one of them is refused', async () => {
  const settings = new Map<string, unknown>([
    ['proxy.target', 'https://kept.example'],
    ['proxy.publicKey', first],
  ]);
  const proxy = createProxyService({
    ports: {
      settings: {
        get: (name: string) => settings.get(name),
        set: (name: string, value: unknown) => settings.set(name, value),
      },
      startWorker: () => Promise.reject(new Error('No thread is needed.')),
    },
    events: { emit: () => undefined, subscribe: () => () => undefined },
  } as unknown as ProxyServiceDeps);
  const kept = [...settings];
  const start = proxy.handlers['proxy.start'];
  const refused = [
    { target: 'ftp://refused.example', publicKey: second },
    { target: 'https://taken.example', publicKey: 'no key' },
  ];
  for (const input of refused) await expect((async () => start(input))()).rejects.toThrow();
  expect([...settings]).toEqual(kept);
  await proxy.close();
});
