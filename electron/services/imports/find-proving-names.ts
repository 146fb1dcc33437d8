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
      bytes += statSync(path).size;
      if (bytes > MOST_BYTES) return names;
      for (const name of findProvingIn(parseHttpFile(readFileSync(path, 'utf8')))) names.add(name);
    }
  }
  return names;
}

/** As the tree of a collection does: what cannot be listed has nothing in it. */
function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
