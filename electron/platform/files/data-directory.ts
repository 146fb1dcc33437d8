import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { AppError } from '@shared/errors';
import { finishChange, followMoves } from './pending-change';
import { makeDirectory, removeIfThere, anotherDataFolder, toFileError } from './files';
import { removeLeftovers } from './remove-leftovers';

/**
 * Looks this user's home folder up: what the environment says, where that is a whole path, else what the system knows.
 *
 * An empty or relative HOME would put keys into whatever folder a command is started in.
 * @returns null where neither says any, as for a user of a container who has no entry
 */
export function lookUpHome(
  ask: readonly (() => string)[] = [homedir, () => userInfo().homedir],
): string | null {
  for (const one of ask) {
    try {
      const home = one();
      if (isAbsolute(home)) return home;
    } catch (error) {
      if (!isSystemError(error)) throw error;
    }
  }
  return null;
}

/** @throws {AppError} `platform.no_home` */
function findHome(): string {
  const home = lookUpHome();
  if (home !== null) return home;
  throw new AppError(
    'platform.no_home',
    'Nothing says which folder is your home: HOME is no whole path, and the system knows no such user. Name the data directory with --data DIR, or set HOME.',
  );
}

/** The system knows no such user. */
const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/**
 * Tells where the platform keeps an application's data, for this user.
 *
 * @throws {AppError} `platform.no_home`
 */
export function findUsualDataDirectory(
  platform: NodeJS.Platform = process.platform,
  variables: NodeJS.ProcessEnv = process.env,
  home: () => string = findHome,
): string {
  if (platform === 'win32')
    return join(variables['APPDATA'] || join(home(), 'AppData', 'Roaming'), 'Countersign');
  if (platform === 'darwin') return join(home(), 'Library', 'Application Support', 'Countersign');
  // The XDG rules say that a relative path there is to be ignored.
  const shared = variables['XDG_DATA_HOME'];
  return join(shared?.startsWith('/') ? shared : join(home(), '.local', 'share'), 'countersign');
}

/** Follows a data folder to where it was moved, and brings to its end what a crash interrupted there. */
export function findDataDirectory(directory: string): string {
  const found = followMoves(directory);
  finishChange(found);
  return found;
}

/**
 * Makes sure that the data directory exists and can be written to, before anything relies on it.
 *
 * New folders are for this user alone (0700); the permissions of one that stands already are the user's choice.
 * @param wanted - what `--data` said, or the host's own; null: the platform's usual place
 * @returns the absolute path
 * @throws {AppError} `platform.unwritable` naming the folder, `platform.disk_full`
 */
export function prepareDataDirectory(wanted: string | null): string {
  const directory = findDataDirectory(resolve(wanted ?? findUsualDataDirectory()));
  makeDirectory(directory, anotherDataFolder);
  const probe = join(directory, `.write-test-${randomBytes(4).toString('hex')}`);
  try {
    writeFileSync(probe, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw toFileError(error, directory, anotherDataFolder);
  } finally {
    removeIfThere(probe);
  }
  for (const folder of [directory, join(directory, 'collections')]) removeLeftovers(folder, killedWrites);
  return directory;
}

/** Through what our own writes, and those of the settings' library, replace a file of the data folder, and imports make a collection. */
const killedWrites =
  /^(?:\..{1,200}\.[0-9a-f]{12}\.tmp|settings\.json\.tmp-[0-9a-f]{1,40}|\.write-test-[0-9a-f]{8})$/;
