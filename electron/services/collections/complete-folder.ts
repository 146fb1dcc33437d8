import { opendir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { lookUpHome } from '../../platform/files/data-directory';

const mostFolders = 50;
/** Entries looked at: a folder of a million files is not gone through for a list of fifty. */
const mostEntries = 20_000;
const longestMs = 1500;

/**
 * Gives the folders whose path begins with what was typed, for a field that a path is typed in.
 *
 * Names of folders alone are read, of one level. What cannot be read offers nothing: that it cannot be opened is said when
 * it is. Hidden folders are offered once the dot is typed.
 * @param text - a whole path, or `~` and what follows; anything else offers nothing
 */
export async function completeFolder(text: string): Promise<{ folders: string[]; isCut: boolean }> {
  const wanted = expandHome(text);
  const none = { folders: [], isCut: false };
  // A share of another machine is not asked for while somebody types its name.
  if (!isAbsolute(wanted) || wanted.includes('\0') || wanted.startsWith('\\\\')) return none;
  const isWhole = wanted.endsWith(sep) || wanted.endsWith('/');
  const folder = isWhole ? wanted : dirname(wanted);
  const beginning = isWhole ? '' : wanted.slice(wanted.lastIndexOf(wanted.includes('/') ? '/' : sep) + 1);
  try {
    return await listFolders(folder, beginning.toLowerCase());
  } catch {
    return none;
  }
}

function expandHome(text: string): string {
  const home = lookUpHome() ?? sep;
  if (text === '' || text === '~') return join(home, sep);
  return /^~[\\/]/.test(text) ? join(home, text.slice(2)) + (/[\\/]$/.test(text) ? sep : '') : text;
}

async function listFolders(
  folder: string,
  beginning: string,
): Promise<{ folders: string[]; isCut: boolean }> {
  const deadline = Date.now() + longestMs;
  const names: string[] = [];
  let seen = 0;
  let isCut = false;
  for await (const entry of await opendir(folder, { bufferSize: 256 })) {
    isCut = ++seen > mostEntries || Date.now() > deadline;
    if (isCut) break;
    const { name } = entry;
    if (!name.toLowerCase().startsWith(beginning)) continue;
    if (name.startsWith('.') && !beginning.startsWith('.')) continue;
    if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(join(folder, name)))))
      names.push(name);
  }
  const sorted = names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return {
    folders: sorted.slice(0, mostFolders).map((name) => join(folder, name)),
    isCut: isCut || names.length > mostFolders,
  };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
