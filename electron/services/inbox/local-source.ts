import type { EventBus } from '@shared/contract/events';
import type { InboxReader } from '../../listener/inbox-reader';
import type { ListenerWorkerMethods } from '../../listener/listener-worker';
import { readRescueNotice } from '../../platform/database/rescue-database';
import type { SqlDatabase } from '../../platform/ports';
import type { SupervisedWorker } from '../../platform/workers/supervise-worker';
import type { InboxSource } from './inbox-source';
import { keepReplay, listReplays } from './replay-store';

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
  const tellChanged = (): number => {
    const unreadCount = read().countUnread();
    events.emit('inbox.changed', { unreadCount });
    return unreadCount;
  };
  return {
    list: (query) => read().list(query),
    get: (id) => read().get(id),
    getBytes: (id) => read().getBytes(id),
    findByPayment: (...payment) => read().findByPayment(...payment),
    findEarlier: (...earlier) => read().findEarlier(...earlier),
    async markRead(ids, isRead) {
      await worker.call('markRead', { ids: copyIds(ids), isRead });
      return tellChanged();
    },
    mark: (ids, marks) => worker.call('mark', { ids: [...ids], ...marks }),
    async delete(ids) {
      const deletedCount = await worker.call('delete', { ids: copyIds(ids) });
      tellChanged();
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

const copyIds = (ids: readonly number[] | 'all'): number[] | 'all' => (ids === 'all' ? ids : [...ids]);
