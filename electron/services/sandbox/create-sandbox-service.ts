import type { z } from 'zod';
import type { Handlers } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import { sandboxSettings, type sandboxStatus } from '@shared/contract/sandbox';
import { AppError, toErrorReply } from '@shared/errors';
import type { Ports, WorkerHandle } from '../../platform/ports';

export type SandboxStatus = z.output<typeof sandboxStatus>;

/** What the sandbox service needs of the others. */
export interface SandboxServiceDeps {
  ports: Pick<Ports, 'startWorker' | 'settings' | 'dataDirectory' | 'logger'>;
  events: EventBus;
  /** Credentials of the local environment, from the vault. They go to the worker and nowhere else. */
  readCredentials(): Promise<{ consumerKey: string; consumerSecret: string }>;
  /** SPKI PEMs of the local environment's keys. */
  listPublicKeys(): Promise<string[]>;
  /** Tells where the sandbox answers, each time it was started. */
  onStarted?(baseUrl: string): void | Promise<void>;
  /** Finds out what a refused signature did sign (the doctor, off the main thread). */
  diagnose?(input: { body: string; signature: string; publicKeyPem: string }): Promise<unknown>;
}

type SandboxHandlers = Pick<Handlers, Extract<keyof Handlers, `sandbox.${string}`>>;

export interface SandboxService {
  readonly handlers: SandboxHandlers;
  status(): SandboxStatus;
  /** Starts it on the port given, where it ran before, the one of last time, or 4010. Tells of a failure in the status, and throws. */
  start(port?: number): Promise<SandboxStatus>;
  /** The app's own start: where the port is taken, any free one for this time. */
  startNear(): Promise<SandboxStatus>;
  stop(): Promise<SandboxStatus>;
  /** Adds public keys to those registered; what is registered already stays as it is. */
  register(pems: string[]): Promise<void>;
  /** Says in the status why it could not be started. */
  reportFailure(error: unknown): void;
  /** Ends the worker with the app. */
  close(): Promise<void>;
}

const PORT_SETTING = 'sandbox.port';
const SETTINGS_SETTING = 'sandbox.settings';
const DEFAULT_PORT = 4010;
/** As long as a token is shown. */
const SHOW_SECRET_MS = 10_000;
/** After a crash it is started again, unless it crashed again so soon. */
const CRASH_PAUSE_MS = 10_000;

/**
 * Runs the embedded sandbox in a worker thread and answers the contract's `sandbox.*` methods from it.
 *
 * Settings and port are remembered; a worker that dies is started again once. Replies and events hold no secret.
 */
export function createSandboxService(deps: SandboxServiceDeps): SandboxService {
  const { ports, events } = deps;
  let worker: WorkerHandle | null = null;
  let status: SandboxStatus = { state: 'stopped', baseUrl: null, message: null };
  let queue: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let lastCrashAt = Number.NEGATIVE_INFINITY;
  /** Where it ran last: started again, it stays where the integration already looks for it. */
  let lastPort: number | undefined;

  const setStatus = (next: SandboxStatus): SandboxStatus => {
    status = next;
    events.emit('sandbox.changed', { reason: 'status' });
    return status;
  };

  /** One start or stop at a time, in the order asked for. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = queue.then(run, run);
    queue = result.catch(() => undefined);
    return result;
  };

  const openWorker = (): WorkerHandle => {
    if (worker !== null) return worker;
    const opened = ports.startWorker('sandbox', {});
    opened.onEvent((name, payload) => {
      if (name === 'changed') events.emit('sandbox.changed', { reason: String(payload) });
    });
    opened.onExit((error) => {
      if (worker === opened) onCrash(error);
    });
    return (worker = opened);
  };

  const onCrash = (error: Error | null): void => {
    worker = null;
    const wasRunning = status.state === 'running';
    ports.logger.log('error', 'sandbox.worker_ended', { message: error?.message ?? 'ended' });
    setStatus({
      state: 'failed',
      baseUrl: null,
      message: 'The local sandbox ended unexpectedly. Start it again.',
    });
    const isFirst = performance.now() - lastCrashAt > CRASH_PAUSE_MS;
    lastCrashAt = performance.now();
    // A failure to start again stands in the status already.
    if (wasRunning && isFirst && !isClosed) start().catch(() => undefined);
  };

  const startNow = async (port: number | undefined, isForNow = false): Promise<SandboxStatus> => {
    setStatus({ state: 'starting', baseUrl: null, message: null });
    const chosen = port ?? lastPort ?? readPort(ports);
    try {
      const options = {
        port: chosen,
        dataDirectory: ports.dataDirectory,
        publicKeys: await deps.listPublicKeys(),
        settings: readSettings(ports),
        ...(await deps.readCredentials()),
      };
      const { baseUrl } = (await openWorker().call('start', options)) as { baseUrl: string };
      lastPort = Number(new URL(baseUrl).port);
      if (port !== undefined && !isForNow) ports.settings.set(PORT_SETTING, port);
      await deps.onStarted?.(baseUrl);
      return setStatus({ state: 'running', baseUrl, message: null });
    } catch (error) {
      reportFailure(error);
      throw error;
    }
  };

  const reportFailure = (error: unknown): void => {
    setStatus({ state: 'failed', baseUrl: null, message: toErrorReply(error).message });
  };

  const start = (port?: number): Promise<SandboxStatus> => inTurn(() => startNow(port));

  const startNear = (): Promise<SandboxStatus> =>
    inTurn(() =>
      startNow(undefined).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'sandbox.port_in_use') return startNow(0, true);
        throw error;
      }),
    );

  const stop = (): Promise<SandboxStatus> =>
    inTurn(async () => {
      await worker?.call('stop', {});
      return setStatus({ state: 'stopped', baseUrl: null, message: null });
    });

  const ask = async <T>(method: string, input: unknown): Promise<T> => {
    if (worker === null || status.state === 'stopped') {
      throw new AppError('sandbox.stopped', 'The local sandbox is not running. Start it first.');
    }
    return (await worker.call(method, input)) as T;
  };

  return {
    handlers: createHandlers({ deps, ask, start, stop, status: () => status }),
    status: () => status,
    start,
    startNear,
    stop,
    async register(pems) {
      if (pems.length > 0) await ask('registerKeys', { pems, mode: 'add' });
    },
    reportFailure,
    async close() {
      isClosed = true;
      const ending = worker;
      if (ending === null) return;
      await stop().catch(() => undefined);
      worker = null;
      await ending.terminate();
    },
  };
}

function createHandlers(parts: {
  deps: SandboxServiceDeps;
  ask<T>(method: string, input: unknown): Promise<T>;
  start(port?: number): Promise<SandboxStatus>;
  stop(): Promise<SandboxStatus>;
  status(): SandboxStatus;
}): SandboxHandlers {
  const { deps, ask, start, stop, status } = parts;
  return {
    'sandbox.status': status,
    'sandbox.start': ({ port }) => start(port),
    'sandbox.stop': stop,
    'sandbox.state': (input) => ask('readState', input),
    'sandbox.reset': async () => {
      await ask('reset', {});
      return {};
    },
    'sandbox.registerKeys': async (input) => {
      await ask('registerKeys', input);
      return {};
    },
    'sandbox.setPaymentState': (input) => ask('setPaymentState', input),
    'sandbox.advanceClock': (input) => ask('advanceClock', input),
    'sandbox.setFaults': (input) => ask('setFaults', input),
    'sandbox.updateSettings': async (input) => {
      const settings = await ask<z.output<typeof sandboxSettings>>('updateSettings', input);
      deps.ports.settings.set(SETTINGS_SETTING, settings);
      return settings;
    },
    'sandbox.redeliver': (input) => ask('redeliver', input),
    'sandbox.revealWebhookSecret': async () => ({
      ...(await ask<{ secret: string }>('revealWebhookSecret', {})),
      hideAfterMs: SHOW_SECRET_MS,
    }),
    'sandbox.explain': async (input) => addFindings(deps, await ask('explain', input)),
  };
}

type Explanation = Awaited<ReturnType<SandboxHandlers['sandbox.explain']>>;

/** A doctor that fails leaves the explanation as it is: the expected string is still worth showing. */
async function addFindings(deps: SandboxServiceDeps, explanation: Explanation): Promise<Explanation> {
  const { signature } = explanation;
  if (deps.diagnose === undefined || signature === null || signature.findings !== null) return explanation;
  const { body, receivedSignature, publicKeyPem } = signature;
  if (receivedSignature === null || publicKeyPem === null) return explanation;
  try {
    const findings = await deps.diagnose({ body, signature: receivedSignature, publicKeyPem });
    return { ...explanation, signature: { ...signature, findings } };
  } catch (error) {
    deps.ports.logger.log('warn', 'sandbox.diagnosis_failed', { code: toErrorReply(error).code });
    return explanation;
  }
}

function readPort({ settings }: SandboxServiceDeps['ports']): number {
  const port = settings.get(PORT_SETTING);
  return typeof port === 'number' && Number.isInteger(port) && port >= 0 && port < 65_536
    ? port
    : DEFAULT_PORT;
}

/** Settings that an older version wrote are taken as far as they are known; unreadable ones are left out. */
function readSettings({ settings }: SandboxServiceDeps['ports']): Partial<z.output<typeof sandboxSettings>> {
  const kept = sandboxSettings.partial().safeParse(settings.get(SETTINGS_SETTING) ?? {});
  return kept.success ? kept.data : {};
}
