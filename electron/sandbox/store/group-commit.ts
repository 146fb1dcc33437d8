import { fdatasync, fdatasyncSync } from 'node:fs';
import type { SqlDatabase } from '../../platform/ports';

/** Many requests, one commit: nothing is answered before what it wrote is on the disk. */
export interface GroupCommit {
  /** Runs work inside the transaction that is open; opens one where there is none. */
  write<T>(work: () => T): T;
  /** Runs at once where nothing is under way to the disk, else when it is there; the error tells that it is not. */
  afterCommit(run: (failure: Error | null) => void): void;
  /** Commits and syncs before it returns; who waits for it is told in his turn. @throws what the database or the disk said */
  flush(): void;
  /** Resolves when nothing is under way to the disk any more. */
  whenIdle(): Promise<void>;
}

type Told = (failure: Error | null) => void;

export interface GroupCommitHooks {
  /** Decides and writes what was kept in memory during a turn. */
  beforeCommit(): void;
  /** Forgets what is kept in memory and reads it again. */
  onRollback(): void;
}

/**
 * Gathers the writes of one turn of the event loop into one transaction, and syncs it off the event loop.
 *
 * With a log to sync, the database runs at `synchronous=NORMAL`: COMMIT writes the log, `fdatasync` in the thread
 * pool brings it to the disk, and only then anyone is told. That is what FULL does, but the next requests are
 * read meanwhile. A write that fails undoes its whole turn: all of it may be sent again.
 * @param logFile - descriptor of the write-ahead log; null for a database in memory
 */
export function createGroupCommit(
  db: SqlDatabase,
  logFile: number | null,
  hooks: GroupCommitHooks,
): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const disk = createDisk(logFile);
  let isOpen = false;
  let failure: Error | null = null;
  let waiting: Told[] = [];
  let turn: NodeJS.Immediate | null = null;

  /** Ends the transaction; gives those who wait for it, once it is committed, to the disk. */
  const finish = (): void => {
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
    const [result, told] = [failure, waiting];
    isOpen = false;
    failure = null;
    waiting = [];
    if (result === null) return disk.sync(told);
    if (db.inTransaction) rollback.run();
    hooks.onRollback();
    for (const tell of told) tell(result);
  };

  return {
    write(work) {
      if (!isOpen) {
        begin.run();
        isOpen = true;
        turn = setImmediate(finish);
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
      else disk.afterSync(run);
    },
    flush() {
      let result: Error | null = null;
      if (isOpen) {
        waiting.push((error) => (result = error));
        finish();
      }
      disk.syncNow();
      if (result !== null) throw result;
    },
    whenIdle: () => new Promise((resolve) => disk.afterSync(() => resolve())),
  };
}

/** Brings a log to the disk: one sync at a time, and what comes meanwhile shares the next one. */
function createDisk(logFile: number | null) {
  let syncing: Told[] | null = null;
  let next: Told[] = [];

  const start = (): void => {
    if (logFile === null || next.length === 0) return;
    const told = (syncing = next);
    next = [];
    fdatasync(logFile, (error) => {
      syncing = null;
      // What came meanwhile is on its way before anybody reacts to this.
      start();
      for (const tell of told) tell(error);
    });
  };
  const tellAll = (told: readonly Told[], failure: Error | null): void => {
    for (const tell of told) tell(failure);
  };

  return {
    sync(told: readonly Told[]): void {
      if (logFile === null) return tellAll(told, null);
      next.push(...told);
      if (syncing === null) start();
    },
    afterSync(run: Told): void {
      if (next.length > 0) next.push(run);
      else if (syncing !== null) syncing.push(run);
      else run(null);
    },
    syncNow(): void {
      if (logFile === null) return;
      let failure: Error | null = null;
      try {
        fdatasyncSync(logFile);
      } catch (error) {
        failure = toError(error);
      }
      const told = next;
      next = [];
      tellAll(told, failure);
      if (failure !== null) throw failure;
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
