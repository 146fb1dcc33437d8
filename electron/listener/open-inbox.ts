import type { AppError } from '@shared/errors';
import { openDatabase } from '../platform/database';
import type { AnswerRule } from './answer-bytes';
import { createWebhookWriter } from './webhook-writer';
import type { PendingWebhook } from './webhook-server';
import { createInboxIndexer } from './inbox-indexer';
import { inboxMigrations } from './inbox-schema';
import { scheduleIndexing } from './schedule-indexing';
import { describeWriteFailure } from './write-failure';

/** A batch as committed: ids and webhooks, in the same order. */
export interface CommittedBatch {
  readonly ids: readonly number[];
  readonly webhooks: readonly PendingWebhook[];
}

export interface InboxOptions {
  /** Path of `inbox.db`, or `:memory:`. */
  file: string;
  rule: AnswerRule;
  onCommit?: ((batch: CommittedBatch) => void) | undefined;
  /** Webhooks could not be stored and were answered 503; null: they can be stored again. */
  onProblem?: ((problem: AppError | null) => void) | undefined;
}

/** The writing side of the inbox. One a process; other connections only read. */
export interface Inbox {
  /** Makes webhooks durable in one transaction, then answers them. */
  accept(webhooks: readonly PendingWebhook[]): void;
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
  const writer = createWebhookWriter(database);
  const indexer = createInboxIndexer(database);
  let rule = firstRule;
  let problemCode: string | null = null;

  /** Told once, however many webhooks it meets. */
  const setProblem = (problem: AppError | null): void => {
    const code = problem?.code ?? null;
    if (code === problemCode) return;
    problemCode = code;
    onProblem?.(problem);
  };
  const indexing = scheduleIndexing(indexer, (error) => setProblem(describeWriteFailure(error)));
  indexing.wake();

  const accept = (webhooks: readonly PendingWebhook[]): void => {
    let ids: number[];
    try {
      ids = writer.write(webhooks, Date.now());
    } catch (error) {
      const problem = describeWriteFailure(error);
      for (const webhook of webhooks) webhook.answer(503, 0, `${problem.message}\n`);
      return setProblem(problem);
    }
    const { delayMs } = rule;
    for (let at = 0; at < webhooks.length; at++) {
      const webhook = webhooks[at]!;
      webhook.answer(webhook.respondedStatus, delayMs, '');
      indexer.noteAnswered(ids[at]!, performance.now() - webhook.startedAtMs + delayMs);
    }
    indexing.wake();
    setProblem(null);
    onCommit?.({ ids, webhooks });
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
