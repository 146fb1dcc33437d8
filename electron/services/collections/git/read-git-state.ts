import { createHash } from 'node:crypto';
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MethodOutput } from '@shared/contract/contract';
import { findStats } from '../../../platform/files/files';
import { readRegularFile } from '../../../platform/files/regular-file';
import { readGitIndex, type IndexEntry } from './read-git-index';

export type GitState = MethodOutput<'collections.git'>;

const noRepository: GitState = { branch: null, files: [] };
const maxIndexBytes = 32 * 1024 * 1024;
const maxFileBytes = 16 * 1024 * 1024;
const mostLevels = 64;
/** Files whose content is compared in one reading; further ones have no state. */
const mostHashed = 2000;
/** Files looked at in one go before others get their turn. */
const chunkFiles = 64;

/** Hashes that were made, valid while a file's size and time stay. */
export type GitCache = Map<string, { mtimeNs: bigint; sizeBytes: bigint; isSame: boolean; objectId: string }>;

/**
 * Tells of which branch a collection is and which of its files git does not have as they stand.
 *
 * HEAD and index are read as files. git itself is not asked: `status` runs what the repository's own configuration
 * says (filters, fsmonitor, hooks), and a folder that somebody sent is not to be trusted with that. So a file counts as
 * changed where it differs from what was committed or staged last.
 * @param listed - the files, as the contract writes them; of those in a repository of their own within it, a submodule, nothing is told
 * @returns no branch and no files where there is no repository, or none that is understood
 */
export async function readGitState(
  directory: string,
  listed: readonly string[],
  cache: GitCache,
): Promise<GitState> {
  const found = findRepository(directory);
  if (found === null) return noRepository;
  const paths = listOwn(directory, listed);
  const branch = readBranch(found.gitDirectory);
  const index = readInside(found.gitDirectory, 'index', maxIndexBytes);
  if (branch === null) return noRepository;
  if (index === null) {
    // Before anything is staged there is none, and all is new; one that cannot be read tells nothing.
    const hasIndex = lstatSync(join(found.gitDirectory, 'index'), { throwIfNoEntry: false }) !== undefined;
    return { branch, files: hasIndex ? [] : paths.map((path) => ({ path, state: 'new' })) };
  }
  const prefix = relative(found.workTree, realpathSync(directory)).split(sep).join('/');
  const toPath = (path: string): string => (prefix === '' ? path : `${prefix}/${path}`);
  const wanted = new Set(paths.map(toPath));
  const entries = await readGitIndex(index.bytes, (path) => wanted.has(path));
  if (entries === null) return { branch, files: [] };
  const comparing = { cache, indexMs: index.mtimeMs, hashed: 0 };
  const files: GitState['files'] = [];
  for (const [at, path] of paths.entries()) {
    const entry = entries.get(toPath(path));
    const state = entry === undefined ? 'new' : compare(comparing, directory, path, entry);
    if (state !== null) files.push({ path, state });
    if (at % chunkFiles === chunkFiles - 1) await nextTurn();
  }
  return { branch, files };
}

function listOwn(directory: string, paths: readonly string[]): string[] {
  const known = new Map<string, boolean>([['', true]]);
  const isOwn = (folder: string): boolean => {
    const above = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    const own = known.get(folder) ?? (isOwn(above) && !existsSync(join(directory, folder, '.git')));
    known.set(folder, own);
    return own;
  };
  return paths.filter((path) => isOwn(path.slice(0, Math.max(0, path.lastIndexOf('/')))));
}

interface Repository {
  gitDirectory: string;
  workTree: string;
}

/** The nearest folder above, or the one itself, that has a `.git`: a folder, or a file that names one. */
function findRepository(directory: string): Repository | null {
  try {
    let at = realpathSync(directory);
    for (let level = 0; level < mostLevels; level++) {
      const dotGit = join(at, '.git');
      const stats = findStats(dotGit);
      if (stats?.isDirectory()) return { gitDirectory: dotGit, workTree: at };
      if (stats?.isFile()) {
        const named = /^gitdir: (.+)$/.exec(
          readInside(at, '.git', 4096)?.bytes.toString('utf8').trimEnd() ?? '',
        );
        return named?.[1] ? { gitDirectory: resolve(at, named[1]), workTree: at } : null;
      }
      if (dirname(at) === at) return null;
      at = dirname(at);
    }
  } catch {
    // A folder that cannot be looked into has no state to show.
  }
  return null;
}

function readInside(
  folder: string,
  name: string,
  maxBytes: number,
): { bytes: Buffer; mtimeMs: number } | null {
  const read = readRegularFile(join(folder, name), { root: folder, maxBytes });
  return read.fault === null ? { bytes: read.bytes, mtimeMs: read.stats.mtimeMs } : null;
}

/** Name of the branch, or the beginning of the commit where none is checked out; null: this is no repository. */
function readBranch(gitDirectory: string): string | null {
  const text = readInside(gitDirectory, 'HEAD', 4096)?.bytes.toString('utf8').trim() ?? '';
  // Where git keeps its references in another form, HEAD names `.invalid`; no branch begins so.
  const [, branch] = /^ref: refs\/heads\/(?!\.)([^\p{Cc}\p{Cf}]{1,250})$/u.exec(text) ?? [];
  return branch ?? (/^[0-9a-f]{40,64}$/.test(text) ? text.slice(0, 8) : null);
}

interface Comparing {
  cache: GitCache;
  /** When the index was written: a file as old as that may have been changed after git looked at it. */
  indexMs: number;
  hashed: number;
}

function compare(
  comparing: Comparing,
  directory: string,
  path: string,
  entry: IndexEntry,
): 'new' | 'changed' | null {
  const absolute = join(directory, ...path.split('/'));
  if (findStats(absolute) === undefined) return null;
  const stats = statSync(absolute, { bigint: true });
  if (!entry.isPlain) return 'changed';
  const isSameTime =
    stats.mtimeNs / 1_000_000_000n === BigInt(entry.mtimeSeconds) &&
    (entry.mtimeNanoseconds === 0 || stats.mtimeNs % 1_000_000_000n === BigInt(entry.mtimeNanoseconds));
  const isOlderThanIndex = Number(stats.mtimeMs) + 1000 < comparing.indexMs;
  if (isSameTime && isOlderThanIndex && stats.size === BigInt(entry.sizeBytes)) return null;
  const known = comparing.cache.get(path);
  const { objectId } = entry;
  if (known?.mtimeNs === stats.mtimeNs && known.sizeBytes === stats.size && known.objectId === objectId) {
    return known.isSame ? null : 'changed';
  }
  if (++comparing.hashed > mostHashed) return null;
  const { bytes } = readRegularFile(absolute, { root: directory, maxBytes: maxFileBytes });
  const isSame = bytes !== null && hasObjectId(bytes, objectId);
  comparing.cache.set(path, { mtimeNs: stats.mtimeNs, sizeBytes: stats.size, isSame, objectId });
  return isSame ? null : 'changed';
}

/** Compares by content, as it is and with the line ends that git gives text on Windows. */
function hasObjectId(bytes: Buffer, objectId: string): boolean {
  const algorithm = objectId.length === 40 ? 'sha1' : 'sha256';
  const hash = (content: Buffer): string =>
    createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex');
  if (hash(bytes) === objectId) return true;
  if (!bytes.includes('\r\n')) return false;
  return hash(Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')) === objectId;
}
