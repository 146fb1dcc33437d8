import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isRecord } from '@shared/json/is-record';

type Values = Record<string, unknown>;

/**
 * Has settings name the collections of a data folder where that folder is now; those that lie elsewhere stay.
 *
 * Their paths are whole ones: once the folder is another, they lead to the one that was left, or to nothing.
 * @param from - what that folder was called, on any system
 * @param copy - what was copied of it: a collection that is not in there, or by a link alone, stays where it is
 */
export function rebaseCollections(
  settings: Values,
  from: readonly string[],
  { to, copy }: { to: string; copy: string },
): Values {
  const rebase = (one: unknown): unknown => {
    const inside = isRecord(one) ? findInside(one['directory'], from) : null;
    return inside === null || !isWithin(copy, inside)
      ? one
      : { ...(one as Values), directory: join(to, ...inside) };
  };
  const { collection, collections } = settings;
  const known = isRecord(collections) ? collections['known'] : undefined;
  return {
    ...settings,
    ...(collection !== undefined && { collection: rebase(collection) }),
    ...(Array.isArray(known) && { collections: { ...(collections as Values), known: known.map(rebase) } }),
  };
}

/** The names that lead from a data folder to a collection in it; null: it lies elsewhere. */
function findInside(directory: unknown, from: readonly string[]): string[] | null {
  if (typeof directory !== 'string') return null;
  for (const folder of from) {
    const separator = directory.charAt(folder.length);
    if (!directory.startsWith(folder) || (separator !== '/' && separator !== '\\')) continue;
    const parts = directory.slice(folder.length + 1).split(separator);
    if (parts[0] === 'collections' && !parts.includes('..')) return parts;
  }
  return null;
}

function isWithin(copy: string, parts: readonly string[]): boolean {
  try {
    return realpathSync(join(copy, ...parts)).startsWith(realpathSync(copy) + sep);
  } catch {
    return false;
  }
}
