import { AppError } from '@shared/errors';
import { expect, it, vi } from 'vitest';
import type { WorkerHandle } from '../../platform/ports';
import { createSandboxService, type SandboxServiceDeps } from './create-sandbox-service';

const takenPort = 4010;

/** A service over a worker that finds 4010 taken; `ports` lists what was asked. @param crashes - of its starts, the one that it ends in */
function createStage(crashes = -1, onStarted?: () => Promise<void>) {
  const hosts: unknown[] = [];
  const ports: number[] = [];
  let end: (error: Error | null) => void = () => undefined;
  const crash = (): void => end(new Error('crash'));
  const worker: WorkerHandle = {
    call(method, input) {
      if (method === 'setOwnHost') hosts.push((input as { host: unknown }).host);
      if (method === 'readState') return Promise.resolve({ settings: { settleMs } });
      if (method === 'updateSettings') {
        ({ settleMs } = input as { settleMs: number });
        return Promise.resolve({ settleMs });
      }
      if (method !== 'start') return Promise.resolve({});
      if (crashes-- === 0) {
        crash();
        return Promise.reject(new AppError('worker.stopped', 'A background worker stopped.'));
      }
      const { port } = input as { port: number };
      ports.push(port);
      return Promise.resolve({ baseUrl: `http://127.0.0.1:${port === takenPort ? port + 1 : port}` });
    },
    onEvent: () => undefined,
    onExit: (listener) => (end = listener),
    terminate: () => Promise.resolve(),
  };
  let settleMs = 1500;
  const settings = new Map<string, unknown>();
  const service = createSandboxService({
    ports: {
      startWorker: () => worker,
      settings: {
        get: (name: string) => settings.get(name),
        set: (name: string, value: unknown) => settings.set(name, value),
      },
      dataDirectory: '/nowhere',
      logger: { log: vi.fn() },
    },
    events: { emit: vi.fn() },
    listPublicKeys: () => Promise.resolve([]),
    readCredentials: () => Promise.resolve({}),
    onStarted,
  } as unknown as SandboxServiceDeps);
  return { service, worker, hosts, ports, settings, readSettleMs: () => settleMs, crash };
}

it('says that its port is taken, and stays on the one it came to over restarts', async () => {
  const { service, ports } = createStage();
  expect((await service.start()).message).toContain('Port 4010 is used by another program');
  await service.stop();
  expect(await service.start()).toEqual({
    state: 'running',
    baseUrl: 'http://127.0.0.1:4011',
    message: null,
  });
  expect(ports).toEqual([takenPort, 4011]);
});

it('comes back after its worker ended, on the same port, unless it was stopped', async () => {
  const { service, ports, crash } = createStage();
  await service.start(5001);
  crash();
  expect(service.status()).toMatchObject({ state: 'failed', baseUrl: null });
  await expect.poll(() => service.status().state).toBe('running');
  expect(ports).toEqual([5001, 5001]);
  await service.stop();
  crash();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ports).toHaveLength(2);
});

it('comes back though its worker ended again while it was brought back, and not once it was stopped', async () => {
  vi.useFakeTimers();
  try {
    const { service, ports, crash } = createStage(1);
    await service.start(5001);
    crash();
    await vi.advanceTimersByTimeAsync(10);
    expect([service.status().state, ports]).toEqual(['failed', [5001]]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([service.status().state, ports]).toEqual(['running', [5001, 5001]]);
    crash();
    await service.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([service.status().state, ports]).toEqual(['stopped', [5001, 5001]]);
  } finally {
    vi.useRealTimers();
  }
});

it('is not started twice where somebody starts it before it is brought back', async () => {
  const { service, ports, crash } = createStage();
  await service.start(5001);
  crash();
  await service.start();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ports).toEqual([5001, 5001]);
});

it('is stopped, and not brought back, where its worker ends while it is stopped', async () => {
  const { service, ports, crash, worker } = createStage();
  await service.start(5001);
  vi.spyOn(worker, 'call').mockImplementationOnce(() => {
    crash();
    return Promise.reject(new AppError('worker.stopped', 'A background worker stopped.'));
  });
  expect((await service.stop()).state).toBe('stopped');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([service.status().state, ports]).toEqual(['stopped', [5001]]);
});

it('does not say that it runs where its worker ended before its address was noted', async () => {
  let crash = (): void => undefined;
  const stage = createStage(-1, async () => crash());
  ({ crash } = stage);
  await expect(stage.service.start(5001)).rejects.toThrow('ended unexpectedly');
  expect(stage.service.status()).toMatchObject({ state: 'failed', baseUrl: null });
});

it('takes the port given, and keeps it', async () => {
  const { service, ports } = createStage();
  await service.start(5001);
  await service.stop();
  await service.start();
  expect(ports).toEqual([5001, 5001]);
});

it('takes settings back that cannot be kept: the next start would not know them', async () => {
  const { service, settings, readSettleMs } = createStage();
  await service.start();
  const update = (settleMs: number) => service.handlers['sandbox.updateSettings']({ settleMs });
  await update(100);
  expect([readSettleMs(), settings.get('sandbox.settings')]).toEqual([100, { settleMs: 100 }]);
  settings.set = () => {
    throw new AppError('platform.disk_full', 'The disk is full.');
  };
  await expect(update(5)).rejects.toMatchObject({ code: 'platform.disk_full' });
  expect(readSettleMs()).toBe(100);
});

it('tells the host of a tunnel that came up while the sandbox starts, and fails nobody where it ends just then', async () => {
  let goOn = (): void => undefined;
  const { service, hosts, worker } = createStage(-1, () => new Promise((resolve) => (goOn = resolve)));
  const starting = service.start();
  await new Promise(setImmediate);
  await service.setOwnHost('a.example');
  goOn();
  await starting;
  expect(hosts).toEqual(['a.example']);
  worker.call = () => Promise.reject(new AppError('worker.stopped', 'A background worker stopped.'));
  await service.setOwnHost(null);
});
