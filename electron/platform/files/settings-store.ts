import { parseRecord } from '@shared/json/parse-or-nothing';
import { existsSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';
import { refuseUnreadable, toFileError, writeFileDurably, anotherDataFolder } from './files';
import type { ChangeSettings, Clock, SettingsStore } from '../ports';
import { isFolderGone } from './kept-folder';
import { withProcessLockSync } from './process-lock';
import { readRegularFile, type ReadFault } from './regular-file';

/** What conf and electron-store have in common, as far as it is used here. */
interface StoreClient {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}
interface StoreOptions {
  cwd: string;
  /** File name without `.json`: conf reads `configName`, electron-store reads `name`. */
  configName: string;
  name: string;
  accessPropertiesByDotNotation: boolean;
  configFileMode: number;
}
export type StoreClass = new (options: StoreOptions) => StoreClient;

/**
 * Opens the settings of a data directory with conf, or with the store class that the desktop host passes.
 *
 * A file that cannot be parsed is renamed to `settings.json.unreadable-<date>` and the store says so in `notice`:
 * settings are never reset in silence, and never overwritten. One that may not be read is refused, and left.
 * @param Store - left out: conf, loaded only now
 * @throws {AppError} `platform.unwritable`
 */
export async function openSettings(
  dataDirectory: string,
  clock: Clock,
  Store?: StoreClass,
): Promise<SettingsStore> {
  const Client = Store ?? ((await import('conf')).default as unknown as StoreClass);
  const file = join(dataDirectory, 'settings.json');
  let depth = 0;
  const exclusively = <T>(run: () => T): T => {
    if (depth > 0) return run();
    return withProcessLockSync(join(dataDirectory, 'settings.lock'), () => {
      depth += 1;
      try {
        return run();
      } finally {
        depth -= 1;
      }
    });
  };
  let { notice } = mendFile(file, clock, exclusively);
  const client = new Client({
    cwd: dataDirectory,
    configName: 'settings',
    name: 'settings',
    accessPropertiesByDotNotation: false,
    configFileMode: 0o600,
  });
  releaseCrashes();
  const seen = new Map<string, unknown>();
  // The file may be spoilt while the app runs, too: an editor, a sync client.
  const guard = <T>(use: () => T): T => {
    try {
      return use();
    } catch (error) {
      const mended = mendFile(file, clock, exclusively);
      if (!mended.isChanged) throw toFileError(error, dataDirectory, anotherDataFolder);
      notice = mended.notice ?? notice;
      return use();
    }
  };
  return {
    get(key) {
      // The store would make the folder anew to say that nothing is in it.
      if (!isFolderGone(dataDirectory))
        seen.set(
          key,
          guard(() => client.get(key)),
        );
      return seen.get(key);
    },
    set: (key, value) => exclusively(() => guard(() => client.set(key, value))),
    exclusively,
    backUp(label, change) {
      const copy = `${file}.before-${label}`;
      if (existsSync(file) && !existsSync(copy)) rewrite(file, copy, change);
    },
    changeBackUps(change) {
      const copies = readdirSync(dataDirectory).filter((name) => name.startsWith('settings.json.before-'));
      for (const name of copies) rewrite(join(dataDirectory, name), join(dataDirectory, name), change);
    },
    get notice() {
      return notice;
    },
  };
}

/** Writes settings as changed, for this user alone; a file that says nothing that can be read is left. */
function rewrite(from: string, to: string, change: ChangeSettings): void {
  const { settings } = readSettings(from);
  if (settings === null) return;
  writeFileDurably(to, `${JSON.stringify(change(settings), null, '\t')}\n`, { mode: 0o600 });
}

/**
 * Lets crashes end the process: the store listens to every signal that it can, these among them, and a process that
 * goes on after one is half alive.
 */
function releaseCrashes(): void {
  for (const signal of ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'] as const) {
    process.removeAllListeners(signal);
  }
}

/** The store reads the whole file each time that it is asked: with 60 MiB a start took half a minute. */
const MOST_MIB = 16;

/** Makes a file that the store cannot read one that it can, or sets it aside. @returns what the user is told; null: nothing */
function mendFile(
  file: string,
  clock: Clock,
  exclusively: (run: () => void) => void,
): { isChanged: boolean; notice: string | null } {
  if (!lstatSync(file, { throwIfNoEntry: false })) return { isChanged: false, notice: null };
  const { settings, text, fault } = readSettings(file);
  if (settings !== null) {
    const hasMark = text.startsWith(MARK);
    if (hasMark) exclusively(() => dropMark(file));
    return { isChanged: hasMark, notice: null };
  }
  if (fault === 'forbidden') refuseUnreadable(file);
  // Not what it holds: it may be read the next time.
  if (fault === 'unreadable' || fault === 'crowded') return { isChanged: false, notice: null };
  const stamp = new Date(clock.now()).toISOString().replaceAll(':', '-');
  const target = `${file}.unreadable-${stamp}`;
  try {
    renameSync(file, target);
  } catch (error) {
    throw toFileError(error, dirname(file), anotherDataFolder);
  }
  const why =
    fault === 'too_large'
      ? `are larger than ${MOST_MIB} MiB`
      : fault === 'missing'
        ? 'were a link to something that is not there'
        : 'could not be read';
  const notice = `The settings ${why}. They were kept as ${basename(target)} in the data directory; the defaults apply now.`;
  return { isChanged: true, notice };
}

/** The store takes the mark that some editors put before a text for a part of it. Another process may have written meanwhile. */
function dropMark(file: string): void {
  const { settings, text } = readSettings(file);
  if (settings !== null && text.startsWith(MARK)) writeFileDurably(file, text.slice(1), { mode: 0o600 });
}

const MARK = '\ufeff';

function readSettings(file: string): {
  settings: Record<string, unknown> | null;
  text: string;
  fault: ReadFault | null;
} {
  const { bytes, fault } = readRegularFile(file, { root: parse(file).root, maxBytes: MOST_MIB * 2 ** 20 });
  const text = bytes?.toString('utf8') ?? '';
  return { settings: parseRecord(text.startsWith(MARK) ? text.slice(1) : text), text, fault };
}

/**
 * Changes settings in several steps as if in one.
 *
 * Apps and commands share one file: what is read, changed and written apart from this loses what others wrote meanwhile.
 */
export function changeSettings<T>(settings: SettingsStore, run: () => T): T {
  return settings.exclusively === undefined ? run() : settings.exclusively(run);
}
