/** How programs that keep folders in step, or put two versions together, name the copy that they make where two have changed a file. */
const marks = [
  // Dropbox, in several languages, Nextcloud, ownCloud
  / \([^()]{0,80}(?:conflicted copy|(?:case|unicode encoding|white ?space|selective sync) conflict|konflikt stehende kopie|conflicterende kopie|copie en conflit|copia en conflicto|copia in conflitto|c[oó]pia em conflito)[^()]{0,60}\)/i,
  /_conflict-(?:[^/]{1,40}-)?\d{8}-\d{6}(?=\.[^.]*$)/,
  // OneDrive: the name that Windows gives a computer
  /-(?:DESKTOP|LAPTOP|WIN)-[A-Z0-9]{7,11}(?=\.[^.]*$)/,
  // Seafile
  / \(SFConflict [^()]{1,80}\)/,
  // Syncthing
  /\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?/,
  // Google Drive
  / ?\[Conflict\]/,
  // git mergetool, while it runs and where it was broken off
  /_(?:BACKUP|BASE|LOCAL|REMOTE)_\d{1,10}(?=\.[^.]*$)/,
];

/**
 * Gives the file that one is a copy of, by its name.
 *
 * @returns null: it is named as no such copy is
 */
export function findCopied(file: string): string | null {
  const at = file.lastIndexOf('/') + 1;
  const name = file.slice(at);
  for (const mark of marks) {
    const original = name.replace(mark, '');
    if (original !== name) return file.slice(0, at) + original;
  }
  return null;
}
