import { generateKeyPairSync } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
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

it('comes back though its worker ended again while it was brought back', async () => {
  vi.useFakeTimers();
  const settings = new Map<string, unknown>();
  let end = (_error: Error | null): void => undefined;
  let starts = 0;
  const call = (method: string): Promise<unknown> => {
    if (method !== 'start') return Promise.resolve({});
    starts += 1;
    if (starts !== 2) return Promise.resolve({ url: 'http://127.0.0.1:4030' });
    end(new Error('crash'));
    return Promise.reject(new AppError('worker.stopped', 'A background worker stopped.'));
  };
  const proxy = createProxyService({
    ports: {
      settings: {
        get: (name: string) => settings.get(name),
        set: (name: string, value: unknown) => settings.set(name, value),
      },
      dataDirectory: '/nowhere',
      logger: { log: () => undefined },
      startWorker: () => ({ call, onEvent: () => undefined, onExit: (heard: typeof end) => (end = heard) }),
    },
    events: { emit: () => undefined, subscribe: () => () => undefined },
    usualTarget: () => 'http://127.0.0.1:4010',
    listKeys: () => Promise.resolve([]),
    listSecrets: () => Promise.resolve([]),
    findWay: () => Promise.resolve(null),
  } as unknown as ProxyServiceDeps);
  await proxy.handlers['proxy.start']({});
  end(new Error('crash'));
  await vi.advanceTimersByTimeAsync(10);
  expect([starts, await proxy.handlers['proxy.status']({})]).toMatchObject([2, { state: 'failed' }]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([starts, await proxy.handlers['proxy.status']({})]).toMatchObject([3, { state: 'running' }]);
  vi.useRealTimers();
});
