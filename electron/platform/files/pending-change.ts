import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@shared/errors';
import { isRecord } from '@shared/json/is-record';
import { databaseNames, listOwnEntries, vaultKeyName } from './data-entries';
import { copyFile, copyTree, renameFile } from './differing-disks';
import {
  freeName,
  isLink,
  makeDirectory,
  readOwnFile,
  removeIfThere,
  syncDirectory,
  toFileError,
  writeFileDurably,
} from './files';
import { isDatabaseOpen, withProcessLockSync } from './process-lock';
import { rebaseCollections } from './rebase-collections';

/** A change of the whole data folder that is made when nothing uses it: at the next start of the app, or by a command. */
export interface PendingChange {
  readonly kind: 'restore' | 'reset' | 'move';
  /** `wanted`: nothing has happened yet. `out`, `in`: what was there is being put aside, what replaces it put in. */
  readonly step: 'wanted' | 'out' | 'in';
  /** Folder in the data folder with what replaces it; null: nothing does. */
  readonly staged: string | null;
  /** Folder in the data folder that what was there goes to; null: not chosen yet. */
  readonly aside: string | null;
  /** Where a move goes. */
  readonly to: string | null;
  /** For the user: the backup that is restored. */
  readonly from: string | null;
}

const JOURNAL = 'pending-change.json';
const MOVED = 'moved-to.json';
const MOST_MOVES = 5;

/** Gives the change that waits for a folder; null: none. */
export function readPendingChange(directory: string): PendingChange | null {
  return readJson<PendingChange>(join(directory, JOURNAL));
}

/** Notes a change, in place of one that waited. */
export function planChange(directory: string, change: PendingChange): void {
  dropPendingChange(directory);
  writeJournal(directory, change);
}

/** Forgets a change that waits; one that has begun is never forgotten. @returns whether there was one */
export function dropPendingChange(directory: string): boolean {
  const change = readPendingChange(directory);
  if (change?.step !== 'wanted') return false;
  removeIfThere(join(directory, JOURNAL));
  if (change.staged !== null) rmSync(join(directory, change.staged), { recursive: true, force: true });
  return true;
}

/**
 * Brings a change to its end that a crash interrupted. To be called before anything of a folder is read.
 *
 * Each step can be done again: what was put aside or put in already is not there any more to be moved.
 */
export function finishChange(directory: string): void {
  const step = readPendingChange(directory)?.step;
  if (step === 'out' || step === 'in') exclusively(directory, () => goOn(directory));
}

/**
 * Makes the change that waits for a folder, if there is one.
 *
 * Nothing of the folder may be in use. What was there is put aside in the folder, and never deleted.
 * @returns the folder that is the data folder from now on
 * @throws {AppError} `data.in_use` naming what is; the change goes on waiting
 */
export function makeChange(directory: string): string {
  const change = readPendingChange(directory);
  if (change === null) return directory;
  return exclusively(directory, () => {
    const used = databaseNames.find((name) => isDatabaseOpen(join(directory, name)));
    if (used !== undefined) {
      throw new AppError(
        'data.in_use',
        `Another Countersign process uses ${join(directory, used)}. End it (app, sandbox, listen, proxy), and try again.`,
        { details: { file: used }, retryable: true },
      );
    }
    if (change.kind === 'move') return moveAway(directory, change.to!);
    if (change.kind === 'restore' && !existsSync(join(directory, change.staged!))) {
      // Somebody tidied it away: without it, a restore would be a reset.
      dropPendingChange(directory);
      return directory;
    }
    if (change.step === 'wanted') {
      writeJournal(directory, { ...change, step: 'out', aside: nameAside(directory, change.kind) });
    }
    goOn(directory);
    return directory;
  });
}

/** Follows a folder that was moved to where it is now. */
export function followMoves(directory: string): string {
  let at = directory;
  for (let count = 0; count < MOST_MOVES; count += 1) {
    const to = readJson<{ to: string }>(join(at, MOVED))?.to;
    if (typeof to !== 'string' || !existsSync(to)) break;
    at = to;
  }
  return at;
}

function goOn(directory: string): void {
  let change = readPendingChange(directory);
  if (change === null) return;
  if (change.step === 'out') {
    putAside(directory, change);
    change = { ...change, step: 'in' };
    writeJournal(directory, change);
  }
  if (change.step !== 'in') return;
  if (change.staged !== null && existsSync(join(directory, change.staged))) {
    moveEntries(join(directory, change.staged), directory, readdirSync(join(directory, change.staged)));
    rmSync(join(directory, change.staged), { recursive: true, force: true });
  }
  syncDirectory(directory);
  removeIfThere(join(directory, JOURNAL));
}

function putAside(directory: string, { kind, aside }: PendingChange): void {
  const target = join(directory, aside!);
  const entries = listOwnEntries(directory);
  if (entries.length === 0 && !existsSync(target)) return;
  makeDirectory(target);
  // What a backup holds was sealed with this key: it stays, and a copy goes along with what it opens, too.
  const keepsKey = kind === 'restore' && entries.includes(vaultKeyName);
  if (keepsKey) copyFile(join(directory, vaultKeyName), join(target, vaultKeyName));
  moveEntries(
    directory,
    target,
    entries.filter((name) => !(keepsKey && name === vaultKeyName)),
  );
}

function moveEntries(from: string, to: string, names: readonly string[]): void {
  for (const name of names) renameFile(join(from, name), join(to, name));
  syncDirectory(to);
  syncDirectory(from);
}

/**
 * Copies, and says where to only when the copy is whole: until then the old folder is the data folder.
 *
 * One that fails is given up: it would keep the app from starting for as long as its folder takes nothing.
 */
function moveAway(directory: string, to: string): string {
  const staged = join(to, '.moving');
  let placed: readonly string[] = [];
  try {
    rmSync(staged, { recursive: true, force: true });
    makeDirectory(staged);
    const names = listOwnEntries(directory).filter((name) => !name.endsWith('-shm'));
    for (const name of names)
      copyTree(join(directory, name), join(staged, name), { preserveTimestamps: true });
    rebaseSettings(staged, directory, to);
    // A move that was interrupted has put in a part of the same.
    for (const name of names) rmSync(join(to, name), { recursive: true, force: true });
    placed = names;
    moveEntries(staged, to, names);
    rmSync(staged, { recursive: true, force: true });
    writeFileDurably(join(directory, MOVED), `${JSON.stringify({ to })}\n`);
  } catch (error) {
    const { code, message, details } = toFileError(error, to);
    const isNoted = followMoves(directory) === to;
    if (isNoted || details['reason'] === 'unknown') throw error;
    for (const path of [staged, ...placed.map((name) => join(to, name))]) tryToRemove(path);
    dropPendingChange(directory);
    const kept = `The data were not moved and stay in ${directory}; start again to go on there.`;
    throw new AppError(code, `${message} ${kept}`, { details, cause: error });
  }
  removeIfThere(join(directory, JOURNAL));
  return to;
}

/** What was written there since would go with the folder that was left. Settings that lie elsewhere, behind a link, stay. */
function rebaseSettings(copy: string, from: string, to: string): void {
  const file = join(copy, 'settings.json');
  const settings = isLink(file) ? null : readJson(file);
  if (!isRecord(settings)) return;
  const rebased = rebaseCollections(settings, [from, realpathSync(from)], { to, copy });
  if (JSON.stringify(rebased) !== JSON.stringify(settings))
    writeFileDurably(file, JSON.stringify(rebased, null, '\t'));
}

/** What a disk does not let go of is left. */
function tryToRemove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Why it failed before is what is told.
  }
}

function nameAside(directory: string, kind: PendingChange['kind']): string {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return freeName(join(directory, `before-${kind}-${stamp}`)).slice(directory.length + 1);
}

const writeJournal = (directory: string, change: PendingChange): void =>
  writeFileDurably(join(directory, JOURNAL), `${JSON.stringify(change)}\n`);

const exclusively = <T>(directory: string, run: () => T): T =>
  withProcessLockSync(join(directory, 'data.lock'), run);

function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readOwnFile(file).toString('utf8')) as T;
  } catch {
    return null;
  }
}
