import { AppError } from '@shared/errors';
import { openDatabase, saveOpenDatabase } from '../platform/database/database';
import { refuseReadOnlyDatabase } from '../platform/database/refuse-unfit';
import { watchFiles } from '../platform/database/file-identity';
import { describeGone, isFolderGone, requireKept } from '../platform/files/kept-folder';
import { forgetClosed } from '../platform/database/rescue-database';
import type { SqlDatabase } from '../platform/ports';
import { Arrivals } from './arrivals';
import { WebhookWriter } from './webhook-writer';
import { ElsewhereFollower, type ElsewhereChange } from './follow-elsewhere';
import type { PendingWebhook } from './webhook-server';
import { startPruning } from './prune-inbox';
import { InboxIndexer, type Retention, type WebhookMarks } from './inbox-indexer';
import { readLogRow, type StoredWebhook } from './inbox-log';
import { inboxMigrations, inboxRescue } from './inbox-schema';
import { scheduleIndexing } from './schedule-indexing';
import { describeWriteFailure, isInboxDamage } from './write-failure';

/** A batch as committed: ids and webhooks, in the same order. */
export interface CommittedBatch {
  readonly ids: readonly number[];
  readonly webhooks: readonly PendingWebhook[];
  /** What their signatures are verified with. */
  readonly keys: readonly string[];
}

export interface InboxOptions {
  /** Path of `inbox.db`, or `:memory:`. */
  file: string;
  /** What signatures are verified with; several while they are rotated. */
  keys?: readonly string[];
  onCommit?: ((batch: CommittedBatch) => void) | undefined;
  /** Whether somebody else answers a webhook that is durable now; left out: nobody does. */
  holds?: ((id: number, webhook: PendingWebhook) => boolean) | undefined;
  /** The first webhook that must not be deleted for want of room, nor any after it; null, or left out: none. */
  firstNeeded?: (() => number | null) | undefined;
  /** So many were deleted because they are not to be kept any more. */
  onPruned?: ((count: number) => void) | undefined;
  /** Another process wrote to the inbox; left out: nobody looks. */
  onElsewhere?: ((change: ElsewhereChange) => void) | undefined;
  /** Webhooks could not be stored and were answered 503; null: they can be stored again. */
  onProblem?: ((problem: AppError | null) => void) | undefined;
  /** The inbox was damaged: what was saved and lost. */
  onRescued?: ((message: string) => void) | undefined;
}

/** How soon it is told that nothing can be stored where the inbox's folder has gone, and that all can again, where nothing is received. */
const LOOK_MS = 2000;
const FINISH_MS = 500;
const FINISH_SLICE = 128;

/** The writing side of the inbox. One a process; other connections only read. */
export interface Inbox {
  readonly arrivals: Arrivals;
  /** Makes webhooks durable in one transaction, then answers them. */
  accept(webhooks: readonly PendingWebhook[]): void;
  /** @returns how many of those named were there; null: of all */
  markRead(ids: readonly number[] | 'all', isRead: boolean): number | null;
  /** Notes what the user wants to remember. @returns how many were there */
  mark(ids: readonly number[], marks: WebhookMarks): Promise<number>;
  /** @returns how many were there */
  deleteWebhooks(ids: readonly number[] | 'all'): number;
  /** What signatures are verified with. */
  readKeys(): readonly string[];
  setKeys(keys: readonly string[]): void;
  /** How much is kept from now on; pinned webhooks stay. */
  setRetention(retention: Retention): void;
  /** Keeps what a webhook was answered with, where that was known only after it was kept. */
  noteRelayed(id: number, httpStatus: number, answeredMs: number): void;
  /** There is other work that must not wait: the index goes on slowly for now, as under a burst of webhooks. */
  postponeIndexing(): void;
  /** Resolves when everything that is durable is in the catalogue and in the search index. */
  whenIndexed(): Promise<void>;
  /** Somebody else found the file damaged: nothing is answered 2xx from now on. */
  noteDamage(error: AppError): void;
  close(): void;
}

/**
 * Opens the inbox for writing, and goes on with the index where an earlier process left it.
 *
 * @throws {AppError} `platform.*` where the file cannot be used
 */
export function openInbox({
  file,
  keys: firstKeys = [],
  firstNeeded = () => null,
  ...told
}: InboxOptions): Inbox {
  refuseReadOnlyDatabase(file);
  const database = openDatabase({
    file,
    migrations: inboxMigrations,
    // Within a page that is written anyway: no copy of a row stays where it lay before.
    pragmas: { secure_delete: 'FAST' },
    rescue: { ...inboxRescue, onRescued: (message) => told.onRescued?.(message) },
  });
  const writer = new WebhookWriter(database);
  let keys = firstKeys;
  const trouble = createTrouble(told.onProblem);
  const files = guardFiles(database, file, trouble, () => tryToWrite(writer, indexer));
  // The index grows the log, too: over a log that was cut short meanwhile nobody could see that it was.
  const indexer = new InboxIndexer(database, () => keys, files.ensureSame);
  const indexing = scheduleIndexing(indexer, trouble.fail);
  indexing.wake();

  const notePruned = (count: number): void => {
    indexing.wake();
    told.onPruned?.(count);
  };
  const pruning = startPruning(indexer, firstNeeded, notePruned, trouble.fail);

  const arrivals = new Arrivals(database);
  const elsewhere =
    told.onElsewhere && new ElsewhereFollower(database, arrivals, () => keys, told.onElsewhere);

  const watch = <T>(act: () => T): T => {
    // What is deleted is to leave the search, too.
    indexing.wake();
    return trouble.watch(act);
  };

  const accept = (webhooks: readonly PendingWebhook[]): void => {
    let ids: number[];
    try {
      if (trouble.damage !== null) throw trouble.damage;
      files.ensureSame();
      ids = writer.write(webhooks, Date.now());
      files.ensureSame();
    } catch (error) {
      const problem = trouble.fail(error);
      for (const webhook of webhooks) webhook.refuse(503, `${problem.message}\n`);
      return;
    }
    elsewhere?.noteOwn(ids);
    answerKept({ ids, webhooks }, told.holds, indexer);
    indexing.wake();
    trouble.setProblem(null);
    told.onCommit?.({ ids, webhooks, keys });
  };

  return {
    arrivals,
    accept,
    markRead: (ids, isRead) => watch(() => indexer.markRead(ids, isRead)),
    async mark(ids, marks) {
      await indexing.whenIndexed();
      return watch(() => indexer.mark(ids, marks));
    },
    deleteWebhooks: (ids) => watch(() => indexer.deleteWebhooks(ids)),
    readKeys: () => keys,
    setKeys: (next) => void (keys = next),
    setRetention: pruning.set,
    noteRelayed(id, httpStatus, answeredMs) {
      indexer.noteAnswered(id, answeredMs, httpStatus);
      indexing.wake();
    },
    postponeIndexing: indexing.wake,
    whenIndexed: indexing.whenIndexed,
    noteDamage: (error) => void trouble.fail(error),
    close: () => {
      indexing.stop();
      pruning.stop();
      elsewhere?.stop();
      if (trouble.damage === null) finishIndex(indexer);
      files.close();
      database.close();
      if (trouble.damage !== null) forgetClosed(file);
    },
  };
}

function answerKept(
  { ids, webhooks }: Pick<CommittedBatch, 'ids' | 'webhooks'>,
  holds: InboxOptions['holds'],
  indexer: InboxIndexer,
): void {
  for (let at = 0; at < webhooks.length; at++) {
    const webhook = webhooks[at]!;
    if (holds?.(ids[at]!, webhook) === true) continue;
    webhook.keep();
    indexer.noteAnswered(ids[at]!, performance.now() - webhook.startedAtMs + webhook.delayMs);
  }
}

/** What is wrong with storing: told once, however many webhooks it meets. */
function createTrouble(onProblem: InboxOptions['onProblem']) {
  let problemCode: string | null = null;
  const trouble = {
    /** The file is damaged: whatever is written from now on might not be found again. */
    damage: null as AppError | null,
    /** What is wrong was told, and may be over by itself. */
    isTold: (): boolean => problemCode !== null && trouble.damage === null,
    setProblem(problem: AppError | null): void {
      const code = problem?.code ?? null;
      if (code === problemCode || (trouble.damage !== null && problem !== trouble.damage)) return;
      problemCode = code;
      onProblem?.(problem);
    },
    fail(error: unknown): AppError {
      const problem = trouble.damage ?? describeWriteFailure(error);
      if (isInboxDamage(error)) trouble.damage ??= problem;
      trouble.setProblem(problem);
      return problem;
    },
    /** Does what reads or writes, and tells of damage that is met. */
    watch<T>(act: () => T): T {
      try {
        return act();
      } catch (error) {
        if (isInboxDamage(error)) trouble.fail(error);
        throw error;
      }
    },
  };
  return trouble;
}

/** Where the log alone can be written, the index would tell again at once that it cannot. */
function tryToWrite(writer: WebhookWriter, indexer: InboxIndexer): void {
  writer.tryToWrite();
  indexer.runSlice(FINISH_SLICE);
}

/** What the index lacks is read with other secrets, if any, by whoever comes next: most of it is done before the end. */
function finishIndex(indexer: InboxIndexer): void {
  const until = performance.now() + FINISH_MS;
  try {
    while (!indexer.runSlice(FINISH_SLICE) && performance.now() < until);
  } catch {
    // The log is what counts; the index is made again from it.
  }
}

/**
 * Gives what is asked before and after each commit, not for each webhook: what was written to a file that nobody finds again is not
 * kept. Once it was another file it stays so: what it held is copied once.
 */
function guardFiles(
  database: SqlDatabase,
  file: string,
  trouble: Pick<ReturnType<typeof createTrouble>, 'fail' | 'isTold' | 'setProblem'>,
  tryIt: () => void,
): { ensureSame(): void; close(): void } {
  if (file === ':memory:') return { ensureSame: () => {}, close: () => {} };
  const watch = watchFiles(file);
  let found: AppError | null = null;
  const looking = setInterval(() => {
    if (isFolderGone(file)) trouble.fail(describeGone(file));
    else if (trouble.isTold()) tryToStore();
  }, LOOK_MS).unref();
  const ensureSame = (): void => {
    // A folder may come back, as its disk does: then they are the same files again.
    requireKept(file);
    const change = found === null ? watch.findChange() : null;
    if (change !== null) found = describeLostFile(database, file, change);
    if (found !== null) throw found;
  };
  const tryToStore = (): void => {
    try {
      ensureSame();
      tryIt();
      ensureSame();
      trouble.setProblem(null);
    } catch (error) {
      trouble.fail(error);
    }
  };
  return {
    ensureSame,
    close() {
      clearInterval(looking);
      watch.close();
    },
  };
}

function describeLostFile(database: SqlDatabase, file: string, change: string): AppError {
  const saved = saveOpenDatabase(database, file);
  return new AppError(
    'platform.database_damaged',
    `${file} ${change} while it was in use. ` +
      (saved === null
        ? 'What it held could not be copied.'
        : `What it held was copied to ${saved}: put that in its place to have it again.`),
    { details: { file, saved } },
  );
}

/** Reads one webhook of a batch, as the inbox will give it. */
export function readCommitted({ ids, webhooks, keys }: CommittedBatch, at: number): StoredWebhook {
  const { head, body, receivedAt, respondedStatus, remoteAddress, rule, fullBytes } = webhooks[at]!;
  const logRow = {
    id: ids[at]!,
    received_at: receivedAt,
    responded_status: respondedStatus,
    head_size: head.length,
    remote_address: remoteAddress,
    rule,
    full_bytes: fullBytes,
    raw: Buffer.concat([head, body]),
  };
  return readLogRow(logRow, keys);
}
