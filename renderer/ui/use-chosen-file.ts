import { useState } from 'react';

/** More than any key or chain of certificates has. */
const MOST_BYTES = 256 * 1024;

/** What is said of a chosen file, and what reads one. */
interface ChosenFile {
  /** Why nothing came of the last one; null: something did. */
  fault: string | null;
  /**
   * Reads a file that was chosen. It may be gone by then, or forbidden, and the page is not told why.
   *
   * @returns null: none was chosen, or `fault` says why it is not taken
   */
  take<T>(file: File | undefined, read: (file: File) => Promise<T>): Promise<T | null>;
}

/** @param mostBytes - of a file that is read at all: what is no key or certificate would stand in a field, and the page still */
export function useChosenFile(mostBytes = MOST_BYTES): ChosenFile {
  const [fault, setFault] = useState<string | null>(null);
  return {
    fault,
    take: async (file, read) => {
      if (file === undefined) return null;
      setFault(null);
      if (file.size > mostBytes) {
        setFault(
          `${file.name} is larger than ${mostBytes / 1024} KiB and was not read. Choose the key or certificate alone.`,
        );
        return null;
      }
      try {
        return await read(file);
      } catch {
        setFault(
          `${file.name} could not be read. Look whether it is still there, and whether you may read it.`,
        );
        return null;
      }
    },
  };
}
