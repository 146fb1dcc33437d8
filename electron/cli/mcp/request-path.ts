import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { AppError } from '@shared/errors';
import { requestExtension } from '@shared/http-file/example-file';
import { findWhyOutOfReach } from '../../platform/files/read-faults';

const LONGEST_PATH = 4000;

function refuse(message: string): AppError {
  return new AppError('mcp.bad_path', message);
}

/**
 * Finds what a caller names by a path: a request file, or a folder of them.
 *
 * A relative path stays below the folder that the server was started in, links followed; an absolute one names a request
 * file or a folder by itself. Nothing else is opened: not a key, not a pipe, not a device.
 * @returns the path, links resolved
 * @throws {AppError} `mcp.bad_path`
 */
export function findRequestPath(path: string, options: { base: string; takesFolder: boolean }): string {
  const shown = path.slice(0, 200);
  if (path === '' || path.length > LONGEST_PATH || path.includes('\0')) {
    throw refuse('This is no path. Name a request file (.http).');
  }
  const wanted = resolve(options.base, path);
  const real = findReal(wanted);
  if (real === null) {
    const why = findWhyOutOfReach(wanted);
    const what =
      why === null ? `There is no '${shown}' in ${options.base}` : `'${shown}' cannot be reached: ${why}`;
    throw refuse(`${what}. Name a request file (.http).`);
  }
  // What a link of a folder leads out of is not of that folder.
  const root = findReal(isAbsolute(path) ? dirname(wanted) : options.base) ?? options.base;
  if (real !== root && !isInside(real, root)) {
    throw refuse(`'${shown}' leads out of ${root}. Name a path below it, or start countersign mcp there.`);
  }
  const stats = statSync(real);
  if (stats.isFile() && requestExtension.test(real)) return real;
  if (stats.isDirectory() && options.takesFolder && dirname(real) !== real) return real;
  if (!stats.isDirectory() && !stats.isFile()) {
    throw refuse(`'${shown}' is no file but a pipe or a device. Name a request file (.http).`);
  }
  throw refuse(
    `'${shown}' is not a request file${options.takesFolder ? ' or a folder of them' : ''}. Name one that ends in .http.`,
  );
}

function findReal(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function isInside(path: string, root: string): boolean {
  const from = relative(root, path);
  return from !== '' && from.split(sep)[0] !== '..' && !isAbsolute(from);
}
