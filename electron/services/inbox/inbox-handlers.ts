import { createLongWork, type LongWork } from '../../platform/workers/long-work';
import type { Handlers, ParsedInput } from '@shared/contract/contract';
import type { Replay } from '@shared/contract/inbox';
import { AppError, toErrorReply } from '@shared/errors';
import { maskSecrets } from '@shared/mask-secrets';
import { dismissRescueNotice } from '../../platform/database/rescue-database';
import type { HttpAnswer, HttpCall } from '../../platform/ports';
import { formatSortableId, parseSortableId } from '../../platform/sortable-id';
import { errorsOf } from '../errors-of';
import type { InboxDeps } from './inbox-deps';
import type { InboxSource } from './inbox-source';
import { explainSignature, type ExplainWork } from './explain-signature';
import { exportWebhooks } from './export-webhooks';
import {
  describeReplay,
  prepareReplay,
  refusePayment,
  type ReceivedBytes,
  type ReplayWork,
} from './replay-webhook';
import { describeWebhook, summariseWebhook } from './webhook-view';

const InboxError = errorsOf<'inbox.get'>();

type InboxMethod = Extract<keyof Handlers, `inbox.${string}`>;
type InboxHandlers = Pick<Handlers, InboxMethod>;

/** What the handlers work on: every inbox by its name, and the file of the one on this machine. */
export interface InboxAccess {
  /** @throws {AppError} `team.*` */
  find(store: string): Promise<InboxSource>;
  readonly file: string;
}

/** The contract's methods over the inboxes. */
export function createInboxHandlers(access: InboxAccess, deps: InboxDeps): InboxHandlers {
  return {
    ...createListHandlers(access, deps),
    'inbox.export': async ({ store, ...query }) =>
      exportWebhooks(await access.find(store), query, deps.ports.version, deps.longWork),
    'inbox.explainSignature': createExplain(access, deps),
    ...createMarkHandlers(access),
    ...createReplayHandlers(access, deps),
  };
}

/** A webhook's bytes as received. @throws {AppError} `inbox.unknown` */
export async function requireBytes(
  source: Pick<InboxSource, 'getBytes'>,
  id: string,
): Promise<ReceivedBytes> {
  const key = parseSortableId(id);
  return (key === null ? null : await source.getBytes(key)) ?? refuseUnknown(id);
}

function refuseUnknown(id: string): never {
  throw new InboxError(
    'inbox.unknown',
    'There is no webhook with this id in the inbox. It may have been deleted.',
    {
      details: { id: id.slice(0, 40) },
    },
  );
}

function createListHandlers(
  { find, file }: InboxAccess,
  { history, readWebhookStates, readService }: InboxDeps,
): Pick<InboxHandlers, 'inbox.list' | 'inbox.get' | 'inbox.dismissNotice'> {
  return {
    'inbox.list': async ({ before, store, ...query }) => {
      const source = await find(store);
      const page = await source.list({
        ...query,
        before: before === null ? null : (parseSortableId(before) ?? 0),
      });
      return {
        webhooks: page.rows.map((row) => summariseWebhook(row, history.store)),
        nextBefore: page.next === null ? null : formatSortableId(page.next),
        totalCount: page.totalCount,
        isTotalCut: page.isTotalCut,
        unreadCount: page.unreadCount,
        below: page.below ?? null,
        notice: source.readNotice(),
      };
    },
    'inbox.dismissNotice': () => {
      dismissRescueNotice(file);
      return {};
    },
    'inbox.get': async ({ id, isWhole, store }) => {
      const source = await find(store);
      const key = parseSortableId(id);
      const stored = key === null ? null : await source.get(key);
      if (stored === null) return refuseUnknown(id);
      const sources = { history: history.store, readWebhookStates, readService, source };
      return describeWebhook(stored, sources, isWhole);
    },
  };
}

/** The search takes as long for a short webhook as for a long one: never in a thread that others wait for. */
function createExplain(
  { find }: InboxAccess,
  { readWebhookKeys, longWork = createLongWork<ExplainWork>(null, { explainSignature }) }: InboxDeps,
): InboxHandlers['inbox.explainSignature'] {
  return async ({ id, store }) => {
    const source = await find(store);
    const bytes = await requireBytes(source, id);
    const stored = await source.get(parseSortableId(id)!);
    if (stored === null) return refuseUnknown(id);
    const { received_at: receivedAt, is_cut: isCut } = stored.row;
    const given = { ...bytes, isCut: isCut === 1, receivedAt, keys: await readWebhookKeys() };
    return longWork.call('explainSignature', given, Infinity);
  };
}

function createMarkHandlers({
  find,
}: InboxAccess): Pick<InboxHandlers, 'inbox.markRead' | 'inbox.mark' | 'inbox.delete'> {
  return {
    'inbox.markRead': async ({ ids, isAll, isRead, store }) =>
      (await find(store)).markRead(chooseIds(ids, isAll), isRead),
    'inbox.mark': async ({ ids, isPinned, note, tags, store }) => ({
      changedCount: await (await find(store)).mark(readIds(ids), { isPinned, note, tags: tags?.join(' ') }),
    }),
    'inbox.delete': async ({ ids, isAll, store }) => ({
      deletedCount: await (await find(store)).delete(chooseIds(ids, isAll)),
    }),
  };
}

const readIds = (ids: readonly string[]): number[] => ids.map(parseSortableId).filter((id) => id !== null);

function chooseIds(ids: readonly string[] | undefined, isAll: boolean): number[] | 'all' {
  return isAll ? 'all' : readIds(ids ?? []);
}

function createReplayHandlers(
  { find }: InboxAccess,
  {
    ports,
    readWebhookKeys,
    listProduction,
    longWork = createLongWork<ReplayWork>(null, { describeReplay }),
  }: Pick<InboxDeps, 'ports' | 'readWebhookKeys' | 'listProduction'> & { longWork?: LongWork<ReplayWork> },
): Pick<InboxHandlers, 'inbox.replay' | 'inbox.cancelReplay' | 'inbox.replays'> {
  const stops = new Map<string, AbortController>();
  const replayOnce = async (
    { id, to, edits, body, isResigned, timeoutMs, isTrial, store }: ParsedInput<'inbox.replay'>,
    signal: AbortSignal,
  ): Promise<Replay | null> => {
    const source = await find(store);
    const bytes = await requireBytes(source, id);
    const key = parseSortableId(id)!;
    const newId = `msg_${ports.random.uuid().replaceAll('-', '')}`;
    const timestamp = String(Math.floor(ports.clock.now() / 1000));
    const call = prepareReplay(bytes, to, {
      edits,
      body: body === null ? null : Buffer.from(body),
      resign: isResigned ? { keys: await readWebhookKeys(), timestamp, newId } : null,
    });
    refusePayment(call, await listProduction());
    if (isTrial) return null;
    const isEdited = edits.length > 0 || body !== null;
    const sentAt = ports.clock.now();
    let kept: number | null = null;
    const keep = async (outcome: Outcome): Promise<Replay> => {
      const facts = { sentAt, url: maskSecrets(call.url), isEdited, isResigned };
      const replay = { ...facts, ...outcome };
      try {
        kept = await source.keepReplay(key, replay, kept);
      } catch (error) {
        // It has left by now: its answer counts, and a failure would have it sent once more.
        if (outcome === notKnown || !(error instanceof AppError)) throw error;
        ports.logger.log('error', 'inbox.replay_not_kept', { id, error });
      }
      return replay;
    };
    // Before anything leaves: whoever is ended in the middle can tell what may have arrived.
    await keep(notKnown);
    return sendOnce(ports.http, { ...call, timeoutMs, aftermath: 'webhook', signal }, keep, longWork);
  };
  return {
    async 'inbox.replay'(input) {
      const stop = new AbortController();
      const { replayId } = input;
      if (replayId !== undefined) stops.set(replayId, stop);
      try {
        return { replay: await replayOnce(input, stop.signal) };
      } finally {
        if (replayId !== undefined) stops.delete(replayId);
      }
    },
    'inbox.cancelReplay': ({ replayId }) => {
      stops.get(replayId)?.abort();
      return {};
    },
    'inbox.replays': async ({ id, store }) => {
      const source = await find(store);
      const key = parseSortableId(id);
      return { replays: key === null ? [] : await source.listReplays(key) };
    },
  };
}

type Outcome = Pick<Replay, 'httpStatus' | 'reason' | 'elapsedMs' | 'headers' | 'body'>;

const noAnswer = { httpStatus: null, elapsedMs: null, headers: [], body: '' };
const notKnown: Outcome = {
  ...noAnswer,
  reason:
    'No answer is known: it is still under way, or was cut off. Look whether the receiver has it before it is sent again.',
};

/** Sends once; a redirect is an answer like any other, and is not followed. What failed is kept, too, and thrown. */
async function sendOnce(
  http: (call: HttpCall) => Promise<HttpAnswer>,
  call: HttpCall,
  keep: (outcome: Outcome) => Promise<Replay>,
  longWork: LongWork<ReplayWork>,
): Promise<Replay> {
  let answer: HttpAnswer;
  try {
    answer = await http({ ...call, maxResponseBytes: 1024 * 1024 });
  } catch (error) {
    await keep({ ...noAnswer, reason: toErrorReply(error).message });
    throw error;
  }
  const { url, headers, body } = call;
  const given = { call: { url, headers, body }, answer };
  const sizeBytes = (body?.length ?? 0) + answer.body.length;
  return keep({ reason: null, ...(await longWork.call('describeReplay', given, sizeBytes)) });
}
