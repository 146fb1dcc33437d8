import type { Replay } from '@shared/contract/inbox';
import type { PostgresInbox } from '../../listener/postgres/postgres-inbox';
import { errorsOf } from '../errors-of';
import type { InboxSource } from '../inbox/inbox-source';

const TeamError = errorsOf<'inbox'>();

export interface TeamRights {
  /** The user of the database. */
  readonly user: string;
  readonly mayMark: boolean;
}

/**
 * A team's inbox as a source of webhooks.
 *
 * What its user may not do is said before the database is asked. Replays that it may not keep stay here until the end.
 * @param onMarked - read marks changed; gives how many are unread now
 */
export function createTeamSource(
  inbox: PostgresInbox,
  { user, mayMark }: TeamRights,
  onMarked: () => Promise<number>,
): InboxSource {
  const unkept = new Map<number, { name: number; replay: Replay }[]>();
  let names = 0;
  const requireMarks = (what: string): void => {
    if (mayMark) return;
    throw new TeamError(
      'team.read_only',
      `The database user ${user.slice(0, 80)} may read this team inbox, but not ${what}. ` +
        'Ask whoever keeps the database for the role countersign_reader.',
    );
  };
  return {
    list: (query) => inbox.list(query),
    get: (id) => inbox.get(id),
    getBytes: (id) => inbox.getBytes(id),
    findByPayment: (...payment) => inbox.findByPayment(...payment),
    findEarlier: (...earlier) => inbox.findEarlier(...earlier),
    async markRead(ids, isRead) {
      requireMarks('keep what you have read');
      const foundCount = await inbox.markRead(ids, isRead);
      return { unreadCount: await onMarked(), foundCount };
    },
    async mark(ids, marks) {
      requireMarks('pin, note or tag for the team');
      const changed = await inbox.mark(ids, marks);
      await onMarked();
      return changed;
    },
    delete() {
      throw new TeamError(
        'team.not_deleted',
        "Webhooks of a team's inbox are not deleted one by one: whoever keeps it drops whole days (docs/team.md).",
      );
    },
    keepReplay(id, replay, before) {
      if (mayMark) return inbox.keepReplay(id, replay, before);
      const others = (unkept.get(id) ?? []).filter(({ name }) => name !== before);
      unkept.set(id, [{ name: ++names, replay }, ...others].slice(0, 20));
      return names;
    },
    listReplays: async (id) => [
      ...(unkept.get(id) ?? []).map(({ replay }) => replay),
      ...(await inbox.listReplays(id)),
    ],
    readNotice: () => null,
  };
}
