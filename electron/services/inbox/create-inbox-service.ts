import { join } from 'node:path';
import type { Handlers } from '@shared/contract/contract';
import type { EventMap } from '@shared/contract/events';
import type { WebhookSummary } from '@shared/contract/inbox';
import { AppError } from '@shared/errors';
import { InboxReader, type ListedWebhook } from '../../listener/inbox-reader';
import { inboxMigrations, inboxRescue } from '../../listener/inbox-schema';
import type { ListenerWorkerEvents, ListenerWorkerMethods } from '../../listener/listener-worker';
import { openDatabase, rescueDatabase } from '../../platform/database/database';
import type { Ports, SqlDatabase } from '../../platform/ports';
import { superviseWorker, type SupervisedWorker } from '../../platform/workers/supervise-worker';
import { followKeys } from './follow-keys';
import type { InboxDeps } from './inbox-deps';
import { createListenerWays, type ListenerWays } from './listener-ways';
import { createListenerHandlers, Listeners, MAIN } from './listeners';
import { isFileThere } from '../../platform/files/files';
import { RuleFiles } from './rule-files';
import { createInboxHandlers, requireBytes } from './inbox-handlers';
import { LOCAL, type InboxSource } from './inbox-source';
import { createLocalSource } from './local-source';
import { summariseWebhook } from './webhook-view';

type InboxMethod = Extract<keyof Handlers, `inbox.${string}`>;

export interface InboxService {
  handlers: Pick<Handlers, InboxMethod> &
    ReturnType<typeof createListenerHandlers> &
    ListenerWays['handlers'];
  status(): ReturnType<Listeners['status']>;
  unreadCount(): number;
  /** The app's own start: on the port of last time, or one soon after it. A failure stands in the status, and is not thrown. */
  start(): Promise<void>;
  findByPayment(reference: string, paymentUuids: readonly string[]): Promise<WebhookSummary[]>;
  /** Webhooks in whose head or body a text stands, newest first. */
  findByText(text: string, limit: number): Promise<WebhookSummary[]>;
  close(): Promise<void>;
}

/**
 * Runs the listener in its worker thread and reads the inbox beside it.
 *
 * The worker alone writes. Reading has a connection of its own, so that a burst of webhooks and a list do not
 * wait for each other.
 */
export function createInboxService(deps: InboxDeps): InboxService {
  const { ports, events, history } = deps;
  const file = findInboxFile(ports);
  const { read, database, close, prepare } = openWhenAsked(file, {
    isInUse: () => worker.isRunning(),
    onRescued: tellRescued(deps),
    onDamage() {
      if (worker.isRunning()) void worker.call('noteDamage', {}).catch(() => undefined);
      else setImmediate(() => void mend());
    },
  });
  const tellChanged = (how: Omit<EventMap['inbox.changed'], 'unreadCount'>): void =>
    tolerate(ports.logger, () => events.emit('inbox.changed', { unreadCount: read().countUnread(), ...how }));
  const ways = createListenerWays(deps, () => worker);
  const listeners: Listeners = new Listeners(
    ports.settings,
    () => worker,
    (status, isNewAddress) => {
      if (isNewAddress && status.id === MAIN) ways.followAddress(status.url);
      if (status.state === 'running') keys.refresh();
      events.emit('listener.changed', status);
    },
    deps.readSealingKey,
    new RuleFiles(ports.dataDirectory),
  );
  const worker: SupervisedWorker<ListenerWorkerMethods> = superviseWorker<
    ListenerWorkerMethods,
    ListenerWorkerEvents
  >(ports, {
    name: 'listener',
    options: { file },
    on: {
      received: (received) =>
        tolerate(ports.logger, () =>
          events.emit('inbox.received', describeReceived(received, read(), history.store)),
        ),
      forwarding: (facts) => ways.noteForwarding(facts),
      pruned: () => tellChanged({ isPruned: true }),
      changedElsewhere: () => tellChanged({ isChangedElsewhere: true }),
      notTaken: (counts) => listeners.noteNotTaken(counts),
      problem(problem) {
        ports.logger.log(problem === null ? 'info' : 'error', 'listener.storing', { problem });
        listeners.setProblem(problem?.message ?? null);
        if (problem?.code === 'listener.damaged') void mend();
      },
    },
    farewell: 'close',
    prepare,
    onCrash: () => listeners.noteCrash(),
    resume: () => resume().then(() => listeners.resume()),
  });

  /** Ends the worker: the next start saves what can be read, while nothing has the file open. */
  const mend = async (): Promise<void> => {
    await worker.restart();
    if (!worker.isRunning()) tolerate(ports.logger, prepare);
    tellChanged({ isMended: true });
  };

  const keys = followKeys(deps, worker);
  const retention = followRetention(deps, worker);
  const local = createLocalSource({ read, database, worker, file }, events);
  const resume = (): Promise<void> => retention.apply().then(() => ways.resume());
  return {
    status: () => listeners.status(MAIN),
    start: () => resume().then(() => startMain(listeners, ports.logger)),
    unreadCount: () => read().countUnread(),
    ...createFinders(local, history.store),
    async close() {
      for (const follower of [keys, retention]) follower.stop();
      listeners.close();
      await ways.stop();
      await deps.longWork?.close();
      await worker.close();
      close();
    },
    handlers: {
      ...createInboxHandlers({ find: chooseSource(local, deps), file }, deps),
      ...createListenerHandlers(listeners, (id) => requireBytes(local, id), deps.longWork),
      ...ways.handlers,
    },
  };
}

const tellRescued =
  ({ ports, onRescued }: Pick<InboxDeps, 'ports' | 'onRescued'>) =>
  (message: string): void => {
    ports.logger.log('error', 'inbox.rescued', { message });
    onRescued?.(message);
  };

/** The inbox that is meant: with `--store` there is no local one. */
const chooseSource =
  (local: InboxSource, { ports, findTeam }: Pick<InboxDeps, 'ports' | 'findTeam'>) =>
  async (store: string): Promise<InboxSource> =>
    store === LOCAL && ports.given.inboxStore === null ? local : findTeam(store);

const findInboxFile = ({ dataDirectory }: Pick<Ports, 'dataDirectory'>): string =>
  dataDirectory === null ? ':memory:' : join(dataDirectory, 'inbox.db');

/** Tells the worker how much is kept: when it starts, and when the settings change. */
function followRetention(
  { ports, events, readRetention }: Pick<InboxDeps, 'ports' | 'events' | 'readRetention'>,
  worker: SupervisedWorker<ListenerWorkerMethods>,
): { apply(): Promise<void>; stop(): void } {
  const apply = async (): Promise<void> => {
    try {
      await worker.call('setRetention', { retention: readRetention() });
    } catch (error) {
      // Why it does not run stands in the listener's status; nothing is deleted then.
      ports.logger.log('warn', 'inbox.retention', { error });
    }
  };
  const stop = events.subscribe('settings.changed', () => {
    if (worker.isRunning()) void apply();
  });
  return { apply, stop };
}

/** Why it did not start stands in its status. */
async function startMain(listeners: Listeners, logger: Ports['logger']): Promise<void> {
  await listeners
    .start(MAIN)
    .catch((error: unknown) => logger.log('warn', 'listener.not_started', { error }));
}

/** The reader's connection. A damaged file is replaced only while nothing has it open. */
function openWhenAsked(
  file: string,
  {
    isInUse,
    onRescued,
    onDamage,
  }: { isInUse(): boolean; onRescued(message: string): void; onDamage(): void },
) {
  let database: SqlDatabase | null = null;
  let reader: InboxReader | null = null;
  /** Of a file that is not there yet. One for all who ask: each would keep its memory as long as this process runs. */
  let nothing: SqlDatabase | null = null;
  const rescue = { ...inboxRescue, onRescued };
  const close = (): void => {
    database?.close();
    nothing?.close();
    database = nothing = reader = null;
  };
  /** Null: nothing was ever received, and reading does not make the file that receiving makes. */
  const open = (): SqlDatabase | null => {
    if (database === null && !isFileThere(file)) return null;
    const options = { file, migrations: inboxMigrations, pragmas: { secure_delete: 'ON' }, onDamage };
    return (database ??= openDatabase({ ...options, ...(isInUse() ? {} : { rescue }) }));
  };
  return {
    close,
    database: open,
    prepare(): void {
      close();
      rescueDatabase({ file, migrations: inboxMigrations, rescue });
    },
    read(): InboxReader {
      const opened = open();
      if (opened !== null && nothing !== null) {
        nothing.close();
        nothing = reader = null;
      }
      return (reader ??= new InboxReader(opened ?? (nothing = openNothing())));
    },
  };
}

const openNothing = (): SqlDatabase => openDatabase({ file: ':memory:', migrations: inboxMigrations });

/** What fails while nobody waits for it: the damage behind it is told and mended, and the app goes on. */
function tolerate(logger: InboxDeps['ports']['logger'], act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger.log('error', 'inbox.unreadable', { error });
  }
}

function createFinders(
  source: InboxSource,
  history: InboxDeps['history']['store'],
): Pick<InboxService, 'findByPayment' | 'findByText'> {
  const summarise = (rows: ListedWebhook[]): WebhookSummary[] =>
    rows.map((row) => summariseWebhook(row, history));
  return {
    findByPayment: async (...payment) => summarise(await source.findByPayment(...payment)),
    async findByText(search, limit) {
      const { rows } = await source.list({ limit, before: null, search, filter: 'all' });
      return summarise(rows);
    },
  };
}

function describeReceived(
  { count, rows }: ListenerWorkerEvents['received'],
  reader: InboxReader,
  history: InboxDeps['history']['store'],
) {
  // Of more than are told, lists are read anew.
  const listed =
    count > rows.length ? rows.map((row) => ({ ...row, earlier_attempts: 0 })) : reader.withAttempts(rows);
  const webhooks = listed.map((row) => summariseWebhook(row, history));
  return { webhooks, count, unreadCount: reader.countUnread() };
}
