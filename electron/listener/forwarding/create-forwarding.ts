import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '@shared/errors';
import { openDatabase } from '../../platform/database/database';
import { holdFolder, type HeldFolder } from '../../platform/files/process-lock';
import type { SqlDatabase } from '../../platform/ports';
import type { Arrivals } from '../arrivals';
import type { PendingWebhook } from '../webhook-server';
import { createBackendCarrier } from './backend-carrier';
import { createCommandCarrier } from './command-carrier';
import type { Carrier, ForwardOutcome } from './delivery';
import { findOriginal } from './find-original';
import { forwardMigrations, forwardRescue } from './forward-schema';
import {
  findFirstWaiting,
  ForwardStore,
  forgetWebhooks,
  isQueued,
  listAttempts,
  type Sink,
} from './forward-store';
import { readForwardTarget, refuseForward, type ForwardTarget } from './forward-target';
import { Forwarder, settleEarlier, type ForwarderState, type ToldAttempt } from './forwarder';
import { RelayDesk, type NoteRelayed } from './relay-desk';
import { readForwardFilter } from './take-webhooks';

export interface ForwardRoute {
  /** Null: to no address. */
  readonly url: string | null;
  /** A command that is run for each; null: none. */
  readonly exec: string | null;
  /** A filter expression; empty: all. */
  readonly filter: string;
  /** The sender hears the backend's answer. */
  readonly relaysAnswer: boolean;
}

export interface ForwardingOptions {
  arrivals: Arrivals;
  /** What a filter on the verdict verifies signatures with. */
  readKeys(): readonly string[];
  onAttempt?: ((attempt: ToldAttempt) => void) | undefined;
  /** How it fares may have changed. */
  onChange?: ((states: ReadonlyMap<Sink, ForwarderState>) => void) | undefined;
  /** Told of a damaged queue: what was saved and lost. */
  onRescued?: ((message: string) => void) | undefined;
  noteRelayed: NoteRelayed;
  /** First parts of paths that nobody else is to know. */
  secretPaths(): readonly string[];
  /** Ports of this machine on which the inbox takes webhooks at present. */
  ownPorts(): readonly number[];
}

/** What became of one webhook. */
export interface WebhookForwards {
  /** Oldest first. */
  readonly attempts: ReturnType<typeof listAttempts>;
  /** It waits to be forwarded. */
  readonly isQueued: boolean;
  /** The webhook that it is, forwarded from here and come back; such a one is not forwarded. Null: it is none. */
  readonly originalId: number | null;
}

/** Forwards what comes into one inbox. */
export interface Forwarding {
  /** Switches forwarding on, over to another route, or off. @throws {AppError} `listener.bad_forward`, `listener.forwarding_in_use`, `inbox.bad_filter` */
  setRoute(route: ForwardRoute | null): Promise<void>;
  /** Webhooks have come. */
  wake(): void;
  /** @returns whether the sender of a webhook waits for the backend's answer */
  hold(id: number, webhook: PendingWebhook): boolean;
  states(): ReadonlyMap<Sink, ForwarderState>;
  /** What came while a way was off, of each that is on now: each has a queue of its own. */
  countMissed(): ReadonlyMap<Sink, number>;
  /** Queues that for each, as far as it passes. @returns how many */
  takeMissed(): Promise<ReadonlyMap<Sink, number>>;
  /** What waits on disk, whether or not it is forwarded at present. */
  countQueued(sink: Sink): number;
  /** The first webhook that is still to be forwarded, whether or not it is at present; null: there is none. */
  firstWaiting(): number | null;
  /** What became of one webhook. */
  readForwards(id: number): WebhookForwards;
  /** Webhooks were deleted from the inbox. */
  forget(ids: readonly number[] | 'all'): void;
  close(): Promise<void>;
}

/**
 * @param options - of the inbox that webhooks would come from; left out: none is open
 * @throws {AppError} `listener.bad_forward`, `inbox.bad_filter`
 */
export function checkRoute(
  { url, filter }: Pick<ForwardRoute, 'url' | 'filter'>,
  options: Pick<ForwardingOptions, 'ownPorts'> | null = null,
): void {
  if (url !== null && isOwnTarget(readForwardTarget(url), options)) {
    throw refuseForward(
      'it is the listener’s own, and each webhook would come back. Name the address of your backend',
    );
  }
  readForwardFilter(filter);
}

function isOwnTarget(
  { isLoopback, port }: ForwardTarget,
  options: Pick<ForwardingOptions, 'ownPorts'> | null,
): boolean {
  return isLoopback && options !== null && options.ownPorts().includes(port);
}

function createCarriers(
  { url, exec, relaysAnswer }: ForwardRoute,
  options: ForwardingOptions,
): [Sink, Carrier][] {
  const carriers: [Sink, Carrier][] = [];
  if (url !== null) {
    const target = readForwardTarget(url);
    const isOwn = (): boolean => isOwnTarget(target, options);
    const { secretPaths } = options;
    carriers.push(['url', createBackendCarrier({ target, keepsAnswers: relaysAnswer, secretPaths, isOwn })]);
  }
  if (exec !== null) carriers.push(['exec', createCommandCarrier(exec, options)]);
  return carriers;
}

/**
 * Makes what forwards the webhooks of an inbox; nothing is opened before the first route is set.
 *
 * One process at a time forwards from a folder: a webhook must not be sent twice because two look after it.
 */
export function createForwarding(inboxFile: string, options: ForwardingOptions): Forwarding {
  const file = inboxFile === ':memory:' ? inboxFile : join(dirname(inboxFile), forwardsName);
  const forwarders = new Map<Sink, Forwarder>();
  let open: OpenQueue | null = null;
  let desk: RelayDesk | null = null;

  const states = (): ReadonlyMap<Sink, ForwarderState> =>
    new Map([...forwarders].map(([sink, forwarder]) => [sink, forwarder.state()]));
  const stop = async (isOff: boolean): Promise<void> => {
    const ending = [...forwarders.values()];
    forwarders.clear();
    desk?.close();
    desk = null;
    await Promise.all(ending.map((forwarder) => forwarder.close({ isOff })));
  };
  const start = (database: SqlDatabase, sink: Sink, carrier: Carrier, filter: string): void => {
    const forwarder = new Forwarder({
      store: new ForwardStore(database, sink),
      arrivals: options.arrivals,
      readKeys: options.readKeys,
      carrier,
      filter,
      onAttempt(attempt) {
        if (sink === 'url') desk?.settle(attempt.id, attempt.delivery);
        options.onAttempt?.(attempt);
      },
      onLeftOut: (ids) => (sink === 'url' ? ids.forEach((id) => desk?.release(id)) : undefined),
      onChange: () => options.onChange?.(states()),
    });
    forwarders.set(sink, forwarder);
    forwarder.start();
  };

  return {
    async setRoute(route) {
      if (route !== null) checkRoute(route, options);
      await stop(true);
      if (route === null) {
        if (open === null) noteNotForwarding(file, options);
        options.onChange?.(states());
        return;
      }
      open ??= openQueue(file, options.onRescued);
      desk = route.relaysAnswer && route.url !== null ? new RelayDesk(options.noteRelayed) : null;
      for (const [sink, carrier] of createCarriers(route, options)) {
        start(open.database, sink, carrier, route.filter);
      }
      options.onChange?.(states());
    },
    wake: () => forwarders.forEach((forwarder) => forwarder.wake()),
    hold(id, webhook) {
      // A rule that answers goes first.
      if (desk === null || webhook.rule !== null) return false;
      desk.hold(id, webhook);
      const state = forwarders.get('url')?.state();
      // Nobody is asked before then: the sender need not wait for that.
      if (state !== undefined && state.nextAttemptAt !== null) desk.settle(id, notTried(state.trouble));
      return true;
    },
    states,
    countMissed: () => new Map([...forwarders].map(([sink, one]) => [sink, one.countMissed()])),
    takeMissed: () => takeMissed(forwarders),
    countQueued: (sink) => peek(file, open, (database) => new ForwardStore(database, sink).countQueued(), 0),
    firstWaiting: () => peek(file, open, findFirstWaiting, null),
    readForwards(id) {
      const row = options.arrivals.get(id);
      return {
        attempts: peek(file, open, (database) => listAttempts(database, id), []),
        isQueued: peek(file, open, (database) => isQueued(database, id), false),
        originalId: row === null ? null : findOriginal(row, options.arrivals),
      };
    },
    forget(ids) {
      peek(file, open, (database) => forgetWebhooks(database, ids), undefined);
      for (const forwarder of forwarders.values()) forwarder.reload();
    },
    async close() {
      await stop(false);
      open?.close();
    },
  };
}

async function takeMissed(forwarders: ReadonlyMap<Sink, Forwarder>): Promise<Map<Sink, number>> {
  const taking = [...forwarders].map(async ([sink, one]) => [sink, await one.takeMissed()] as const);
  return new Map(await Promise.all(taking));
}

/** Works on the queue while it is not in use here; `otherwise`, where there is none. */
function peek<T>(file: string, open: OpenQueue | null, work: (database: SqlDatabase) => T, otherwise: T): T {
  if (open !== null) return work(open.database);
  if (file === ':memory:' || !existsSync(file)) return otherwise;
  const database = openDatabase({ file, migrations: forwardMigrations });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function notTried(reason: string | null): ForwardOutcome {
  return { isDelivered: false, httpStatus: null, reason, isUnreachable: true };
}

interface OpenQueue {
  readonly database: SqlDatabase;
  close(): void;
}

function openQueue(file: string, onRescued: ForwardingOptions['onRescued']): OpenQueue {
  const held = file === ':memory:' ? null : holdQueue(dirname(file));
  if (held === 'taken') {
    throw new AppError(
      'listener.forwarding_in_use',
      'Another Countersign process forwards the webhooks of this data folder. End it, or name another folder with --data.',
    );
  }
  try {
    const database = openDatabase({
      file,
      migrations: forwardMigrations,
      // What was delivered may be delivered again after a power cut; what waits is taken again from the inbox's log.
      pragmas: { synchronous: 'NORMAL', secure_delete: 'FAST' },
      rescue: { ...forwardRescue, onRescued: (message) => onRescued?.(message) },
    });
    return {
      database,
      close() {
        database.close();
        held?.release();
      },
    };
  } catch (error) {
    held?.release();
    throw error;
  }
}

const forwardsName = 'forwards.db';

function holdQueue(directory: string): HeldFolder | 'taken' {
  return holdFolder(directory, 'forwarding', forwardsName).held ?? 'taken';
}

/**
 * Notes that webhooks come in and are not to be forwarded, unless another process does that.
 *
 * Without it, forwarding that goes on after a crash would take what came while somebody had chosen not to forward.
 */
function noteNotForwarding(
  file: string,
  { arrivals, readKeys }: Pick<ForwardingOptions, 'arrivals' | 'readKeys'>,
): void {
  if (file === ':memory:' || !existsSync(file)) return;
  const held = holdQueue(dirname(file));
  if (held === 'taken') return;
  try {
    const database = openDatabase({ file, migrations: forwardMigrations });
    for (const sink of ['url', 'exec'] as const) {
      const store = new ForwardStore(database, sink);
      if (store.readProgress()?.untilId === null) store.end(settleEarlier(store, arrivals, readKeys));
    }
    database.close();
  } finally {
    held.release();
  }
}
