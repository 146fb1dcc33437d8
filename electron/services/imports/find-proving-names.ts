import { readdirSync, readFileSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { findProvingIn } from '@shared/import/layout/find-proving-in';
import { mostEntries, type TargetFolder } from './target-folder';

/** As much as an import may bring. */
const MOST_BYTES = 48 * 2 ** 20;

/** Finds the variables that the requests of a folder prove themselves with, by the files that it has. */
export function findProvingNames({ root, exists }: Pick<TargetFolder, 'root' | 'exists'>): Set<string> {
  const names = new Set<string>();
  let [entries, bytes] = [0, 0];
  const folders = exists ? [root] : [];
  for (let folder = folders.pop(); folder !== undefined && entries <= mostEntries; folder = folders.pop()) {
    for (const entry of listEntries(folder)) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      entries += 1;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile() || !/\.(?:http|rest)$/i.test(entry.name)) continue;
      const text = readText(path, MOST_BYTES - bytes);
      if (text === null) return names;
      bytes += Buffer.byteLength(text);
      for (const name of findProvingIn(parseHttpFile(text))) names.add(name);
    }
  }
  return names;
}

/** @returns empty: it cannot be read, and keeps no import from the folder; null: it is longer */
function readText(path: string, mostBytes: number): string | null {
  try {
    return statSync(path).size > mostBytes ? null : readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** As the tree of a collection does: what cannot be listed has nothing in it. */
function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
