import { appendFileSync, existsSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@shared/errors';
import { copyFile, renameFile, syncPath } from '../files/differing-disks';
import {
  freeName,
  readOwnFile,
  refuseOtherThanFile,
  removeIfThere,
  syncDirectory,
  writeOwnFile,
} from '../files/files';
import { escapeName, removeLeftOfProcesses } from '../files/remove-leftovers';
import { findWorker } from '../workers/find-worker';
import type { SqlDatabase } from '../ports';
import { listPassedSwitches } from '../passed-switches';
import { isLogDamaged, readPageSize } from './log-damage';
import { refuseUnfitDatabase } from './refuse-unfit';
import { RESCUE_BEGUN, RESCUE_SWITCH } from './rescue-act';
import { isSound, saveRows, type Salvage } from './salvage';

const CHECK_LIMIT_MS = 10_000;
const SAVE_LIMIT_MS = 120_000;

/** What is done with a database that turns out to be damaged. */
export interface Rescue {
  /** The table that is counted for the user, and what its rows are called. */
  counted: { table: string; noun: string };
  /** Brings what is made from other tables up to date in the new file. */
  after?: string;
  /** Told what was saved and lost, in a sentence for the user. */
  onRescued(message: string): void;
}

/**
 * Makes sure that a database can be used, where it was not closed cleanly or was changed since.
 *
 * It is looked at in a process of its own, for a bounded time. A damaged one is copied aside, never deleted, and
 * every row that can be read goes into a new one in its place. To be called while nothing of this process has it open.
 * @param open - opens a database of the schema, an empty one where there is none
 */
export function ensureSound(file: string, rescue: Rescue, open: (file: string) => SqlDatabase): void {
  refuseUnfitDatabase(file);
  tellOfLoss(file, rescue);
  const wasEmptied = refillEmptied(file);
  if (!existsSync(file) || wasClosedCleanly(file)) return;
  // One that was killed while it looked has left its new file; it is never closed, so the next start comes by here.
  const left = String.raw`^${escapeName(basename(file))}\.new-(\d{1,10})(?:\.scratch)?(?:-journal|-wal|-shm|\.closed)?$`;
  removeLeftOfProcesses(dirname(file), new RegExp(left));
  const fresh = `${file}.new-${process.pid}`;
  try {
    try {
      open(fresh).close();
    } catch (error) {
      // Nothing could be saved either: what is there can be read, and is looked at when it is opened next.
      if (isFull(error) && !wasEmptied) return;
      throw error;
    }
    // Where nothing can be said in time, it is used as it is: each call still refuses what it cannot read.
    const check = (): unknown =>
      runApart('check', [file, fresh], CHECK_LIMIT_MS, () => isSound(file, fresh, false));
    if (!wasEmptied && check() !== false) return noteClosed(file);
    requireRoom(file);
    const message = replaceDamaged(file, fresh, rescue, open);
    keepNotice(file, message);
    rescue.onRescued(message);
  } finally {
    for (const one of [fresh, `${fresh}.scratch`])
      for (const end of ['', '-journal', '-wal', '-shm', '.closed']) removeIfThere(`${one}${end}`);
  }
}

const isFull = (error: unknown): boolean => error instanceof AppError && error.code === 'platform.disk_full';

/**
 * SQLite drops the log of a file that is empty or missing, and with it all that only the log holds. With one blank
 * page in front of it, it reads the log.
 * @returns whether there was such a log
 */
function refillEmptied(file: string): boolean {
  if (sizeOf(file) > 0 || sizeOf(`${file}-wal`) === 0) return false;
  const pageBytes = readPageSize(`${file}-wal`);
  if (pageBytes === null) return false;
  writeFileSync(file, Buffer.alloc(pageBytes), { mode: 0o600 });
  return true;
}

/** A log that somebody found damaged who opened the file before the one that writes, which tells of it. */
const untoldOf = (file: string): string => `${file}-wal.untold`;
const told = new Set<string>();

/**
 * Keeps what SQLite would drop without a word when a file is opened: its log, where the file was emptied, and a copy of a
 * log that is damaged. Whoever looks at a database, or for its lock, may be the first to open it after a crash.
 */
export function keepLog(file: string): void {
  if (sizeOf(`${file}-wal`) === 0) return;
  refillEmptied(file);
  try {
    if (!told.has(file)) keepDamagedLog(file);
  } catch {
    // No room for a copy, or nothing may be written there: what can be read is read all the same.
  }
}

function keepDamagedLog(file: string): void {
  const log = `${file}-wal`;
  const logBytes = sizeOf(log);
  if (logBytes === 0 || existsSync(untoldOf(file)) || !isLogDamaged(log, logBytes)) return;
  copyFile(log, untoldOf(file));
  syncPath(untoldOf(file));
}

/** Says of what was emptied, or stands in a log that is damaged, that it is lost: SQLite begins anew without a word. */
function tellOfLoss(file: string, rescue: Rescue): void {
  const name = basename(file);
  const log = `${file}-wal`;
  const logBytes = sizeOf(log);
  const messages: string[] = [];
  keepDamagedLog(file);
  if (existsSync(untoldOf(file))) {
    const keptAt = freeName(`${log}.damaged`);
    renameFile(untoldOf(file), keptAt);
    told.add(file);
    messages.push(
      `The log of ${name} was damaged: ${rescue.counted.noun} that came last may be lost. It is kept as ${basename(keptAt)}.`,
    );
  }
  const closedBytes = Number(readClosed(file).split(' ')[0]);
  if (closedBytes > 0 && logBytes === 0 && existsSync(file) && sizeOf(file) === 0) {
    forgetClosed(file);
    messages.push(
      `${name} was emptied by something else: it held ${closedBytes} bytes when it was closed, and is begun anew. ` +
        'To have back what was in it, end Countersign and put a copy in its place.',
    );
  }
  for (const message of messages) {
    keepNotice(file, message);
    rescue.onRescued(message);
  }
}

/** The damaged file is copied, and so is what is saved of it: rows that find no room would count as lost. */
function requireRoom(file: string): void {
  const needed = 3 * (sizeOf(file) + sizeOf(`${file}-wal`));
  const { blocks, bavail, bsize } = statfsSync(dirname(file));
  // Some disks do not tell their size.
  if (blocks === 0 || needed <= bavail * bsize) return;
  throw new AppError(
    'platform.disk_full',
    `${basename(file)} is damaged, and what can be read of it is saved once its disk has room for that: ` +
      `${Math.ceil(needed / 1e6)} MB. Free some in ${dirname(file)}, and try again.`,
    { details: { file }, retryable: true },
  );
}

function replaceDamaged(
  file: string,
  fresh: string,
  rescue: Rescue,
  open: (file: string) => SqlDatabase,
): string {
  const keptAt = freeName(`${file}.damaged`);
  copyFile(file, keptAt);
  if (existsSync(`${file}-wal`)) copyFile(`${file}-wal`, `${keptAt}-wal`);
  syncPath(keptAt);
  const scratch = `${fresh}.scratch`;
  const salvage = runApart('save', [file, fresh, scratch], SAVE_LIMIT_MS, () =>
    saveRows(file, fresh, scratch),
  );
  const database = open(fresh);
  // Counted where they are now: who saved them may have been ended before it could tell.
  const [found] = database.prepare(`SELECT count(*) AS saved FROM "${rescue.counted.table}"`).all() as {
    saved: number;
  }[];
  if (rescue.after !== undefined) database.exec(`BEGIN; ${rescue.after}; COMMIT`);
  database.close();
  // A copy: the library may hold the file that it closed until its memory is collected, and with it that file's name.
  copyFile(fresh, scratch);
  syncPath(scratch);
  // The log of the damaged file must not be read into the new one.
  for (const end of ['-wal', '-shm']) removeIfThere(`${file}${end}`);
  renameFile(scratch, file);
  syncDirectory(dirname(file));
  const of = (typeof salvage === 'object' ? salvage : null)?.[rescue.counted.table]?.of ?? null;
  return describeRescue(file, keptAt, rescue, { saved: found?.saved ?? 0, of });
}

function describeRescue(
  file: string,
  keptAt: string,
  { counted }: Rescue,
  { saved, of }: Salvage[string],
): string {
  const lost =
    of === null ? 'how many there were cannot be told' : `${Math.max(0, of - saved)} of ${of} are lost`;
  return (
    `${basename(file)} was damaged. ${saved} ${counted.noun} were saved into a new one (${lost}); ` +
    `the damaged file is kept as ${basename(keptAt)}.`
  );
}

/** Runs it in a process of its own where there is a built one. @returns null where it did not end well, or in time */
function runApart<T>(act: string, args: readonly string[], limitMs: number, here: () => T): T | false | null {
  const entry = fileURLToPath(findWorker('rescue'));
  if (!existsSync(entry)) return here();
  // Loaded where a database is looked at: it takes a part of each start.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout, error } = spawnSync(process.execPath, [...startOf(entry), act, ...args], {
    env: givenEnvironment(),
    encoding: 'utf8',
    timeout: limitMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  const [begun, said = ''] = (stdout ?? '').split('\n');
  // It did not come up: nobody looked at the file.
  if (begun !== RESCUE_BEGUN) return null;
  if (said.startsWith('{"result"')) return (JSON.parse(said) as { result: T }).result;
  // It died over the file: that is an answer, too.
  return error === undefined ? false : null;
}

/** The desktop app starts itself, with a word that it reads before anything else; Node starts the file. */
function startOf(entry: string): string[] {
  if (process.versions['electron'] === undefined) return [entry];
  // Packaged, the binary knows its app; else the app's folder is named, two above its workers.
  const app = entry.includes('.asar') ? [] : [dirname(dirname(dirname(entry)))];
  return [...listPassedSwitches(), ...WITHOUT_WINDOW, ...app, RESCUE_SWITCH];
}

/** It draws nothing: with a display, and a process that draws, it takes twice as long to come up, and the app's window waits. */
const WITHOUT_WINDOW = ['--ozone-platform=headless', '--disable-gpu', '--in-process-gpu'];

/** No secret of ours goes along: what a process needs to start. */
const GIVEN = ['PATH', 'SystemRoot', 'HOME'];

function givenEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(GIVEN.map((name) => [name, process.env[name]]).filter(([, value]) => value));
}

/** Notes that a database was closed with everything in its one file. */
export function noteClosed(file: string): void {
  if (sizeOf(`${file}-wal`) > 0) return;
  try {
    writeOwnFile(`${file}.closed`, describeState(file));
  } catch {
    // It is looked at when it is opened next.
  }
}

/** Lets a database be looked at when it is opened next: it was found to be damaged. */
export function forgetClosed(file: string): void {
  removeIfThere(`${file}.closed`);
}

const noticeOf = (file: string): string => `${file}.rescued`;

/** Keeps what was saved and lost until the user has taken note of it, whoever shows it. */
function keepNotice(file: string, message: string): void {
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ');
  try {
    refuseOtherThanFile(noticeOf(file));
    appendFileSync(noticeOf(file), `${at} UTC: ${message}\n`, { mode: 0o600 });
  } catch {
    // It is told once, by whoever opened the file.
  }
}

/** What was saved and lost of a database; null: nothing that was not taken note of. */
export function readRescueNotice(file: string): string | null {
  try {
    return readOwnFile(noticeOf(file)).toString('utf8').trim() || null;
  } catch {
    return null;
  }
}

/** Told that the user has taken note. */
export function dismissRescueNotice(file: string): void {
  removeIfThere(noticeOf(file));
}

function wasClosedCleanly(file: string): boolean {
  try {
    return sizeOf(`${file}-wal`) === 0 && readClosed(file) === describeState(file);
  } catch {
    return false;
  }
}

/** What was noted of it when it was closed; empty: nothing that can be read. */
function readClosed(file: string): string {
  try {
    return readOwnFile(`${file}.closed`).toString('utf8');
  } catch {
    return '';
  }
}

function describeState(file: string): string {
  const { size, mtimeNs } = statSync(file, { bigint: true });
  return `${size} ${mtimeNs}`;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
