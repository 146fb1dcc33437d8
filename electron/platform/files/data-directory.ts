import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { finishChange, followMoves } from './pending-change';
import { makeDirectory, removeIfThere, removeLeftovers, anotherDataFolder, toFileError } from './files';

/** Where the platform keeps an application's data, for this user. */
export function findUsualDataDirectory(
  platform: NodeJS.Platform = process.platform,
  variables: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): string {
  if (platform === 'win32')
    return join(variables['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Countersign');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Countersign');
  // The XDG rules say that a relative path there is to be ignored.
  const shared = variables['XDG_DATA_HOME'];
  return join(shared?.startsWith('/') ? shared : join(home, '.local', 'share'), 'countersign');
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
  removeLeftovers(directory, killedWrites);
  return directory;
}

/** Through what our own writes, and those of the settings' library, replace a file of the data folder. */
const killedWrites =
  /^(?:\..{1,200}\.[0-9a-f]{12}\.tmp|settings\.json\.tmp-[0-9a-f]{1,40}|\.write-test-[0-9a-f]{8})$/;
