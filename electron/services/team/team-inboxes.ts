import type { EventBus } from '@shared/contract/events';
import type { TeamInbox } from '@shared/contract/team';
import { toErrorReply } from '@shared/errors';
import type { StoreArrivals } from '../../listener/postgres/follow-arrivals';
import type { Ports } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import type { HistoryService } from '../history/create-history-service';
import type { InboxSource } from '../inbox/inbox-source';
import { summariseWebhook } from '../inbox/webhook-view';
import type { OpenedInbox } from './open-team-inbox';
import { createTeamSource } from './team-source';

const TeamError = errorsOf<'inbox'>();

/** In the app a password is given on the screen, not by a variable. */
export const REFUSED =
  'The database refuses this user or its password. Give the password of the user in the address.';

type Status = Pick<TeamInbox, 'state' | 'message' | 'since' | 'user' | 'mayMark' | 'unreadCount'>;

interface Entry {
  status: Status;
  opened: OpenedInbox | null;
  source: InboxSource | null;
  opening: Promise<void> | null;
}

interface Deps {
  readonly clock: Ports['clock'];
  readonly events: EventBus;
  readonly history: Pick<HistoryService['store'], 'findAnswered'>;
  /** A status changed. */
  onChange(): void;
}

/** The team inboxes that are open: how each fares, and what comes into it. */
export class TeamInboxes {
  readonly #entries = new Map<string, Entry>();

  constructor(private readonly deps: Deps) {}

  status(id: string): Status {
    return this.#entries.get(id)?.status ?? this.#describe('closed');
  }

  /** @throws {AppError} `team.lost` where it is not open */
  source(id: string): InboxSource {
    const source = this.#entries.get(id)?.source;
    if (source) return source;
    throw new TeamError('team.lost', 'This team inbox is not open. Open it first.', {
      details: { id: id.slice(0, 40) },
      retryable: true,
    });
  }

  /** Those that were opened, each with what reads it; null: it cannot be read. */
  listOpened(): [string, InboxSource | null][] {
    return [...this.#entries].map(([id, { source }]) => [id, source]);
  }

  /** Opens one, once however many ask. Why it failed stands in its status, and is thrown. */
  async open(id: string, connect: () => Promise<OpenedInbox>): Promise<void> {
    const known = this.#entries.get(id);
    if (known?.source) return;
    if (known?.opening) return known.opening;
    const entry: Entry = { status: this.#describe('opening'), opened: null, source: null, opening: null };
    this.#entries.set(id, entry);
    this.deps.onChange();
    entry.opening = this.#connect(id, entry, connect).finally(() => (entry.opening = null));
    return entry.opening;
  }

  async close(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    if (entry === undefined) return;
    await entry.opening?.catch(() => undefined);
    await entry.opened?.close();
    this.deps.onChange();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.close(id)));
  }

  async #connect(id: string, entry: Entry, connect: () => Promise<OpenedInbox>): Promise<void> {
    try {
      const opened = await connect();
      const { user, mayMark, inbox } = opened;
      const tellMarked = async (): Promise<number> => {
        const unreadCount = await inbox.countUnread();
        this.#set(entry, { unreadCount });
        this.deps.events.emit('team.marked', { store: id, unreadCount });
        return unreadCount;
      };
      entry.opened = opened;
      entry.source = createTeamSource(inbox, opened, tellMarked);
      const unreadCount = await inbox.countUnread();
      this.#set(entry, { ...this.#describe('open'), user, mayMark, unreadCount });
      opened.follow({
        onArrivals: (arrivals) => void this.#tellArrivals(id, entry, arrivals),
        onLive: () => {
          if (entry.status.state === 'lost') this.#move(entry, 'open', null);
        },
        onLost: (error) => {
          const message = error.code === 'store.refused' ? REFUSED : error.message;
          // Another reason is no other loss.
          if (entry.status.state === 'lost') this.#set(entry, { message });
          else this.#move(entry, 'lost', message);
        },
      });
    } catch (error) {
      const { opened } = entry;
      // Else it would count as open, and could not be opened again.
      [entry.opened, entry.source] = [null, null];
      this.#set(entry, this.#describe('failed', toErrorReply(error).message));
      await opened?.close();
      throw error;
    }
  }

  async #tellArrivals(id: string, entry: Entry, { rows, count }: StoreArrivals): Promise<void> {
    // Read apart from what came: where that fails, the figure of before stands until the next.
    const unreadCount = await entry.opened!.inbox.countUnread().catch(() => entry.status.unreadCount + count);
    this.#set(entry, { unreadCount });
    const webhooks = rows.map((row) => summariseWebhook(row, this.deps.history));
    this.deps.events.emit('team.received', { store: id, webhooks, count, unreadCount });
  }

  #move(entry: Entry, state: Status['state'], message: string | null): void {
    this.#set(entry, { state, message, since: this.deps.clock.now() });
  }

  #set(entry: Entry, change: Partial<Status>): void {
    entry.status = { ...entry.status, ...change };
    this.deps.onChange();
  }

  #describe(state: Status['state'], message: string | null = null): Status {
    return { state, message, since: this.deps.clock.now(), user: null, mayMark: null, unreadCount: 0 };
  }
}
