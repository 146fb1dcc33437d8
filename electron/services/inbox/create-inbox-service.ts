import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Handlers } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { WebhookSummary } from '@shared/contract/inbox';
import { AppError } from '@shared/errors';
import { InboxReader } from '../../listener/inbox-reader';
import { inboxMigrations, inboxRescue } from '../../listener/inbox-schema';
import type { ListenerWorkerEvents, ListenerWorkerMethods } from '../../listener/listener-worker';
import { openDatabase, rescueDatabase } from '../../platform/database/database';
import { dismissRescueNotice, readRescueNotice } from '../../platform/database/rescue-database';
import type { Ports, SqlDatabase } from '../../platform/ports';
import { formatSortableId, parseSortableId } from '../../platform/sortable-id';
import { superviseWorker, type SupervisedWorker } from '../../platform/workers/supervise-worker';
import { errorsOf } from '../errors-of';
import type { HistoryService } from '../history/create-history-service';
import { createListenerHandlers, Listeners, MAIN } from './listeners';
import { describeWebhook, summariseWebhook } from './webhook-view';

const InboxError = errorsOf<'inbox.get'>();

export interface InboxDeps {
  ports: Pick<Ports, 'startWorker' | 'settings' | 'logger' | 'dataDirectory'>;
  events: EventBus;
  history: { store: Pick<HistoryService['store'], 'findAnswered'> };
  /** What seals the private key of an address that speaks HTTPS; null: nothing can. */
  readSealingKey(): Promise<string | null>;
  /** Told of the main address each time it was started or stopped. */
  onAddress?(url: string | null): void;
  /** The inbox was damaged: what was saved and lost. */
  onRescued?(message: string): void;
}

type InboxMethod = Extract<keyof Handlers, `inbox.${string}`>;

export interface InboxService {
  handlers: Pick<Handlers, InboxMethod> & ReturnType<typeof createListenerHandlers>;
  status(): ReturnType<Listeners['status']>;
  unreadCount(): number;
  /** The app's own start: on the port of last time, or one soon after it. A failure stands in the status, and is not thrown. */
  start(): Promise<void>;
  /** Webhooks of one payment, oldest first. */
  findByPayment(reference: string, paymentUuids: readonly string[]): WebhookSummary[];
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
  const file = ports.dataDirectory === null ? ':memory:' : join(ports.dataDirectory, 'inbox.db');
  const onRescued = (message: string): void => {
    ports.logger.log('error', 'inbox.rescued', { message });
    deps.onRescued?.(message);
  };
  const onDamage = (): void => {
    if (worker.isRunning()) void worker.call('noteDamage', {}).catch(() => undefined);
    else setImmediate(() => void mend());
  };
  /** What fails while nobody waits for it: the damage behind it is told and mended, and the app goes on. */
  const tolerate = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      ports.logger.log('error', 'inbox.unreadable', { error });
    }
  };
  const { read, close, prepare } = openWhenAsked(file, {
    isInUse: () => worker.isRunning(),
    onRescued,
    onDamage,
  });
  const listeners: Listeners = new Listeners(
    ports.settings,
    () => worker,
    (status, isNewAddress) => {
      if (isNewAddress && status.id === MAIN) deps.onAddress?.(status.url);
      events.emit('listener.changed', status);
    },
    deps.readSealingKey,
  );
  const worker: SupervisedWorker<ListenerWorkerMethods> = superviseWorker<
    ListenerWorkerMethods,
    ListenerWorkerEvents
  >(ports, {
    name: 'listener',
    options: { file },
    on: {
      received(received) {
        tolerate(() => events.emit('inbox.received', describeReceived(received, read(), history.store)));
      },
      problem(problem) {
        ports.logger.log(problem === null ? 'info' : 'error', 'listener.storing', { problem });
        listeners.setProblem(problem?.message ?? null);
        if (problem?.code === 'listener.damaged') void mend();
      },
    },
    farewell: 'close',
    prepare,
    onCrash: () => listeners.noteCrash(),
    resume: () => listeners.resume(),
  });

  /** Ends the worker: the next start saves what can be read, while nothing has the file open. */
  const mend = async (): Promise<void> => {
    await worker.restart();
    tolerate(() => {
      if (!worker.isRunning()) prepare();
      events.emit('inbox.changed', { unreadCount: read().countUnread(), isMended: true });
    });
  };

  return {
    status: () => listeners.status(MAIN),
    async start() {
      await listeners
        .start(MAIN)
        .catch((error: unknown) => ports.logger.log('warn', 'listener.not_started', { error }));
    },
    unreadCount: () => read().countUnread(),
    findByPayment: (reference, paymentUuids) =>
      read()
        .findByPayment(reference, paymentUuids)
        .map((row) => summariseWebhook(row, history.store)),
    async close() {
      await worker.close();
      close();
    },
    handlers: { ...createInboxHandlers(read, worker, deps, file), ...createListenerHandlers(listeners) },
  };
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
  const rescue = { ...inboxRescue, onRescued };
  const close = (): void => {
    database?.close();
    database = null;
    reader = null;
  };
  return {
    close,
    prepare(): void {
      close();
      rescueDatabase({ file, migrations: inboxMigrations, rescue });
    },
    read(): InboxReader {
      // Nothing was ever received: reading does not make the file that receiving makes.
      if (database === null && !existsSync(file)) return openNothing();
      database ??= openDatabase({
        file,
        migrations: inboxMigrations,
        onDamage,
        ...(isInUse() ? {} : { rescue }),
      });
      return (reader ??= new InboxReader(database));
    },
  };
}

function openNothing(): InboxReader {
  return new InboxReader(openDatabase({ file: ':memory:', migrations: inboxMigrations }));
}

function createInboxHandlers(
  read: () => InboxReader,
  worker: SupervisedWorker<ListenerWorkerMethods>,
  { events, history }: InboxDeps,
  file: string,
): Pick<Handlers, InboxMethod> {
  const tellChanged = (): number => {
    const unreadCount = read().countUnread();
    events.emit('inbox.changed', { unreadCount });
    return unreadCount;
  };
  return {
    'inbox.list': ({ before, ...query }) => {
      const page = read().list({ ...query, before: before === null ? null : (parseSortableId(before) ?? 0) });
      const webhooks = page.rows.map((row) => summariseWebhook(row, history.store));
      return {
        webhooks,
        nextBefore: page.next === null ? null : formatSortableId(page.next),
        totalCount: page.totalCount,
        isTotalCut: page.isTotalCut,
        unreadCount: page.unreadCount,
        notice: readRescueNotice(file),
      };
    },
    'inbox.dismissNotice': () => {
      dismissRescueNotice(file);
      return {};
    },
    'inbox.get': ({ id, isWhole }) => {
      const key = parseSortableId(id);
      const stored = key === null ? null : read().get(key);
      if (stored !== null) return describeWebhook(stored, history.store, isWhole);
      throw new InboxError('inbox.unknown', 'This webhook is not in the inbox any more. Reload the list.', {
        details: { id: id.slice(0, 40) },
      });
    },
    'inbox.markRead': async ({ ids, isAll, isRead }) => {
      await worker.call('markRead', { ids: chooseIds(ids, isAll), isRead });
      return { unreadCount: tellChanged() };
    },
    'inbox.delete': async ({ ids, isAll }) => {
      const deletedCount = await worker.call('delete', { ids: chooseIds(ids, isAll) });
      tellChanged();
      return { deletedCount };
    },
  };
}

function describeReceived(
  { count, rows }: ListenerWorkerEvents['received'],
  reader: InboxReader,
  history: InboxDeps['history']['store'],
) {
  const firstId = rows[0]?.id ?? 0;
  const webhooks = rows.map((row, index) => {
    const isSame = (one: { webhook_id: string | null }): boolean => one.webhook_id === row.webhook_id;
    const inBurst = row.webhook_id === null ? 0 : rows.slice(0, index).filter(isSame).length;
    const earlier_attempts = reader.countEarlier(row.webhook_id, firstId) + inBurst;
    return summariseWebhook({ ...row, earlier_attempts }, history);
  });
  return { webhooks, count, unreadCount: reader.countUnread() };
}

function chooseIds(ids: readonly string[] | undefined, isAll: boolean): number[] | 'all' {
  if (isAll) return 'all';
  return (ids ?? []).map(parseSortableId).filter((id) => id !== null);
}
