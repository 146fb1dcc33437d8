/** Entries of a list in the settings, and what stands among them that is none: a hand's slip, or of another version. */
export interface KeptEntries<T> {
  entries: T[];
  /** As they stand. Whoever writes the list writes them, too: they are not ours to drop. */
  unread: unknown[];
}

/** @param read - null: this is no entry */
export function readEntries<T>(kept: unknown, read: (one: unknown) => T | null): KeptEntries<T> {
  const found: KeptEntries<T> = { entries: [], unread: [] };
  for (const one of Array.isArray(kept) ? (kept as unknown[]) : []) {
    const entry = read(one);
    if (entry === null) found.unread.push(one);
    else found.entries.push(entry);
  }
  return found;
}
