/** A folder or what is in one. */
export interface TreeEntry<T> {
  id: string;
  /** What it is found by when letters are typed. */
  text: string;
  /** 0 stands at the top. */
  depth: number;
  isFolder: boolean;
  value: T;
}

/** A row of the tree as it stands open now. */
export interface TreeRow<T> extends TreeEntry<T> {
  isExpanded: boolean;
  /** Row of the folder that it lies in; -1: it stands at the top. */
  parent: number;
  /** From 1, among those of one folder. */
  position: number;
  siblings: number;
}

/**
 * Gives the rows that stand open, each with its place.
 * @param entries - depth first, each folder before what is in it
 * @param collapsed - ids of the folders that are shut
 */
export function listOpenRows<T>(
  entries: readonly TreeEntry<T>[],
  collapsed: ReadonlySet<string>,
): TreeRow<T>[] {
  const rows: TreeRow<T>[] = [];
  const counts = new Map<number, number>();
  /** Row of the open folder at each depth. */
  const folders: number[] = [];
  let shutDepth = Infinity;
  for (const entry of entries) {
    if (entry.depth > shutDepth) continue;
    shutDepth = Infinity;
    const parent = folders[entry.depth - 1] ?? -1;
    const position = (counts.get(parent) ?? 0) + 1;
    counts.set(parent, position);
    const isExpanded = entry.isFolder && !collapsed.has(entry.id);
    if (entry.isFolder) folders[entry.depth] = rows.length;
    if (entry.isFolder && !isExpanded) shutDepth = entry.depth;
    rows.push({ ...entry, isExpanded, parent, position, siblings: 0 });
  }
  for (const row of rows) row.siblings = counts.get(row.parent) ?? 1;
  return rows;
}

/**
 * Finds the row that typed letters lead to: the next one that begins with them, round the end.
 * @param from - the row that the keyboard stands on
 */
export function findByLetters(
  rows: readonly { text: string }[],
  letters: string,
  from: number,
): number | null {
  const wanted = letters.toLowerCase();
  // The first letter goes on to another row, the following ones may stay.
  const start = Math.max(0, wanted.length === 1 ? from + 1 : from);
  for (let step = 0; step < rows.length; step += 1) {
    const index = (start + step) % rows.length;
    if (rows[index]?.text.toLowerCase().startsWith(wanted)) return index;
  }
  return null;
}
