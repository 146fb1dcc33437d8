import type { HandlersOf } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import {
  sandboxSettings,
  type SandboxPayment,
  type SandboxSettings,
  type SandboxStatus,
} from '@shared/contract/sandbox';
import { toErrorReply } from '@shared/errors';
import { rememberPort } from '../../platform/http/listen-on';
import type { Ports } from '../../platform/ports';
import { superviseWorker, takeEnded, type SupervisedWorker } from '../../platform/workers/supervise-worker';
import { DEFAULT_PORT } from '../../sandbox/sandbox-options';
import type { SandboxWorkerEvents, SandboxWorkerMethods } from '../../sandbox/sandbox-worker';
import { createTurns } from '../../platform/create-turns';
import { errorsOf } from '../errors-of';

const SandboxError = errorsOf<'sandbox'>();

/** What the sandbox service needs of the others. */
export interface SandboxServiceDeps {
  ports: Pick<Ports, 'startWorker' | 'settings' | 'dataDirectory' | 'logger'>;
  events: EventBus;
  /** Credentials of the local environment, from the vault. They go to the worker and nowhere else. */
  readCredentials(): Promise<{ consumerKey: string; consumerSecret: string }>;
  /** Seals what the sandbox's store keeps secret; from the vault, to the worker and nowhere else. */
  readStoreKey?(): Promise<string>;
  /** SPKI PEMs of the local environment's keys. */
  listPublicKeys(): Promise<string[]>;
  /** Tells where the sandbox answers, each time it was started. */
  onStarted?(baseUrl: string): void | Promise<void>;
  /** Its store was damaged: what was saved and lost. */
  onRescued?(message: string): void;
  /** Finds out what a refused signature did sign (the doctor, off the main thread). */
  diagnose?(input: { body: string; signature: string; publicKeyPem: string }): Promise<unknown>;
}

export interface SandboxService {
  readonly handlers: HandlersOf<'sandbox'>;
  status(): SandboxStatus;
  /**
   * Starts it on the port given; else where it ran last, or on 4010, or soon after it where that is taken. Tells of
   * a failure in the status, and throws.
   */
  start(port?: number): Promise<SandboxStatus>;
  stop(): Promise<SandboxStatus>;
  /** Adds public keys to those registered; what is registered already stays as it is. */
  register(pems: string[]): Promise<void>;
  /** Payments by their UUIDs; those that it does not have are left out. */
  readPayments(paymentUuids: string[]): Promise<SandboxPayment[]>;
  /** Lets its webhooks go to the host of the app's own tunnel; one that does not run is told at its start. Null: there is none. */
  setOwnHost(host: string | null): Promise<void>;
  /** Says in the status why it could not be started. */
  reportFailure(error: unknown): void;
  /** Ends the worker with the app. */
  close(): Promise<void>;
}

const PORT_SETTING = 'sandbox.port';
const SETTINGS_SETTING = 'sandbox.settings';
const CRASHED = 'The local sandbox ended unexpectedly. Start it again.';
/** As long as a token is shown. */
const SHOW_SECRET_MS = 10_000;

/**
 * Runs the embedded sandbox in a worker thread and answers the contract's `sandbox.*` methods from it.
 *
 * Settings and port are remembered; a sandbox that ran is brought back when its worker ends. Replies and events hold no secret.
 */
export function createSandboxService(deps: SandboxServiceDeps): SandboxService {
  const { ports, events } = deps;
  const port = rememberPort(ports.settings, PORT_SETTING, DEFAULT_PORT);
  const inTurn = createTurns();
  let status: SandboxStatus = { state: 'stopped', baseUrl: null, message: null };
  let wasRunning = false;
  const setStatus = (next: SandboxStatus): SandboxStatus => {
    status = next;
    events.emit('sandbox.changed', { reason: 'status' });
    return status;
  };
  const reportFailure = (error: unknown): void =>
    void setStatus({ state: 'failed', baseUrl: null, message: toErrorReply(error).message });
  let ownHost: string | null = null;
  const worker = superviseWorker<SandboxWorkerMethods, SandboxWorkerEvents>(ports, {
    name: 'sandbox',
    on: { ...followWorker(deps), damaged: () => void worker.restart() },
    farewell: 'stop',
    onCrash() {
      wasRunning ||= status.state === 'running';
      setStatus({ state: 'failed', baseUrl: null, message: CRASHED });
    },
    resume: () => inTurn(async () => wasRunning && (await startNow(undefined))),
  });

  const startNow = async (given: number | undefined): Promise<SandboxStatus> => {
    setStatus({ state: 'starting', baseUrl: null, message: null });
    const chosen = port.choose(given);
    try {
      const { baseUrl } = await worker.call('start', { ...chosen, ...(await readOptions(deps)) });
      if (ownHost !== null) await worker.call('setOwnHost', { host: ownHost });
      const message = port.keep(chosen, Number(new URL(baseUrl).port));
      await deps.onStarted?.(baseUrl);
      // Its worker ended since.
      if (status.state !== 'starting') throw new SandboxError('sandbox.stopped', CRASHED);
      wasRunning = false;
      return setStatus({ state: 'running', baseUrl, message });
    } catch (error) {
      reportFailure(error);
      throw error;
    }
  };
  const start = (given?: number): Promise<SandboxStatus> => inTurn(() => startNow(given));
  const stop = (): Promise<SandboxStatus> =>
    inTurn(async () => {
      if (worker.isRunning()) await worker.call('stop', {}).catch(takeEnded);
      wasRunning = false;
      return setStatus({ state: 'stopped', baseUrl: null, message: null });
    });
  const ask: Ask = (method, ...input) =>
    worker.isRunning() && status.state !== 'stopped'
      ? worker.call(method, ...input)
      : Promise.reject(
          new SandboxError('sandbox.stopped', 'The local sandbox is not running. Start it first.'),
        );

  return {
    handlers: {
      'sandbox.status': () => status,
      'sandbox.start': (input) => start(input.port),
      'sandbox.stop': stop,
      ...createHandlers(deps, ask),
    },
    status: () => status,
    start,
    stop,
    async register(pems) {
      if (pems.length > 0) await ask('registerKeys', { pems, mode: 'add' });
    },
    readPayments: (paymentUuids) => ask('readPayments', { paymentUuids }),
    async setOwnHost(host) {
      ownHost = host;
      await ask('setOwnHost', { host }).catch(() => undefined);
    },
    reportFailure,
    close: worker.close,
  };
}

function followWorker({ ports, events, onRescued }: SandboxServiceDeps) {
  return {
    changed: (reason: string) => events.emit('sandbox.changed', { reason }),
    rescued(message: string) {
      ports.logger.log('error', 'sandbox.rescued', { message });
      onRescued?.(message);
    },
  };
}

type Ask = SupervisedWorker<SandboxWorkerMethods>['call'];

function createHandlers(
  deps: SandboxServiceDeps,
  ask: Ask,
): Omit<HandlersOf<'sandbox'>, 'sandbox.status' | 'sandbox.start' | 'sandbox.stop'> {
  return {
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
    'sandbox.changeWallet': (input) => ask('changeWallet', input),
    'sandbox.advanceClock': (input) => ask('advanceClock', input),
    'sandbox.setFaults': (input) => ask('setFaults', input),
    'sandbox.updateSettings': async (input) => {
      const { settings: before } = await ask('readState', { limit: 1 });
      const settings = await ask('updateSettings', input);
      try {
        deps.ports.settings.set(SETTINGS_SETTING, settings);
      } catch (error) {
        // What the next start would not know does not count now either.
        await ask('updateSettings', before);
        throw error;
      }
      return settings;
    },
    'sandbox.redeliver': (input) => ask('redeliver', input),
    'sandbox.revealWebhookSecret': async () => ({
      ...(await ask('revealWebhookSecret', {})),
      hideAfterMs: SHOW_SECRET_MS,
    }),
    'sandbox.makeBackendCredentials': () => ask('makeBackendCredentials', {}),
    'sandbox.listRequests': (input) => ask('listRequests', input),
    'sandbox.getRequest': (input) => ask('readRequest', input),
    'sandbox.explain': async (input) => addFindings(deps, await ask('explain', input)),
  };
}

type Explanation = Awaited<ReturnType<HandlersOf<'sandbox'>['sandbox.explain']>>;

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

/** What a start needs, as it is now. */
const readOptions = async ({ ports, ...deps }: SandboxServiceDeps) => ({
  dataDirectory: ports.dataDirectory ?? undefined,
  publicKeys: await deps.listPublicKeys(),
  settings: readSettings(ports),
  ...(await deps.readCredentials()),
  ...(deps.readStoreKey === undefined ? {} : { storeKey: await deps.readStoreKey() }),
});

/** Settings that an older version wrote are taken as far as they are known; unreadable ones are left out. */
function readSettings({ settings }: SandboxServiceDeps['ports']): Partial<SandboxSettings> {
  const kept = sandboxSettings.partial().safeParse(settings.get(SETTINGS_SETTING) ?? {});
  return kept.success ? kept.data : {};
}
