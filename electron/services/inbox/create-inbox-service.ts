import { join } from 'node:path';
import type { z } from 'zod';
import type { Handlers } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import { answerRule, type listenerStatus, type WebhookSummary } from '@shared/contract/inbox';
import { toErrorReply, type ErrorReply } from '@shared/errors';
import type { AnswerRule } from '../../listener/answer-bytes';
import { createInboxReader, MAX_COUNTED, type InboxReader } from '../../listener/inbox-reader';
import { inboxMigrations } from '../../listener/inbox-schema';
import type { ListenerWorkerEvents, ListenerWorkerMethods } from '../../listener/listener-worker';
import { decodeBody } from '../../listener/read-webhook';
import { openDatabase } from '../../platform/database';
import { rememberPort } from '../../platform/listen-on';
import type { Ports, SqlDatabase } from '../../platform/ports';
import { parseSortableId } from '../../platform/sortable-id';
import { superviseWorker } from '../../platform/supervise-worker';
import { errorsOf } from '../errors-of';
import type { HistoryService } from '../history/create-history-service';
import { summariseWebhook } from './webhook-view';

const InboxError = errorsOf<'inbox.get'>();

export type ListenerStatus = z.output<typeof listenerStatus>;

export interface InboxDeps {
  ports: Pick<Ports, 'startWorker' | 'settings' | 'logger'> & { dataDirectory: string };
  events: EventBus;
  history: { store: Pick<HistoryService['store'], 'findAnswered'> };
  /** Told of the address each time the listener was started or stopped. */
  onAddress?(url: string | null): void;
}

type InboxHandlers = Pick<Handlers, Extract<keyof Handlers, `inbox.${string}` | `listener.${string}`>>;

export interface InboxService {
  handlers: InboxHandlers;
  status(): ListenerStatus;
  unreadCount(): number;
  /** The app's own start: on the usual port, or the next free one. A failure stands in the status, and is not thrown. */
  start(): Promise<ListenerStatus>;
  /** Webhooks of one payment, oldest first. */
  findByPayment(reference: string, paymentUuids: readonly string[]): WebhookSummary[];
  close(): Promise<void>;
}

const DEFAULT_PORT = 4020;
const PORT_SETTING = 'listener.port';
const RULE_SETTING = 'listener.rule';
/** Bodies are shown up to here; the whole is in the inbox and in exports. */
const MAX_SHOWN_BYTES = 4 * 1024 * 1024;

/**
 * Runs the listener in its worker thread and reads the inbox beside it.
 *
 * The worker alone writes. Reading has a connection of its own, so that a burst of webhooks and a list do not
 * wait for each other.
 */
export function createInboxService(deps: InboxDeps): InboxService {
  const { ports, events, history } = deps;
  const file = join(ports.dataDirectory, 'inbox.db');
  const memory = rememberPort(ports.settings, PORT_SETTING, DEFAULT_PORT);
  let database: SqlDatabase | null = null;
  let reader: InboxReader | null = null;
  let rule = readRule(ports.settings.get(RULE_SETTING));
  let state: Pick<ListenerStatus, 'state' | 'url' | 'message'> = {
    state: 'stopped',
    url: null,
    message: null,
  };
  let wasRunning = false;

  const status = (): ListenerStatus => ({ ...state, rule });
  const read = (): InboxReader => {
    database ??= openDatabase({ file, migrations: inboxMigrations });
    reader ??= createInboxReader(database);
    return reader;
  };
  const setState = (next: typeof state): ListenerStatus => {
    if (state.url !== next.url) deps.onAddress?.(next.url);
    const isChanged = JSON.stringify(state) !== JSON.stringify(next);
    state = next;
    if (isChanged) events.emit('listener.changed', status());
    return status();
  };

  const onReceived = ({ count, rows }: ListenerWorkerEvents['received']): void => {
    const firstId = rows[0]?.id ?? 0;
    const webhooks = rows.map((row, index) => {
      const isSame = (one: { webhook_id: string | null }): boolean => one.webhook_id === row.webhook_id;
      const inBurst = row.webhook_id === null ? 0 : rows.slice(0, index).filter(isSame).length;
      const earlier_attempts = read().countEarlier(row.webhook_id, firstId) + inBurst;
      return summariseWebhook({ ...row, earlier_attempts }, history.store);
    });
    events.emit('inbox.received', { webhooks, count, unreadCount: read().countUnread() });
  };
  const onProblem = (problem: ErrorReply | null): void => {
    ports.logger.log(problem === null ? 'info' : 'error', 'listener.storing', { problem });
    setState({ ...state, message: problem?.message ?? null });
  };
  const worker = superviseWorker<ListenerWorkerMethods, ListenerWorkerEvents>(ports, {
    name: 'listener',
    options: { file },
    on: { received: onReceived, problem: onProblem },
    farewell: 'close',
    onCrash() {
      wasRunning = state.state === 'running';
      setState({
        state: 'failed',
        url: null,
        message: 'The listener ended unexpectedly. Start it again; what it had answered is kept.',
      });
    },
    resume: () => (wasRunning ? start() : undefined),
  });

  const start = async (port?: number): Promise<ListenerStatus> => {
    setState({ state: 'starting', url: null, message: null });
    const chosen = memory.choose(port);
    try {
      const running = await worker.call('start', { ...chosen, rule });
      const message = memory.keep(chosen, running.port);
      return setState({ state: 'running', url: running.url, message });
    } catch (error) {
      setState({ state: 'failed', url: null, message: toErrorReply(error).message });
      throw error;
    }
  };
  const startByItself = async (): Promise<ListenerStatus> => {
    try {
      return await start();
    } catch (error) {
      ports.logger.log('warn', 'listener.not_started', { error });
      return status();
    }
  };
  const tellChanged = (): number => {
    const unreadCount = read().countUnread();
    events.emit('inbox.changed', { unreadCount });
    return unreadCount;
  };

  return {
    status,
    start: startByItself,
    unreadCount: () => read().countUnread(),
    findByPayment: (reference, paymentUuids) =>
      read()
        .findByPayment(reference, paymentUuids)
        .map((row) => summariseWebhook(row, history.store)),
    async close() {
      await worker.close();
      database?.close();
      database = null;
      reader = null;
    },
    handlers: {
      'inbox.list': ({ before, ...query }) => {
        const page = read().list({
          ...query,
          before: before === null ? null : (parseSortableId(before) ?? 0),
        });
        const webhooks = page.rows.map((row) => summariseWebhook(row, history.store));
        return {
          webhooks,
          nextBefore: webhooks.length === query.limit ? webhooks.at(-1)!.id : null,
          totalCount: page.totalCount,
          isTotalCut: (query.search !== '' || query.filter !== 'all') && page.totalCount >= MAX_COUNTED,
          unreadCount: page.unreadCount,
        };
      },
      'inbox.get': ({ id }) => describeWebhook(read(), id, history.store),
      'inbox.markRead': async ({ ids, isAll, isRead }) => {
        await worker.call('markRead', { ids: chooseIds(ids, isAll), isRead });
        return { unreadCount: tellChanged() };
      },
      'inbox.delete': async ({ ids, isAll }) => {
        const deletedCount = await worker.call('delete', { ids: chooseIds(ids, isAll) });
        tellChanged();
        return { deletedCount };
      },
      'listener.status': status,
      'listener.setRule': async (next) => {
        rule = next;
        ports.settings.set(RULE_SETTING, next);
        if (worker.isRunning()) await worker.call('setRule', next);
        events.emit('listener.changed', status());
        return status();
      },
      'listener.start': ({ port }) => start(port),
      'listener.stop': async () => {
        if (worker.isRunning()) await worker.call('stop');
        return setState({ state: 'stopped', url: null, message: null });
      },
    },
  };
}

function describeWebhook(
  reader: InboxReader,
  id: string,
  history: Pick<HistoryService['store'], 'findAnswered'>,
) {
  const key = parseSortableId(id);
  const stored = key === null ? null : reader.get(key);
  if (stored === null) {
    throw new InboxError('inbox.unknown', 'This webhook is not in the inbox any more. Reload the list.', {
      details: { id: id.slice(0, 40) },
    });
  }
  const { row, headers, body, remoteAddress } = stored;
  const shown = body.subarray(0, MAX_SHOWN_BYTES);
  return {
    ...summariseWebhook(row, history),
    headers,
    body: decodeBody(shown),
    bodyBase64: Buffer.from(shown.buffer, shown.byteOffset, shown.length).toString('base64'),
    isBodyCut: body.length > shown.length,
    paymentReference: row.payment_reference,
    code: row.code,
    answeredInMs: row.answered_ms,
    remoteAddress,
  };
}

function chooseIds(ids: readonly string[] | undefined, isAll: boolean): number[] | 'all' {
  if (isAll) return 'all';
  return (ids ?? []).map(parseSortableId).filter((id) => id !== null);
}

function readRule(stored: unknown): AnswerRule {
  const rule = answerRule.safeParse(stored);
  return rule.success ? rule.data : { respondStatus: 200, delayMs: 0 };
}
