/**
 * Folds a file's name: two that fold to the same are one name on some disk that does not tell case or Unicode form apart.
 *
 * By capitals, as those disks do: ß is SS there, and both forms of sigma are one. The Turkish letter alone stays apart.
 */
export const foldName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[^ı]+/g, (part) => part.toUpperCase())
    .toLowerCase();
