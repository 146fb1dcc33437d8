import { fdatasync, fdatasyncSync } from 'node:fs';
import type { SqlDatabase } from '../../platform/ports';

/** Many requests, one commit: nothing is answered before what it wrote is on the disk. */
export interface GroupCommit {
  /** Runs work inside the transaction that is open; opens one where there is none. @throws what the work threw: its turn is undone */
  write<T>(work: () => T): T;
  /** Resolves once nothing that was written or read until now is under way to the disk; an error tells that it was undone. */
  afterCommit(): Promise<Error | null>;
  /** Commits and syncs before it returns; who waits for it is told in his turn. @throws what the database or the disk said */
  flush(): void;
}

type Told = (failure: Error | null) => void;

/**
 * Gathers the writes of one turn of the event loop into one transaction, and syncs it off the event loop.
 *
 * With a log to sync, the database runs at `synchronous=NORMAL`: COMMIT writes the log, `fdatasync` in the thread
 * pool brings it to the disk, and only then anyone is told. That is what FULL does, but the next requests are
 * read meanwhile. A write that fails undoes its whole turn: all of it may be sent again.
 * @param logFile - descriptor of the write-ahead log; null for a database in memory
 * @param requireFolder - throws where its folder has gone: what was written would not be found again
 */
export function createGroupCommit(
  db: SqlDatabase,
  logFile: number | null,
  requireFolder: () => void = () => undefined,
): GroupCommit {
  const transaction = createTransaction(db, requireFolder);
  const disk = createDisk(logFile);
  let turn: NodeJS.Immediate | null = null;

  /** Ends the transaction; gives those who wait for it, once it is committed, to the disk. */
  const finish = (): void => {
    if (turn !== null) clearImmediate(turn);
    turn = null;
    const { failure, waiting } = transaction.end();
    if (failure === null) return disk.sync(waiting);
    for (const tell of waiting) tell(failure);
  };

  return {
    write(work) {
      if (transaction.begin()) turn = setImmediate(finish);
      return transaction.run(work);
    },
    afterCommit: () =>
      new Promise((tell) => {
        if (!transaction.wait(tell)) disk.afterSync(tell);
      }),
    flush() {
      let result: Error | null = null;
      if (transaction.wait((failure) => (result = failure))) finish();
      disk.syncNow();
      if (result !== null) throw result;
    },
  };
}

/** The one transaction that is open, or none. */
function createTransaction(db: SqlDatabase, requireFolder: () => void) {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  let isOpen = false;
  let failure: Error | null = null;
  let waiting: Told[] = [];

  return {
    /** @returns whether one was opened: false where one is open */
    begin(): boolean {
      if (isOpen) return false;
      begin.run();
      return (isOpen = true);
    },
    run<T>(work: () => T): T {
      try {
        return work();
      } catch (error) {
        failure ??= toError(error);
        throw error;
      }
    },
    /** @returns false where none is open: there is nothing to wait for */
    wait(tell: Told): boolean {
      if (isOpen) waiting.push(tell);
      return isOpen;
    },
    /** Commits, or undoes what failed; gives up those who wait. */
    end(): { failure: Error | null; waiting: Told[] } {
      try {
        if (failure === null) {
          requireFolder();
          commit.run();
        }
      } catch (error) {
        failure = toError(error);
      }
      const result = { failure, waiting };
      isOpen = false;
      failure = null;
      waiting = [];
      if (result.failure !== null && db.inTransaction) rollback.run();
      return result;
    },
  };
}

/** Brings a log to the disk: one sync at a time, and what comes meanwhile shares the next one. */
function createDisk(logFile: number | null) {
  /** Those whom the sync under way will tell; null: there is none. */
  let syncing: Told[] | null = null;
  /** Those who wait for the sync after it; null: nothing was committed that it would bring home. */
  let next: Told[] | null = null;

  const start = (): void => {
    if (logFile === null || next === null) return;
    const told = (syncing = next);
    next = null;
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
    /** Syncs what was committed, whether somebody waits for it or not. */
    sync(told: readonly Told[]): void {
      if (logFile === null) return tellAll(told, null);
      (next ??= []).push(...told);
      if (syncing === null) start();
    },
    afterSync(run: Told): void {
      const waiting = next ?? syncing;
      if (waiting === null) run(null);
      else waiting.push(run);
    },
    syncNow(): void {
      if (logFile === null) return;
      let failure: Error | null = null;
      try {
        fdatasyncSync(logFile);
      } catch (error) {
        failure = toError(error);
      }
      const told = next ?? [];
      next = null;
      tellAll(told, failure);
      if (failure !== null) throw failure;
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
