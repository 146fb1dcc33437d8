import type { Replay } from '@shared/contract/inbox';
import type { WebhookRow } from '@shared/contract/webhook-columns';
import type { WebhookMarks } from '../../listener/inbox-indexer';
import type { StoredWebhook } from '../../listener/inbox-log';
import type { EarlierWebhook, InboxPage, InboxQuery, ListedWebhook } from '../../listener/inbox-reader';
import type { ReceivedBytes } from './replay-webhook';

/** SQLite gives at once what PostgreSQL gives later. */
export type Awaitable<T> = T | Promise<T>;

/** Name of the inbox on this machine, where the contract asks which one is meant. */
export const LOCAL = 'local';

/** A webhook in full, and who of a team marked it last. */
export type SourceWebhook = StoredWebhook<ListedWebhook> & {
  /** Left out: nobody did, or the inbox is one person's. */
  readonly lastMark?: { readonly by: string; readonly at: number } | null;
};

/**
 * An inbox as the app and the command line work with it: the one on this machine, or a team's.
 *
 * Ids are sortable ones; what is asked for by an id that is not there gives null.
 */
export interface InboxSource {
  list(query: InboxQuery): Awaitable<InboxPage>;
  get(id: number): Awaitable<SourceWebhook | null>;
  /** Bytes as received, secrets and all. */
  getBytes(id: number): Awaitable<ReceivedBytes | null>;
  /** Webhooks of one payment, oldest first. */
  findByPayment(reference: string, paymentUuids: readonly string[]): Awaitable<ListedWebhook[]>;
  /** Webhooks of the same payment that came before one, newest first. */
  findEarlier(row: WebhookRow, limit: number): Awaitable<EarlierWebhook[]>;
  /** @returns how many are unread then, and how many of those named were there (null: of all) */
  markRead(
    ids: readonly number[] | 'all',
    isRead: boolean,
  ): Promise<{ unreadCount: number; foundCount: number | null }>;
  /** @returns how many were there */
  mark(ids: readonly number[], marks: WebhookMarks): Promise<number>;
  /** @returns how many were there */
  delete(ids: readonly number[] | 'all'): Promise<number>;
  /**
   * @param before - what was kept of this replay until now, which gives way
   * @returns what names it from now on; null: nothing is kept here
   */
  keepReplay(id: number, replay: Replay, before: number | null): Awaitable<number | null>;
  /** Newest first. */
  listReplays(id: number): Awaitable<Replay[]>;
  /** What was saved and lost of an inbox that was damaged; null: nothing. */
  readNotice(): string | null;
}
