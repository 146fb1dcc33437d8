import { createHash } from 'node:crypto';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { appRun, type AppRun, type ItemResult } from '@shared/contract/running';
import { parseOrNothing } from '@shared/json/parse-or-nothing';
import { findStats, makeDirectory, removeIfThere, writeFileDurably } from '../../platform/files/files';
import { readRegularFile } from '../../platform/files/regular-file';
import type { Ports } from '../../platform/ports';

/** Folder of the data directory that has the last run of each collection, a file each. */
export const runsFolder = 'runs';

/** A run that takes more is kept in part. */
const mostBytes = 4 * 1024 * 1024;
/** Of more collections the runs that are oldest are forgotten. */
const mostRuns = 50;

const keptRun = z.object({ version: z.literal(1), run: appRun });

/** Remembers the last run of each collection over restarts of the app; what it tells is masked already. */
export class KeptRuns {
  private readonly folder: string | null;

  constructor(private readonly ports: Pick<Ports, 'dataDirectory' | 'logger'>) {
    this.folder = ports.dataDirectory === null ? null : join(ports.dataDirectory, runsFolder);
  }

  /** @throws {AppError} `platform.unwritable`, `platform.disk_full` */
  keep(run: AppRun): void {
    if (this.folder === null) return;
    makeDirectory(this.folder);
    writeFileDurably(this.fileOf(this.folder, run.subject.collectionId), write(fitRun(run, mostBytes)));
    for (const { file } of this.list().slice(mostRuns)) removeIfThere(file);
  }

  /** Reads the last run of a collection; null: none is kept. */
  read(collectionId: string): AppRun | null {
    return this.folder === null ? null : this.readFile(this.folder, this.fileOf(this.folder, collectionId));
  }

  /** Reads the latest of all. */
  readLatest(): AppRun | null {
    if (this.folder === null) return null;
    for (const { file } of this.list()) {
      const run = this.readFile(this.folder, file);
      if (run !== null) return run;
    }
    return null;
  }

  /** Has runs be of an environment that got another name; which is the latest stays. One that cannot be written stays as it is. */
  renameEnvironment(from: string, to: string): void {
    const { folder } = this;
    if (folder === null) return;
    for (const { file, at } of this.list()) {
      const run = this.parseFile(folder, file);
      if (run?.subject.environment !== from) continue;
      try {
        writeFileDurably(file, write(inRenamed(run, from, to)));
        utimesSync(file, at / 1000, at / 1000);
      } catch (error) {
        this.ports.logger.log('warn', 'running.not_renamed', { file, reason: String(error) });
      }
    }
  }

  private fileOf(folder: string, collectionId: string): string {
    const name = createHash('sha256').update(collectionId).digest('hex').slice(0, 32);
    return join(folder, `${name}.json`);
  }

  /** The newest first. */
  private list(): { file: string; at: number }[] {
    const { folder } = this;
    if (folder === null || !existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
      .map((name) => join(folder, name))
      .map((file) => ({ file, at: findStats(file)?.mtimeMs ?? 0 }))
      .toSorted((a, b) => b.at - a.at);
  }

  private readFile(folder: string, file: string): AppRun | null {
    const run = this.parseFile(folder, file);
    return run && endCut(run);
  }

  private parseFile(folder: string, file: string): AppRun | null {
    const { bytes, fault } = readRegularFile(file, { root: folder, maxBytes: 2 * mostBytes });
    if (bytes === null) {
      if (fault !== 'missing') this.ports.logger.log('warn', 'running.kept_unreadable', { file, fault });
      return null;
    }
    const parsed = keptRun.safeParse(parseOrNothing(bytes.toString('utf8')));
    if (parsed.success) return parsed.data.run;
    this.ports.logger.log('warn', 'running.kept_unreadable', { file, fault: 'no run' });
    return null;
  }
}

/** The same run, where it is of an environment that got another name. */
export function inRenamed(run: AppRun, from: string, to: string): AppRun {
  if (run.subject.environment !== from) return run;
  return { ...run, subject: { ...run.subject, environment: to } };
}

const write = (run: AppRun): string => JSON.stringify({ version: 1, run });

/** What stands first where not all has room. */
const ranks: Readonly<Record<ItemResult['outcome'], number>> = {
  failed: 0,
  error: 0,
  unfinished: 1,
  passed: 3,
  skipped: 4,
};
const rankOf = (result: ItemResult | null): number => (result === null ? 2 : ranks[result.outcome]);

/** Leaves out as many requests as do not fit, those that passed first; `leftOut` counts them. */
export function fitRun(run: AppRun, maxBytes: number): AppRun {
  if (Buffer.byteLength(write(run)) <= maxBytes) return run;
  const byPlace = new Map(run.results.map((result) => [result.place, result]));
  const rows = [
    ...run.items.map((item, place) => ({ item, result: byPlace.get(place) ?? null, isKept: false })),
    ...run.kept.map((row) => ({ ...row, isKept: true })),
  ];
  let left = maxBytes - Buffer.byteLength(write({ ...run, items: [], results: [], kept: [] }));
  const fitting = new Set(
    rows
      .toSorted((a, b) => rankOf(a.result) - rankOf(b.result))
      .filter((row) => (left -= Buffer.byteLength(JSON.stringify(row))) > 0),
  );
  const own = rows.filter((row) => fitting.has(row) && !row.isKept);
  return {
    ...run,
    items: own.map(({ item }) => item),
    results: own.flatMap(({ result }, place) => (result === null ? [] : [{ ...result, place }])),
    kept: rows.filter((row) => fitting.has(row) && row.isKept).map(({ item, result }) => ({ item, result })),
    leftOut: run.leftOut + rows.length - fitting.size,
  };
}

/** What is told of a request before anything is known of it. */
export const unsent: ItemResult = {
  place: 0,
  outcome: 'error',
  reason: null,
  errorCode: null,
  httpStatus: null,
  summary: '',
  later: null,
  reference: null,
  exchangeId: null,
  attempts: 0,
  durationMs: 0,
  expectations: [],
  webhookIds: [],
};

/** Of a request whose run ended while it may have been under way. */
export const whetherSent = 'Whether this was sent, and what came, History knows.';

const lost: ItemResult = {
  ...unsent,
  outcome: 'unfinished',
  reason: `The app ended before this run did. ${whetherSent}`,
};

/** Of a run whose end nobody wrote down, nothing is claimed about what has no outcome. */
function endCut(run: AppRun): AppRun {
  if (run.state === 'over') return run;
  const known = new Set(run.results.map(({ place }) => place));
  const cut = [...run.items.keys()].filter((place) => !known.has(place)).map((place) => ({ ...lost, place }));
  return { ...run, state: 'over', results: [...run.results, ...cut] };
}
