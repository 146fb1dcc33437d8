import type { AppError } from '@shared/errors';
import { openDatabase } from '../platform/database';
import type { AnswerRule } from './answer-bytes';
import { createArrivalWriter } from './webhook-writer';
import type { PendingCallback } from './webhook-server';
import { createInboxIndexer } from './inbox-indexer';
import { inboxMigrations } from './inbox-schema';
import { scheduleIndexing } from './schedule-indexing';
import { describeWriteFailure } from './write-failure';

/** A batch as committed: ids and callbacks, in the same order. */
export interface CommittedBatch {
  readonly ids: readonly number[];
  readonly callbacks: readonly PendingCallback[];
}

export interface InboxOptions {
  /** Path of `inbox.db`, or `:memory:`. */
  file: string;
  rule: AnswerRule;
  onCommit?: ((batch: CommittedBatch) => void) | undefined;
  /** Callbacks could not be stored and were answered 503; null: they can be stored again. */
  onProblem?: ((problem: AppError | null) => void) | undefined;
}

/** The writing side of the inbox. One a process; other connections only read. */
export interface Inbox {
  /** Makes callbacks durable in one transaction, then answers them. */
  accept(callbacks: readonly PendingCallback[]): void;
  rule(): AnswerRule;
  setRule(rule: AnswerRule): void;
  markRead(ids: readonly number[] | 'all', isRead: boolean): void;
  /** @returns how many were there */
  deleteWebhooks(ids: readonly number[] | 'all'): number;
  /** Resolves when everything that is durable is in the catalogue and in the search index. */
  whenIndexed(): Promise<void>;
  close(): void;
}

/**
 * Opens the inbox for writing, and goes on with the index where an earlier process left it.
 *
 * @throws {AppError} `platform.*` where the file cannot be used
 */
export function openInbox({ file, rule: firstRule, onCommit, onProblem }: InboxOptions): Inbox {
  const database = openDatabase({ file, migrations: inboxMigrations });
  const writer = createArrivalWriter(database);
  const indexer = createInboxIndexer(database);
  let rule = firstRule;
  let problemCode: string | null = null;

  /** Told once, however many callbacks it meets. */
  const setProblem = (problem: AppError | null): void => {
    const code = problem?.code ?? null;
    if (code === problemCode) return;
    problemCode = code;
    onProblem?.(problem);
  };
  const indexing = scheduleIndexing(indexer, (error) => setProblem(describeWriteFailure(error)));
  indexing.wake();

  const accept = (callbacks: readonly PendingCallback[]): void => {
    let ids: number[];
    try {
      ids = writer.write(callbacks, Date.now());
    } catch (error) {
      const problem = describeWriteFailure(error);
      for (const callback of callbacks) callback.answer(503, 0, `${problem.message}\n`);
      return setProblem(problem);
    }
    const { delayMs } = rule;
    for (let at = 0; at < callbacks.length; at++) {
      const callback = callbacks[at]!;
      callback.answer(callback.respondedStatus, delayMs, '');
      indexer.noteAnswered(ids[at]!, performance.now() - callback.startedAtMs + delayMs);
    }
    indexing.wake();
    setProblem(null);
    onCommit?.({ ids, callbacks });
  };

  return {
    accept,
    rule: () => rule,
    setRule: (next) => void (rule = next),
    markRead: indexer.markRead,
    deleteWebhooks: indexer.deleteWebhooks,
    whenIndexed: indexing.whenIndexed,
    close: () => {
      indexing.stop();
      database.close();
    },
  };
}
