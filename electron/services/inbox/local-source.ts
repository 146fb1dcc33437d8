import { setTimeout as wait } from 'node:timers/promises';
import type { EventBus } from '@shared/contract/events';
import type { InboxReader } from '../../listener/inbox-reader';
import type { ListenerWorkerMethods } from '../../listener/listener-worker';
import { readRescueNotice } from '../../platform/database/rescue-database';
import type { SqlDatabase } from '../../platform/ports';
import type { SupervisedWorker } from '../../platform/workers/supervise-worker';
import type { InboxSource } from './inbox-source';
import { keepReplay, listReplays } from './replay-store';

/** So long a first look waits for a catalogue that is far behind. */
const CATCH_UP_MS = 10_000;

/** What the inbox on this machine is read and changed by. */
export interface LocalInbox {
  read(): InboxReader;
  /** The reader's connection; null: nothing was ever received. */
  database(): SqlDatabase | null;
  /** The one that writes. */
  readonly worker: SupervisedWorker<ListenerWorkerMethods>;
  readonly file: string;
}

/** The inbox on this machine as a source of webhooks. */
export function createLocalSource(
  { read, database, worker, file }: LocalInbox,
  events: EventBus,
): InboxSource {
  const tellChanged = (how: { isPruned?: true; isMarked?: true } = {}): number => {
    const unreadCount = read().countUnread();
    events.emit('inbox.changed', { unreadCount, ...how });
    return unreadCount;
  };
  const ready = catchUpOnce({ read, worker });
  return {
    list: (query) => ready().then(() => read().list(query)),
    get: (id) => ready().then(() => read().get(id)),
    getBytes: (id) => read().getBytes(id),
    findByPayment: (...payment) => ready().then(() => read().findByPayment(...payment)),
    findEarlier: (...earlier) => ready().then(() => read().findEarlier(...earlier)),
    async markRead(ids, isRead) {
      const foundCount = await worker.call('markRead', { ids: copyIds(ids), isRead });
      return { unreadCount: tellChanged(), foundCount };
    },
    async mark(ids, marks) {
      const changedCount = await worker.call('mark', { ids: [...ids], ...marks });
      tellChanged({ isMarked: true });
      return changedCount;
    },
    async delete(ids) {
      const deletedCount = await worker.call('delete', { ids: copyIds(ids) });
      tellChanged({ isPruned: true });
      return deletedCount;
    },
    keepReplay(id, replay, before) {
      const open = database();
      return open === null ? null : keepReplay(open, id, replay, before);
    },
    listReplays(id) {
      const open = database();
      return open === null ? [] : listReplays(open, id);
    },
    readNotice: () => readRescueNotice(file),
  };
}

/** Behind a listener that was killed in a burst nobody goes on with its catalogue: whoever reads first does, or reads slowly. */
function catchUpOnce({ read, worker }: Pick<LocalInbox, 'read' | 'worker'>): () => Promise<void> {
  let caughtUp: Promise<void> | null = null;
  const catchUp = async (): Promise<void> => {
    if (worker.isRunning() || !read().isFarBehind()) return;
    // A folder that cannot be written is read as it is.
    const indexed = worker.call('whenIndexed', {}).catch(() => undefined);
    await Promise.race([indexed, wait(CATCH_UP_MS, undefined, { ref: false })]);
  };
  const tryAgain = (error: unknown): never => {
    caughtUp = null;
    throw error;
  };
  return () => (caughtUp ??= catchUp().catch(tryAgain));
}

const copyIds = (ids: readonly number[] | 'all'): number[] | 'all' => (ids === 'all' ? ids : [...ids]);
