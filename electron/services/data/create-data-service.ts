import { readdirSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { BackupFacts, DataOverview } from '@shared/contract/data';
import { RESET_WORD } from '@shared/contract/reset-word';
import type { HandlersOf } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { createTurns } from '../../platform/create-turns';
import {
  dropPendingChange,
  planChange,
  readPendingChange,
  type PendingChange,
} from '../../platform/files/pending-change';
import type { Ports } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import { describeKeyAside, isKeyOf, isSealed } from '../vault/key-file-box';
import { readDocument, type SealedMaster } from '../vault/vault-document';
import { describeSealer, sealers, type BackupManifest, type Sealer } from './backup-manifest';
import { findStats, isFileThere, readOwnFile, refuseUnreadable } from '../../platform/files/files';
import { describeReadFault, findWhyOutOfReach } from '../../platform/files/read-faults';

const DataError = errorsOf<'data'>();

/** Keeps the data folder as a whole: its backup, and changes of all of it, which are made when nothing uses it. */
export interface DataService {
  readonly handlers: HandlersOf<'data'>;
}

type Given = Pick<Ports, 'dataDirectory' | 'version' | 'clock'>;

export function createDataService(ports: Given): DataService {
  const requireDirectory = (): string => {
    if (ports.dataDirectory !== null) return ports.dataDirectory;
    throw new DataError(
      'data.bad_target',
      'Nothing is kept in this run. Name a data folder with --data DIR.',
    );
  };
  const plan = (change: Pick<PendingChange, 'kind'> & Partial<PendingChange>): DataOverview => {
    const directory = requireDirectory();
    planChange(directory, { step: 'wanted', staged: null, aside: null, to: null, from: null, ...change });
    return readOverview(directory);
  };
  const backUp = async (file: string): Promise<BackupFacts> => {
    const directory = requireDirectory();
    requireAbsolute(file);
    refuseWithin(directory, file);
    const { writeBackup } = await import('./write-backup');
    const facts = { version: ports.version, sealer: findSealer(directory), now: ports.clock.now() };
    const { manifest, sizeBytes } = await writeBackup(directory, file, facts);
    return { ...describe(file, manifest, sizeBytes, []), secretsNote: describeSecrets(directory) };
  };
  const restore = async (file: string): Promise<BackupFacts> => {
    const directory = requireDirectory();
    requireAbsolute(file);
    const { stageBackup } = await import('./stage-backup');
    const { staged, manifest, leftOut } = await stageBackup(directory, file);
    plan({ kind: 'restore', staged, from: file });
    return describe(file, manifest, statSync(file).size, leftOut);
  };
  // Each takes away first what an earlier one has left: two at once would take each other's.
  const inTurn = createTurns();
  return {
    handlers: {
      'data.overview': () => readOverview(requireDirectory()),
      'data.backup': ({ file }) => inTurn(() => backUp(file)),
      'data.restore': ({ file }) => inTurn(() => restore(file)),
      'data.move'({ to }) {
        requireAbsolute(to);
        refuseWithin(requireDirectory(), to);
        refuseFull(to);
        return plan({ kind: 'move', to });
      },
      'data.reset'({ word }) {
        if (word.trim().toLowerCase() === RESET_WORD) return plan({ kind: 'reset' });
        throw new DataError(
          'data.not_confirmed',
          `Type the word ${RESET_WORD} to put everything aside. Nothing was changed.`,
        );
      },
      'data.keep'() {
        dropPendingChange(requireDirectory());
        return readOverview(requireDirectory());
      },
    },
  };
}

function readOverview(directory: string): DataOverview {
  const pending = readPendingChange(directory);
  return {
    directory,
    pending: pending === null ? null : { kind: pending.kind, from: pending.from, to: pending.to },
    aside: readdirSync(directory).filter((name) => /^before-(?:restore|reset|move)-/.test(name)),
    secretsNote: describeSecrets(directory),
  };
}

function describe(file: string, manifest: BackupManifest, sizeBytes: number, leftOut: string[]): BackupFacts {
  return {
    file,
    sizeBytes,
    fileCount: manifest.files.length,
    madeAt: manifest.made_at,
    madeOn: manifest.made_on,
    appVersion: manifest.app_version,
    // Not the note in it: that would say in the app's own voice what a stranger wrote.
    secretsNote: describeSealer(manifest.secrets.sealed_by, nameMachine(manifest.made_on)),
    leftOut,
  };
}

/** A name of a host, which a stranger may have made a sentence of. */
const nameMachine = (name: string): string =>
  /^[\p{L}\p{N}._-]{1,255}$/u.test(name) ? name : 'the machine that made it';

/** A vault that cannot be read keeps nobody from the folder, nor from the backup that would mend it. */
function describeSecrets(directory: string): string {
  try {
    return describeLostKey(directory) ?? describeSealer(findSealer(directory), hostname());
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** Says of a vault that a file opens which is not beside it, or that does not say which; null: it is there, or none is needed. */
export function describeLostKey(directory: string): string | null {
  const master = readMaster(directory);
  if (master?.box !== 'key_file') return null;
  const frame = Buffer.from(master.sealed, 'base64');
  if (!isSealed(frame)) {
    return 'vault.json is damaged where it names what opens it: its keys and credentials cannot be opened here, nor from a backup of it as it is. Put a copy of vault.json from a backup back in its place.';
  }
  const file = join(directory, 'vault.key');
  if (isKeyOf(file, frame)) return null;
  const what = isFileThere(file)
    ? 'vault.key in this folder is not the one that opens its keys and credentials, or cannot be read'
    : 'vault.key, which alone opens its keys and credentials, is not in this folder';
  const advice = describeKeyAside(directory, frame) || ' Put the right one back from where you keep it.';
  return `${what}: they cannot be opened here, nor from a backup.${advice}`;
}

/** What seals the vault, as its own file says. @throws {AppError} `vault.unreadable`, `platform.unwritable` */
function findSealer(directory: string): Sealer {
  const master = readMaster(directory);
  if (master === null) return 'none';
  return sealers.find((sealer) => sealer === master.box) ?? 'os_keychain';
}

function readMaster(directory: string): SealedMaster | null {
  const file = join(directory, 'vault.json');
  if (!isFileThere(file)) return null;
  refuseUnreadable(file);
  return readDocument(readOwnFile(file)).master;
}

function requireAbsolute(path: string): void {
  if (isAbsolute(path) && !path.includes('\0')) return;
  throw new DataError(
    'data.bad_target',
    `'${path.slice(0, 80)}' is no whole path. Write it from the root, as /home/me/countersign-backup.tar.gz.`,
  );
}

/** A backup in the data folder goes with it; a folder in it cannot take its place. */
function refuseWithin(directory: string, path: string): void {
  const way = relative(directory, path);
  if (way.startsWith(`..${sep}`) || way === '..' || isAbsolute(way)) return;
  if (way === '')
    throw new DataError(
      'data.bad_target',
      `${path.slice(0, 300)} is the data folder itself. Choose another place.`,
    );
  throw new DataError(
    'data.bad_target',
    `${path.slice(0, 300)} lies in the data folder. Choose a place outside of it.`,
  );
}

/** What a move that was interrupted has left is none of the user's. */
function refuseFull(to: string): void {
  const stats = findStats(to);
  let why = stats === undefined ? findWhyOutOfReach(to) : null;
  if (stats === undefined && why === null) return;
  try {
    if (stats?.isDirectory() && readdirSync(to).every((name) => name === '.moving')) return;
  } catch (error) {
    why = describeReadFault((error as NodeJS.ErrnoException).code);
  }
  throw new DataError(
    'data.bad_target',
    `${to.slice(0, 300)} ${why === null ? 'is not an empty folder' : `cannot be reached: ${why}`}. Choose one that is empty, or not there yet.`,
  );
}
