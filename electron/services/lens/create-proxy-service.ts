import { setTimeout as delay } from 'node:timers/promises';
import type { Handlers } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { ProxyStatus } from '@shared/contract/proxy';
import { toErrorReply } from '@shared/errors';
import { readOrigin, readTargetUrl } from '../../lens/proxy/create-proxy';
import type { ProxiedPayment } from '../../lens/proxy/payment-queue';
import type { ProxyWorkerEvents, ProxyWorkerMethods } from '../../lens/proxy/proxy-worker';
import { coalesce } from '../../platform/coalesce';
import { createTurns } from '../../platform/create-turns';
import { rememberPort, type PortChoice, type RememberedPort } from '../../platform/http/listen-on';
import type { HttpConnection, Ports } from '../../platform/ports';
import { superviseWorker, takeEnded, type SupervisedWorker } from '../../platform/workers/supervise-worker';
import { readPublicKey } from '../../sandbox/admission/read-public-key';
import { errorsOf } from '../errors-of';

const ProxyError = errorsOf<'proxy.start'>();

/** What the proxy needs of the others. */
export interface ProxyServiceDeps {
  ports: Pick<Ports, 'startWorker' | 'settings' | 'dataDirectory' | 'logger'>;
  events: EventBus;
  /** Where a proxy runs to that was never told where. */
  usualTarget(): string;
  /** SPKI PEMs of the keys that are known of a target, where none was given. Null: that cannot be told now. */
  listKeys(target: URL): Promise<string[] | null>;
  /** What must not be kept of what passes to a target, wherever it stands. */
  listSecrets(target: URL): Promise<string[]>;
  /** How the environment of a target reaches it; null: straight, with what every connection has. @throws {AppError} */
  findWay(target: URL): Promise<{ environment: string; connection: HttpConnection } | null>;
  /** Takes payments and status queries that passed into the journeys. */
  record(payments: readonly ProxiedPayment[]): void;
}

export interface ProxyService {
  handlers: Pick<Handlers, 'proxy.status' | 'proxy.start' | 'proxy.stop'>;
  close(): Promise<void>;
}

const USUAL_PORT = 4030;
const SETTINGS = { port: 'proxy.port', target: 'proxy.target', publicKey: 'proxy.publicKey' };
const CRASHED = 'The proxy ended unexpectedly. Start it again; what had passed is kept.';
/** The end of the app waits no longer for what the proxy kept last. */
const LAST_PAYMENTS_MS = 10_000;
/** Registering keys and keeping secrets comes in bursts. */
const KNOWN_DELAY_MS = 300;

type KnownFacts = Pick<ProxyStatus, 'state' | 'url' | 'message' | 'targetFault' | 'keyCount'>;
const stopped: KnownFacts = { state: 'stopped', url: null, message: null, targetFault: null, keyCount: 0 };

/**
 * Runs the proxy in a worker thread of its own, so that nothing in the app holds up what passes.
 *
 * Target, port and key are remembered; a proxy that ran is brought back when its worker ends. It starts when it is asked to.
 */
export function createProxyService(deps: ProxyServiceDeps): ProxyService {
  const { settings } = deps.ports;
  const proxy = new SupervisedProxy(deps);
  const followKnown = createKnownFollower(deps, proxy);
  return {
    handlers: {
      'proxy.status': () => proxy.status(),
      'proxy.start': ({ target, publicKey, port }) => {
        // All is read before anything is kept.
        const key = publicKey === undefined ? null : readGivenKey(publicKey);
        if (target !== undefined) settings.set(SETTINGS.target, readOrigin(requireTarget(target)));
        if (key !== null) settings.set(SETTINGS.publicKey, key);
        return proxy.start(port);
      },
      'proxy.stop': () => proxy.stop(),
    },
    async close() {
      followKnown.stop();
      await proxy.close();
    },
  };
}

class SupervisedProxy {
  #facts = stopped;
  #wasRunning = false;
  readonly #inTurn = createTurns();
  readonly #port: RememberedPort;
  readonly #worker: SupervisedWorker<ProxyWorkerMethods>;

  constructor(private readonly deps: ProxyServiceDeps) {
    const { ports, events } = deps;
    this.#port = rememberPort(ports.settings, SETTINGS.port, USUAL_PORT);
    this.#worker = superviseWorker<ProxyWorkerMethods, ProxyWorkerEvents>(ports, {
      name: 'proxy',
      on: {
        stored: (count) => {
          void this.#takePayments();
          events.emit('proxy.received', { count });
        },
        target: (targetFault) => void this.#set({ targetFault }),
        doubt: () => void this.refreshKnown().catch(() => undefined),
        holding: (isHolding) => events.emit('proxy.holding', { isHolding }),
        problem: (message) => {
          ports.logger.log('error', 'proxy.problem', { message });
          this.#set({ message });
        },
      },
      farewell: 'stop',
      onCrash: () => {
        events.emit('proxy.holding', { isHolding: false });
        // One that ends while it is brought back is still to be brought back.
        this.#wasRunning ||= this.#facts.state === 'running';
        this.#set({ ...stopped, state: 'failed', message: CRASHED });
      },
      resume: () => this.#inTurn(async () => this.#wasRunning && (await this.#startNow(undefined))),
    });
  }

  get isRunning(): boolean {
    return this.#facts.state === 'running';
  }

  status(): ProxyStatus {
    const { settings } = this.deps.ports;
    const port = settings.get(SETTINGS.port);
    return {
      ...this.#facts,
      target: readText(settings.get(SETTINGS.target)) || this.deps.usualTarget(),
      port: typeof port === 'number' ? port : null,
      publicKey: readText(settings.get(SETTINGS.publicKey)),
    };
  }

  /** Tells of a failure in the status, and throws. @param port - no other will do; left out: that of last time */
  start(port: number | undefined): Promise<ProxyStatus> {
    return this.#inTurn(() => this.#startNow(port));
  }

  stop(): Promise<ProxyStatus> {
    return this.#inTurn(() => this.#stopNow());
  }

  async #startNow(port: number | undefined): Promise<ProxyStatus> {
    this.#set({ ...stopped, state: 'starting' });
    try {
      return await this.#start(this.#port.choose(port));
    } catch (error) {
      this.#set({ state: 'failed', message: toErrorReply(error).message });
      throw error;
    }
  }

  async #stopNow(): Promise<ProxyStatus> {
    if (this.#worker.isRunning()) await this.#worker.call('stop', {}).catch(takeEnded);
    if (this.#worker.isRunning()) await this.#takePayments();
    this.#wasRunning = false;
    return this.#set(stopped);
  }

  /** Verifies with the keys that are registered now, and masks what is secret now. */
  async refreshKnown(): Promise<void> {
    const target = requireTarget(this.status().target);
    const [publicKeys, secrets] = await Promise.all([this.#listKeys(target), this.deps.listSecrets(target)]);
    await this.#worker.call('setKnown', { publicKeys, secrets });
    const keyCount = publicKeys?.length ?? this.#facts.keyCount;
    if (keyCount !== this.#facts.keyCount) this.#set({ keyCount });
  }

  /** What is still on its way ends as stopped, and its payments go to the journeys first. */
  async close(): Promise<void> {
    try {
      if (this.isRunning) await Promise.race([this.stop(), delay(LAST_PAYMENTS_MS, null, { ref: false })]);
    } finally {
      await this.#worker.close();
    }
  }

  async #start(chosen: PortChoice): Promise<ProxyStatus> {
    const { dataDirectory } = this.deps.ports;
    const target = requireTarget(this.status().target);
    if (dataDirectory === null)
      throw new ProxyError('proxy.no_folder', 'A proxy keeps what passes: give it a data directory.');
    const [known, secrets, way] = await Promise.all([
      this.#listKeys(target),
      this.deps.listSecrets(target),
      this.deps.findWay(target),
    ]);
    const identity =
      way === null ? null : { ca: way.connection.ca, clientCertificate: way.connection.clientCertificate };
    const publicKeys = known ?? [];
    const { url } = await this.#worker.call('start', {
      ...chosen,
      target: target.href,
      dataDirectory,
      publicKeys,
      secrets,
      identity,
    });
    const moved = this.#port.keep(chosen, Number(new URL(url).port));
    const message = [moved, describeWay(way)].filter((text) => text !== null).join(' ') || null;
    this.#wasRunning = false;
    return this.#set({ state: 'running', url, message, keyCount: publicKeys.length });
  }

  async #listKeys(target: URL): Promise<string[] | null> {
    const given = readText(this.deps.ports.settings.get(SETTINGS.publicKey));
    return given === '' ? this.deps.listKeys(target) : [given];
  }

  async #takePayments(): Promise<void> {
    try {
      this.deps.record(await this.#worker.call('takePayments', {}));
    } catch (error) {
      this.deps.ports.logger.log('warn', 'proxy.not_recorded', { message: String(error) });
    }
  }

  #set(change: Partial<KnownFacts>): ProxyStatus {
    this.#facts = { ...this.#facts, ...change };
    const next = this.status();
    this.deps.events.emit('proxy.changed', next);
    return next;
  }
}

/** Keys that are registered and secrets that are kept while the proxy runs count from then on. */
function createKnownFollower({ ports, events }: ProxyServiceDeps, proxy: SupervisedProxy): { stop(): void } {
  const changes = coalesce(
    () => {
      // It has asked for them already, perhaps before they changed.
      if (proxy.status().state === 'starting') return changes.ask();
      if (!proxy.isRunning) return;
      proxy
        .refreshKnown()
        .catch((error: unknown) =>
          ports.logger.log('warn', 'proxy.known_not_read', { message: String(error) }),
        );
    },
    { delayMs: KNOWN_DELAY_MS },
  );
  const stops = [
    events.subscribe('sandbox.changed', ({ reason }) => {
      if (reason !== 'request') changes.ask();
    }),
    events.subscribe('vault.changed', () => changes.ask()),
  ];
  return {
    stop() {
      stops.forEach((stop) => stop());
      changes.cancel();
    },
  };
}

/** Says what of an environment's connection counts here, and what does not. */
function describeWay(way: Awaited<ReturnType<ProxyServiceDeps['findWay']>>): string | null {
  if (way === null) return null;
  const { environment, connection } = way;
  const { proxy, ca, clientCertificate } = connection;
  const own = [
    ...(ca === '' ? [] : ['issuers']),
    ...(clientCertificate === null ? [] : ['client certificate']),
  ];
  const said =
    own.length === 0 ? '' : `The ${own.join(' and ')} of ‘${environment}’ count on the way to the target.`;
  if (proxy === null) return said;
  return `${said} ‘${environment}’ is reached through another proxy: this one goes straight to the target.`.trim();
}

function requireTarget(text: string): URL {
  const url = readTargetUrl(text.trim());
  if (url !== null) return url;
  throw new ProxyError(
    'proxy.bad_target',
    'The target is the base address of the service, such as https://host or http://127.0.0.1:4010: no user name, no query.',
  );
}

/** @throws {AppError} `keys.*` where it is no public key */
function readGivenKey(text: string): string {
  return text.trim() === '' ? '' : readPublicKey(text).pem;
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
