import { expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
import type { WorkerHandle } from '../../platform/ports';
import { createSandboxService, type SandboxServiceDeps } from './create-sandbox-service';

const takenPort = 4010;

/** A service over a worker that finds 4010 taken and gives 43100 as any free port; `ports` lists what was asked. */
function createStage() {
  const ports: number[] = [];
  const worker: WorkerHandle = {
    call(method, input) {
      if (method !== 'start') return Promise.resolve({});
      const { port } = input as { port: number };
      ports.push(port);
      if (port === takenPort) return Promise.reject(new AppError('sandbox.port_in_use', 'Taken.'));
      return Promise.resolve({ baseUrl: `http://127.0.0.1:${port === 0 ? 43_100 : port}` });
    },
    onEvent: () => () => undefined,
    onExit: () => () => undefined,
    terminate: () => Promise.resolve(),
  };
  const settings = new Map<string, unknown>();
  const service = createSandboxService({
    ports: {
      startWorker: () => worker,
      settings: { get: (name: string) => settings.get(name), set: settings.set.bind(settings) },
      dataDirectory: '/nowhere',
      logger: { log: vi.fn() },
    },
    events: { emit: vi.fn() },
    listPublicKeys: () => Promise.resolve([]),
    readCredentials: () => Promise.resolve({}),
  } as unknown as SandboxServiceDeps);
  return { service, ports };
}

it('stays on the port it ran on when it is started again, though another program holds its own', async () => {
  const { service, ports } = createStage();
  await service.startNear();
  await service.stop();
  expect(await service.start()).toMatchObject({ state: 'running', baseUrl: 'http://127.0.0.1:43100' });
  expect(ports).toEqual([takenPort, 0, 43_100]);
});

it('takes the port given, and keeps it', async () => {
  const { service, ports } = createStage();
  await service.start(5001);
  await service.stop();
  await service.start();
  expect(ports).toEqual([5001, 5001]);
});
