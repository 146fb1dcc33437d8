import type { SqlDatabase } from '../platform/ports';

/** Many requests, one commit: nothing is answered before what it wrote is on the disk. */
export interface GroupCommit {
  /** Runs work inside the transaction that is open; opens one where there is none. */
  write<T>(work: () => T): T;
  /** Runs at once where nothing waits for a commit, else after it; the error tells that all of it was undone. */
  afterCommit(run: (failure: Error | null) => void): void;
  /** Commits now. @throws what the database said, after undoing all of it */
  flush(): void;
}

/** A commit waits for more only so long. */
const LARGEST_GROUP = 40;
const MOST_TURNS = 50;

/**
 * Gathers the writes of one turn of the event loop into one transaction.
 *
 * All requests that have arrived by then share one `fsync`; that is what makes durable answers affordable.
 * A write that fails undoes its whole turn: every request in it is answered with an error and may be sent again.
 * @param hooks.beforeCommit - writes what is kept in memory during a turn (wallets)
 * @param hooks.isMoreComing - tells that more writes are about to come; the commit waits a few turns for them
 * @param hooks.onRollback - forgets what is kept in memory and reads it again
 */
export function createGroupCommit(
  db: SqlDatabase,
  hooks: { beforeCommit(): void; onRollback(): void; isMoreComing?(): boolean },
): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  let isOpen = false;
  let failure: Error | null = null;
  let waiting: ((failure: Error | null) => void)[] = [];
  let turn: NodeJS.Immediate | null = null;
  let turns = 0;

  const undo = (): void => {
    if (db.inTransaction) rollback.run();
    hooks.onRollback();
  };

  const endTurn = (): void => {
    if (hooks.isMoreComing?.() === true && waiting.length < LARGEST_GROUP && ++turns < MOST_TURNS) {
      turn = setImmediate(endTurn);
    } else finish();
  };

  const finish = (): void => {
    if (!isOpen) return;
    turns = 0;
    if (turn !== null) clearImmediate(turn);
    turn = null;
    try {
      if (failure === null) {
        hooks.beforeCommit();
        commit.run();
      }
    } catch (error) {
      failure = toError(error);
    }
    const result = failure;
    const told = waiting;
    isOpen = false;
    failure = null;
    waiting = [];
    if (result !== null) undo();
    for (const tell of told) tell(result);
  };

  return {
    write(work) {
      if (!isOpen) {
        begin.run();
        isOpen = true;
        turn = setImmediate(endTurn);
      }
      try {
        return work();
      } catch (error) {
        failure ??= toError(error);
        throw error;
      }
    },
    afterCommit(run) {
      if (isOpen) waiting.push(run);
      else run(null);
    },
    flush() {
      let result: Error | null = null;
      if (isOpen) waiting.push((error) => (result = error));
      finish();
      if (result !== null) throw result;
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
