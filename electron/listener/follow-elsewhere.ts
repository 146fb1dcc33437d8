import type { SqlDatabase } from '../platform/ports';
import type { Arrivals } from './arrivals';
import { readLogRow, type StoredWebhook } from './inbox-log';

/** What another process did to the inbox since the last look. */
export interface ElsewhereChange {
  /** How many webhooks it received that are there still. */
  readonly count: number;
  /** The newest of them, oldest first: at most {@link MOST_READ}, and no more than fit in {@link MOST_BYTES}, but one in any case. */
  readonly newest: readonly StoredWebhook[];
}

/** Commands receive, mark and delete over the same data directory: nobody tells of what they write, so it is looked for. */
const LOOK_MS = 1000;
const MOST_READ = 100;
const MOST_BYTES = 8 * 1024 * 1024;

/** Looks whether another connection wrote to the inbox, and tells of it. */
export class ElsewhereFollower {
  readonly #version;
  readonly #arrivals: Arrivals;
  #seenVersion: number;
  #lastId: number;
  #own: (readonly number[])[] = [];
  readonly #timer: NodeJS.Timeout;

  /** @param readKeys - what signatures are verified with */
  constructor(
    database: SqlDatabase,
    arrivals: Arrivals,
    readKeys: () => readonly string[],
    tell: (change: ElsewhereChange) => void,
  ) {
    this.#version = database.prepare('PRAGMA data_version');
    this.#arrivals = arrivals;
    this.#seenVersion = this.#readVersion();
    this.#lastId = arrivals.lastId();
    const look = (): void => {
      try {
        const change = this.#look(readKeys());
        if (change !== null) tell(change);
      } catch {
        // Locked or damaged: whoever writes next says so, and the next look finds what this one missed.
      }
    };
    this.#timer = setInterval(look, LOOK_MS).unref();
  }

  /** These were received here. */
  noteOwn(ids: readonly number[]): void {
    this.#own.push(ids);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(keys: readonly string[]): ElsewhereChange | null {
    // Before the rows: what is committed between the two is told of now, and the list is read again at the next look.
    const version = this.#readVersion();
    if (version === this.#seenVersion) {
      // Whatever came from elsewhere has a higher id.
      this.#lastId = this.#own.at(-1)?.at(-1) ?? this.#lastId;
      this.#own = [];
      return null;
    }
    const [after, last] = [this.#lastId, this.#arrivals.lastId()];
    const own = new Set(this.#own.flat());
    const ids = this.#arrivals.listIds(after, last).filter((id) => !own.has(id));
    const newest = this.#readNewest(ids, keys);
    this.#seenVersion = version;
    this.#lastId = last;
    this.#own = [];
    return { count: ids.length, newest };
  }

  #readNewest(ids: readonly number[], keys: readonly string[]): StoredWebhook[] {
    const newest: StoredWebhook[] = [];
    let bytes = 0;
    for (const id of ids.slice(-MOST_READ).reverse()) {
      const row = this.#arrivals.get(id);
      if (row === null) continue;
      bytes += row.raw.length;
      if (newest.length > 0 && bytes > MOST_BYTES) break;
      newest.push(readLogRow(row, keys));
    }
    return newest.reverse();
  }

  #readVersion(): number {
    return (this.#version.get() as { data_version: number }).data_version;
  }
}
