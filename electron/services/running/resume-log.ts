import { createHash } from 'node:crypto';
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '@shared/errors';
import { isRecord } from '@shared/json/is-record';
import { parseOrNothing } from '@shared/json/parse-or-nothing';
import type { RunPlan } from '@shared/run/plan-run';
import type { ExpectationResult, RequestOutcome } from '@shared/run/run-result';
import { readBodyFile } from '../collections/body-files';
import { findStats, toFileError } from '../../platform/files/files';
import { readRegularFile, type ReadFault } from '../../platform/files/regular-file';
import { openUnlinked } from '../../platform/files/open-unlinked';

/** What a run of rows was begun with; other requests or other rows cannot go on with it. */
export interface ResumeHead {
  readonly version: 2;
  /** Path of the rows, absolute. */
  readonly data: string;
  /** Of the bytes of the rows. */
  readonly sha256: string;
  /** Of the requests, as `digestRequests` has it. */
  readonly requests: string;
  /** Scheme, host and port; a sandbox of this machine by its name: its port may be another each time. */
  readonly service: string;
  /** How often all rows are run; earlier versions did not note it. */
  readonly iterations?: number;
}

/** A request that had left, or was about to, when the run ended. */
export interface InFlight {
  readonly reference: string | null;
  /** What was drawn for it: it leaves with the same values, if it leaves at all. */
  readonly draws: readonly { readonly expression: string; readonly value: string }[];
  /** As `digestBody` has it; earlier versions did not note it. */
  readonly body?: string;
}

/** Remembers, through a crash at any moment, what a run has sent. */
export interface ResumeLog {
  /** Null: it is not over. */
  findOutcome(key: string): RequestOutcome | null;
  findInFlight(key: string): InFlight | null;
  /** The request that a reference belongs to; null: nobody sent it yet. */
  findOwner(reference: string): string | null;
  /** On disk when it returns: the request may leave. */
  begin(key: string, inFlight: InFlight): void;
  /** What an earlier run judged of it by its answer, by line; empty: none came. */
  findJudged(key: string): ReadonlyMap<number, 'held' | 'failed'>;
  /** Keeps what was judged by the answer: one that is cut off while it waits has that behind it. */
  judge(key: string, expectations: readonly ExpectationResult[]): void;
  /** What a request captured, for those after it; empty: nothing, or nothing that was written down. */
  findCaptured(key: string): Readonly<Record<string, string>>;
  capture(key: string, values: Readonly<Record<string, string>>): void;
  /** `error` is not final: it was never sent. */
  end(key: string, outcome: RequestOutcome): void;
  close(isOver: boolean): void;
}

type LogLine =
  | ({ readonly key: string; readonly state: 'sending' } & InFlight)
  | {
      readonly key: string;
      readonly state: 'answered';
      /** Line of the file, and how it came out: no text of an answer. */
      readonly judged: readonly (readonly [line: number, outcome: 'held' | 'failed'])[];
    }
  | { readonly key: string; readonly state: 'captured'; readonly values: Readonly<Record<string, string>> }
  | { readonly key: string; readonly state: 'done'; readonly outcome: RequestOutcome }
  | { readonly state: 'over' };

const nameIt = 'Name the file that `run --data … --out DIR` wrote; nothing was sent.';

const badFile = (file: string, why: string): AppError => new AppError('running.bad_resume', `${file} ${why}`);

/**
 * Tells the requests of one run from those of another: their texts, body files, places and order, wherever their folder lies.
 *
 * What was sent is noted by place. Were another request at it, that one would count as sent, and the one that was would be
 * sent again.
 */
export function digestRequests({ requests }: Pick<RunPlan, 'requests'>): string {
  const digestFile = rememberFiles();
  const parts = requests.map(({ request: { name, block, text, directory } }) => [
    name,
    block.line,
    text,
    block.fileVariables,
    ...block.bodyCuts.flatMap(({ put }) => (typeof put === 'string' ? [] : digestFile(directory, put.path))),
  ]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** One whose path holds a variable is another for each row: `digestBody` has it. One that cannot be read is none. */
function rememberFiles(): (directory: string, path: string) => string {
  const known = new Map<string, string>();
  return (directory, path) => {
    const key = JSON.stringify([directory, path]);
    const digest = known.get(key) ?? digestBodyFile(directory, path);
    known.set(key, digest);
    return digest;
  };
}

function digestBodyFile(directory: string, path: string): string {
  if (path.includes('{{')) return '';
  try {
    return createHash('sha256').update(readBodyFile(directory, path)).digest('hex');
  } catch (error) {
    if (error instanceof AppError) return '';
    throw error;
  }
}

/** More than any run writes; what is read may be another file than a run's. */
const mostBytes = 1024 * 1024 * 1024;

function readBytes(file: string, advice: string): Buffer {
  const { bytes, fault } = readRegularFile(file, { root: dirname(file), maxBytes: mostBytes });
  if (bytes !== null) return bytes;
  throw badFile(file, `${faults[fault]}. ${advice}`);
}

const faults: Readonly<Record<ReadFault, string>> = {
  missing: 'is not there',
  outside: 'is a link that leads out of its folder',
  not_regular: 'is no file',
  too_large: `is larger than ${mostBytes / 1024 / 1024} MiB`,
  forbidden: 'may not be read: look at its permissions',
  crowded: 'could not be opened, as too many files are: raise the limit (ulimit -n), and try again',
  unreadable: 'could not be read by the system: try again, and look at its disk',
};

/**
 * Reads a log line by line, so that one of millions needs no more memory than what is kept of it.
 *
 * @param take - gets each line behind the head, which may be followed by one that is none
 */
function readLog(
  file: string,
  take: (line: LogLine) => void,
  advice = nameIt,
): { head: ResumeHead; wholeBytes: number } {
  const bytes = readBytes(file, advice);
  // What a crash cut off was never acted upon.
  const wholeBytes = bytes.lastIndexOf(10) + 1;
  let head: unknown;
  let number = 0;
  for (let at = 0; at < wholeBytes;) {
    number += 1;
    const start = at;
    const end = bytes.indexOf(10, start);
    at = end + 1;
    if (end === start) continue;
    const line = parseOrNothing(bytes.toString('utf8', start, end));
    if (head === undefined) head = line ?? null;
    // One that says something else than was written would have what was sent leave again.
    else if (isLogLine(line)) take(line);
    else throw refuseUnread(file, head, { unread: number, advice });
  }
  if (isHead(head)) return { head, wholeBytes };
  throw refuseUnread(file, head, { unread: 1, advice });
}

function refuseUnread(
  file: string,
  head: unknown,
  { unread, advice }: { unread: number; advice: string },
): AppError {
  const version = (head as { version?: unknown } | null | undefined)?.version;
  return badFile(file, describeUnread(version, unread) ?? `is not the resume.json of a run. ${advice}`);
}

/** @param unread - the first line that says nothing known, from 1; that of the head: none */
function describeUnread(version: unknown, unread: number): string | null {
  if (version === 1)
    return 'is of an earlier version of Countersign, which did not note its requests. Send the rows that are left from a file of their own; nothing was sent.';
  if (typeof version === 'number' && version > 2)
    return 'is of a newer version of Countersign. Go on with that one; nothing was sent.';
  return version === 2 && unread > 1
    ? `was changed, or written on by a newer version of Countersign: its line ${unread} says nothing that this one knows. Look there what was sent, and go on with the file as the run wrote it; nothing was sent.`
    : null;
}

function isHead(head: unknown): head is ResumeHead {
  if (!isRecord(head) || head['version'] !== 2) return false;
  const { data, sha256, requests, service, iterations = 1 } = head;
  const areTexts = [data, sha256, requests, service].every((one) => typeof one === 'string');
  return areTexts && Number.isSafeInteger(iterations) && Number(iterations) >= 1;
}

/** Iteration, row, place. */
const KEY = /^\d{1,15}\/\d{1,15}\/\d{1,15}$/;
const OUTCOMES: ReadonlySet<unknown> = new Set<RequestOutcome>([
  'passed',
  'failed',
  'error',
  'skipped',
  'unfinished',
]);

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

const areAll = (value: unknown, fits: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits);

const isDraw = (value: unknown): boolean =>
  isRecord(value) && typeof value['expression'] === 'string' && typeof value['value'] === 'string';

const isVerdict = (value: unknown): boolean =>
  Array.isArray(value) && typeof value[0] === 'number' && (value[1] === 'held' || value[1] === 'failed');

const FITS: Readonly<Record<LogLine['state'], (line: Record<string, unknown>) => boolean>> = {
  sending: ({ reference, draws, body = '' }) =>
    isTextOrNull(reference) && areAll(draws, isDraw) && typeof body === 'string',
  answered: ({ judged }) => areAll(judged, isVerdict),
  captured: ({ values }) => isRecord(values) && Object.values(values).every((one) => typeof one === 'string'),
  done: ({ outcome }) => OUTCOMES.has(outcome),
  over: () => true,
};

function isLogLine(line: unknown): line is LogLine {
  if (!isRecord(line) || !Object.hasOwn(FITS, String(line['state']))) return false;
  const state = line['state'] as LogLine['state'];
  return (state === 'over' || KEY.test(String(line['key']))) && FITS[state](line);
}

/** Writes a line to its end, or nothing of it: half a line in the middle could not be read again. */
function writeWhole(descriptor: number, line: string, file: string): void {
  let size: number | null = null;
  try {
    size = fstatSync(descriptor).size;
    writeFileSync(descriptor, line);
  } catch (error) {
    if (size !== null) cutBack(descriptor, size);
    throw toFileError(error, file);
  }
}

/** A disk that has gone takes nothing back, either: half a line at its end is passed over, and one in the midst refused. */
function cutBack(descriptor: number, size: number): void {
  try {
    ftruncateSync(descriptor, size);
  } catch {
    // As said above.
  }
}

function syncLog(descriptor: number, file: string): void {
  try {
    fdatasyncSync(descriptor);
  } catch (error) {
    throw toFileError(error, file);
  }
}

/** Writes the first line of a new file; a file that finds no room for it is none, and goes again. */
function writeHead(head: ResumeHead, { descriptor, file }: { descriptor: number; file: string }): void {
  try {
    writeWhole(descriptor, `${JSON.stringify(head)}\n`, file);
    syncLog(descriptor, file);
  } catch (error) {
    closeSync(descriptor);
    rmSync(file, { force: true });
    throw error;
  }
}

/** Reads what a run was begun with. @throws {AppError} `running.bad_resume` */
export function readResumeHead(file: string): ResumeHead {
  return readLog(file, () => undefined).head;
}

/**
 * Tells whether a file is that of a run which has something left to send.
 *
 * @throws {AppError} `running.bad_resume` where it is somebody's own, which no run may write over
 */
export function isUnfinishedRun(file: string): boolean {
  // Empty: its run was ended before it began.
  if ((findStats(file)?.size ?? 0) === 0) return false;
  const advice = 'Move it away, or name another folder with --out; nothing was sent.';
  let isOver = false;
  readLog(file, ({ state }) => void (isOver ||= state === 'over'), advice);
  return !isOver;
}

/**
 * Opens the log of a run with rows: a new one, or one to go on with.
 *
 * Each request stands in it, synced, before it leaves; a run that was killed in between asks for that one's status first.
 * @throws {AppError} `running.bad_resume`, `platform.unwritable`, `platform.disk_full`
 */
export function openResumeLog(file: string, head: ResumeHead, isContinued: boolean): ResumeLog {
  const outcomes = new Map<string, RequestOutcome>();
  const inFlight = new Map<string, InFlight>();
  const owners = new Map<string, string>();
  const answered = new Map<string, ReadonlyMap<number, 'held' | 'failed'>>();
  const captured = new Map<string, Readonly<Record<string, string>>>();
  const take = (line: LogLine): void => {
    if (line.state === 'sending') {
      inFlight.set(line.key, line);
      if (line.reference !== null) owners.set(line.reference, line.key);
    } else if (line.state === 'answered') answered.set(line.key, new Map(line.judged));
    else if (line.state === 'captured') captured.set(line.key, line.values);
    else if (line.state === 'done') outcomes.set(line.key, line.outcome);
  };
  try {
    if (isContinued) {
      const { wholeBytes } = readLog(file, take);
      truncateSync(file, wholeBytes);
    }
    if (!isContinued) closeSync(openUnlinked(file, 'anew', 0o600));
    const descriptor = openUnlinked(file, 'append', 0o600);
    const write = (line: LogLine): void => writeWhole(descriptor, `${JSON.stringify(line)}\n`, file);
    /** Not synced by itself: one that is lost is asked for by its status. So is one that finds no room: what leaves next says so. */
    const writeIfRoom = (line: LogLine): void => {
      try {
        write(line);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    };
    const sync = (): void => syncLog(descriptor, file);
    if (!isContinued) writeHead(head, { descriptor, file });
    return {
      findOutcome: (key) => outcomes.get(key) ?? null,
      findInFlight: (key) => inFlight.get(key) ?? null,
      findOwner: (reference) => owners.get(reference) ?? null,
      begin(key, inFlight) {
        const line: LogLine = { key, state: 'sending', ...inFlight };
        write(line);
        sync();
      },
      findJudged: (key) => answered.get(key) ?? new Map(),
      judge(key, expectations) {
        const judged = expectations.flatMap(({ line, outcome }) =>
          outcome === 'unfinished' ? [] : [[line, outcome] as const],
        );
        writeIfRoom({ key, state: 'answered', judged });
      },
      findCaptured: (key) => captured.get(key) ?? {},
      capture(key, values) {
        if (Object.keys(values).length > 0) writeIfRoom({ key, state: 'captured', values });
      },
      end(key, outcome) {
        if (outcome === 'error' || outcome === 'unfinished') return;
        writeIfRoom({ key, state: 'done', outcome });
      },
      close(isOver) {
        if (isOver) write({ state: 'over' });
        sync();
        closeSync(descriptor);
      },
    };
  } catch (error) {
    throw error instanceof AppError ? error : toFileError(error, file);
  }
}
