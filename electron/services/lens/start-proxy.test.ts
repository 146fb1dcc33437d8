import { generateKeyPairSync } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
import { createEventBus } from '../../platform/event-bus';
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

afterEach(() => void vi.useRealTimers());

/** A proxy service over a worker that answers with `call`. */
function createStage(
  call: (method: string, input: object) => Promise<unknown>,
  others: Partial<ProxyServiceDeps> = {},
) {
  const settings = new Map<string, unknown>();
  const stage = { end: (_error: Error | null): void => undefined };
  const proxy = createProxyService({
    ports: {
      settings: {
        get: (name: string) => settings.get(name),
        set: (name: string, value: unknown) => settings.set(name, value),
      },
      dataDirectory: '/nowhere',
      logger: { log: () => undefined },
      startWorker: () => ({
        call,
        onEvent: () => undefined,
        terminate: () => Promise.resolve(),
        onExit: (heard: typeof stage.end) => (stage.end = heard),
      }),
    },
    events: { emit: () => undefined, subscribe: () => () => undefined },
    usualTarget: () => 'http://127.0.0.1:4010',
    listKeys: () => Promise.resolve([]),
    listSecrets: () => Promise.resolve([]),
    findWay: () => Promise.resolve(null),
    ...others,
  } as unknown as ProxyServiceDeps);
  return { proxy, stage };
}

it('comes back though its worker ended again while it was brought back', async () => {
  vi.useFakeTimers();
  let starts = 0;
  const { proxy, stage } = createStage((method) => {
    if (method !== 'start') return Promise.resolve({});
    starts += 1;
    if (starts !== 2) return Promise.resolve({ url: 'http://127.0.0.1:4030' });
    stage.end(new Error('crash'));
    return Promise.reject(new AppError('worker.stopped', 'A background worker stopped.'));
  });
  await proxy.handlers['proxy.start']({});
  stage.end(new Error('crash'));
  await vi.advanceTimersByTimeAsync(10);
  expect([starts, await proxy.handlers['proxy.status']({})]).toMatchObject([2, { state: 'failed' }]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([starts, await proxy.handlers['proxy.status']({})]).toMatchObject([3, { state: 'running' }]);
});

it('verifies with the keys of a vault that is unlocked while it starts', async () => {
  vi.useFakeTimers();
  const events = createEventBus((error) => expect.unreachable(String(error)));
  let keys: string[] | null = null;
  let goOn = (_value: object): void => undefined;
  const { proxy } = createStage(
    (method) => (method === 'start' ? new Promise((resolve) => (goOn = resolve)) : Promise.resolve({})),
    { events, listKeys: () => Promise.resolve(keys) },
  );
  const starting = proxy.handlers['proxy.start']({});
  await vi.advanceTimersByTimeAsync(1);
  keys = [first];
  events.emit('vault.changed', {});
  await vi.advanceTimersByTimeAsync(1000);
  goOn({ url: 'http://127.0.0.1:4030' });
  expect(await starting).toMatchObject({ state: 'running', keyCount: 0 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(await proxy.handlers['proxy.status']({})).toMatchObject({ keyCount: 1 });
});

it('masks what is kept in the vault while it runs, where its keys cannot be told, too', async () => {
  vi.useFakeTimers();
  const events = createEventBus((error) => expect.unreachable(String(error)));
  const told: object[] = [];
  let secrets = ['the first one'];
  const { proxy } = createStage(
    (method, input) => {
      if (method === 'setKnown') told.push(input);
      return Promise.resolve({ url: 'http://127.0.0.1:4030' });
    },
    { events, listKeys: () => Promise.resolve(null), listSecrets: () => Promise.resolve(secrets) },
  );
  await proxy.handlers['proxy.start']({});
  secrets = [...secrets, 'a later one'];
  events.emit('vault.changed', {});
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toEqual([{ publicKeys: null, secrets: ['the first one', 'a later one'] }]);
});

it('stays stopped where it is stopped while it is brought back, and is started once', async () => {
  vi.useFakeTimers();
  const calls: string[] = [];
  let known: Promise<string[]> = Promise.resolve([]);
  let goOn = (_keys: string[]): void => undefined;
  const { proxy, stage } = createStage(
    (method) => {
      if (method !== 'takePayments') calls.push(method);
      return Promise.resolve(method === 'takePayments' ? [] : { url: 'http://127.0.0.1:4030' });
    },
    { listKeys: () => known, record: () => undefined },
  );
  await proxy.handlers['proxy.start']({});
  known = new Promise((resolve) => (goOn = resolve));
  stage.end(new Error('crash'));
  await vi.advanceTimersByTimeAsync(10);
  const stopping = proxy.handlers['proxy.stop']({});
  goOn([]);
  await stopping;
  await vi.advanceTimersByTimeAsync(10);
  expect([calls, await proxy.handlers['proxy.status']({})]).toMatchObject([
    ['start', 'start', 'stop'],
    { state: 'stopped' },
  ]);
});

it('is stopped, and not brought back, where its worker ends while it is stopped', async () => {
  vi.useFakeTimers();
  const calls: string[] = [];
  const { proxy, stage } = createStage((method) => {
    calls.push(method);
    if (method !== 'stop') return Promise.resolve({ url: 'http://127.0.0.1:4030' });
    stage.end(new Error('crash'));
    return Promise.reject(new AppError('worker.stopped', 'A background worker stopped.'));
  });
  await proxy.handlers['proxy.start']({});
  expect(await proxy.handlers['proxy.stop']({})).toMatchObject({ state: 'stopped' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(calls).toEqual(['start', 'stop']);
});

it('takes the payments that were on their way into the journeys when the app ends', async () => {
  const calls: string[] = [];
  const record = vi.fn();
  const { proxy } = createStage(
    (method) => {
      calls.push(method);
      if (method === 'start') return Promise.resolve({ url: 'http://127.0.0.1:4030' });
      return Promise.resolve(method === 'takePayments' ? ['a payment'] : {});
    },
    { record },
  );
  await proxy.handlers['proxy.start']({});
  await proxy.close();
  expect(calls.slice(0, 3)).toEqual(['start', 'stop', 'takePayments']);
  expect(record).toHaveBeenCalledExactlyOnceWith(['a payment']);
});

it('ends its worker though the settings cannot be read any more when the app ends', async () => {
  const calls: string[] = [];
  let isUnreadable = false;
  const usualTarget = (): string => {
    if (isUnreadable) throw new Error('unreadable');
    return 'http://127.0.0.1:4010';
  };
  const call = (method: string): Promise<unknown> => {
    calls.push(method);
    return Promise.resolve(method === 'start' ? { url: 'http://127.0.0.1:4030' } : {});
  };
  const { proxy } = createStage(call, { usualTarget, record: () => undefined });
  await proxy.handlers['proxy.start']({});
  isUnreadable = true;
  await expect(proxy.close()).rejects.toThrow('unreadable');
  expect(calls).toEqual(['start', 'stop', 'takePayments', 'stop']);
});
