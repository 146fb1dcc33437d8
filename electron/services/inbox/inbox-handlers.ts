import type { Handlers } from '@shared/contract/contract';
import type { Replay } from '@shared/contract/inbox';
import { toErrorReply } from '@shared/errors';
import { maskHeaders, maskSecrets } from '@shared/mask-secrets';
import type { InboxReader } from '../../listener/inbox-reader';
import type { ListenerWorkerMethods } from '../../listener/listener-worker';
import { decodeBody } from '../../listener/read-webhook';
import { dismissRescueNotice, readRescueNotice } from '../../platform/database/rescue-database';
import type { HttpAnswer, HttpCall, SqlDatabase } from '../../platform/ports';
import { formatSortableId, parseSortableId } from '../../platform/sortable-id';
import type { SupervisedWorker } from '../../platform/workers/supervise-worker';
import { errorsOf } from '../errors-of';
import type { InboxDeps } from './inbox-deps';
import { keepReplay, listReplays } from './replay-store';
import { prepareReplay } from './replay-webhook';
import { describeWebhook, summariseWebhook } from './webhook-view';

const InboxError = errorsOf<'inbox.get'>();

type InboxMethod = Extract<keyof Handlers, `inbox.${string}`>;
type InboxHandlers = Pick<Handlers, InboxMethod>;

/** What the handlers work on: the reader and its connection, the worker that writes, and the path of the file. */
export interface InboxAccess {
  read(): InboxReader;
  /** Null: nothing was ever received. */
  database(): SqlDatabase | null;
  readonly worker: SupervisedWorker<ListenerWorkerMethods>;
  readonly file: string;
}

/** The contract's methods over the inbox. */
export function createInboxHandlers(access: InboxAccess, deps: InboxDeps): InboxHandlers {
  return {
    ...createListHandlers(access, deps),
    ...createMarkHandlers(access, deps),
    ...createReplayHandlers(access, deps),
  };
}

/** A webhook's bytes as received. @throws {AppError} `inbox.unknown` */
export function requireBytes(reader: InboxReader, id: string): { head: Buffer; body: Buffer } {
  const key = parseSortableId(id);
  return (key === null ? null : reader.getBytes(key)) ?? refuseUnknown(id);
}

function refuseUnknown(id: string): never {
  throw new InboxError('inbox.unknown', 'This webhook is not in the inbox any more. Reload the list.', {
    details: { id: id.slice(0, 40) },
  });
}

function createListHandlers(
  { read, file }: InboxAccess,
  { history }: InboxDeps,
): Pick<InboxHandlers, 'inbox.list' | 'inbox.get' | 'inbox.dismissNotice'> {
  return {
    'inbox.list': ({ before, ...query }) => {
      const page = read().list({ ...query, before: before === null ? null : (parseSortableId(before) ?? 0) });
      return {
        webhooks: page.rows.map((row) => summariseWebhook(row, history.store)),
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
      return stored === null ? refuseUnknown(id) : describeWebhook(stored, history.store, isWhole);
    },
  };
}

function createMarkHandlers(
  { read, worker }: InboxAccess,
  { events }: InboxDeps,
): Pick<InboxHandlers, 'inbox.markRead' | 'inbox.mark' | 'inbox.delete'> {
  const tellChanged = (): number => {
    const unreadCount = read().countUnread();
    events.emit('inbox.changed', { unreadCount });
    return unreadCount;
  };
  return {
    'inbox.markRead': async ({ ids, isAll, isRead }) => {
      await worker.call('markRead', { ids: chooseIds(ids, isAll), isRead });
      return { unreadCount: tellChanged() };
    },
    'inbox.mark': async ({ ids, isPinned, note, tags }) => {
      const keys = ids.map(parseSortableId).filter((id) => id !== null);
      const marks = { isPinned, note, tags: tags?.join(' ') };
      return { changedCount: await worker.call('mark', { ids: keys, ...marks }) };
    },
    'inbox.delete': async ({ ids, isAll }) => {
      const deletedCount = await worker.call('delete', { ids: chooseIds(ids, isAll) });
      tellChanged();
      return { deletedCount };
    },
  };
}

function chooseIds(ids: readonly string[] | undefined, isAll: boolean): number[] | 'all' {
  if (isAll) return 'all';
  return (ids ?? []).map(parseSortableId).filter((id) => id !== null);
}

function createReplayHandlers(
  { read, database }: InboxAccess,
  { ports, readWebhookKeys }: InboxDeps,
): Pick<InboxHandlers, 'inbox.replay' | 'inbox.replays'> {
  return {
    async 'inbox.replay'({ id, to, edits, body, isResigned, timeoutMs, isTrial }) {
      const bytes = requireBytes(read(), id);
      const key = parseSortableId(id)!;
      const newId = `msg_${ports.random.uuid().replaceAll('-', '')}`;
      const timestamp = String(Math.floor(ports.clock.now() / 1000));
      const call = prepareReplay(bytes, to, {
        edits,
        body: body === null ? null : Buffer.from(body),
        resign: isResigned ? { keys: await readWebhookKeys(), timestamp, newId } : null,
      });
      if (isTrial) return { replay: null };
      const isEdited = edits.length > 0 || body !== null;
      const keep = (outcome: Outcome): Replay => {
        const facts = { sentAt: ports.clock.now(), url: maskSecrets(call.url), isEdited, isResigned };
        const replay = { ...facts, ...outcome };
        const open = database();
        if (open !== null) keepReplay(open, key, replay);
        return replay;
      };
      return { replay: await sendOnce(ports.http, { ...call, timeoutMs }, keep) };
    },
    'inbox.replays': ({ id }) => {
      const key = parseSortableId(id);
      const open = database();
      return { replays: key === null || open === null ? [] : listReplays(open, key) };
    },
  };
}

type Outcome = Pick<Replay, 'httpStatus' | 'reason' | 'elapsedMs' | 'headers' | 'body'>;

/** Sends once; a redirect is an answer like any other, and is not followed. What failed is kept, too, and thrown. */
async function sendOnce(
  http: (call: HttpCall) => Promise<HttpAnswer>,
  call: HttpCall,
  keep: (outcome: Outcome) => Replay,
): Promise<Replay> {
  let answer: HttpAnswer;
  try {
    answer = await http({ ...call, maxResponseBytes: 1024 * 1024 });
  } catch (error) {
    keep({ httpStatus: null, reason: toErrorReply(error).message, elapsedMs: null, headers: [], body: '' });
    throw error;
  }
  return keep({
    httpStatus: answer.httpStatus,
    reason: null,
    elapsedMs: answer.timings.totalMs,
    headers: maskHeaders(answer.headers),
    body: maskSecrets(decodeBody(answer.body)),
  });
}
