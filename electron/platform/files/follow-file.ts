import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { findStats } from './files';
import { describeReadFault, findWhyOutOfReach } from './read-faults';

/** How often a file is looked at. */
const INTERVAL_MS = 250;

/**
 * Tells of each change of a file's content, until stopped.
 *
 * Looks at the file by its name, so that editors which write another file and rename it are followed too. What is
 * no plain file, or too large, is not read.
 * @param onChange - gets the new text; an error where it could not be read
 */
export function followFile(
  file: string,
  maxBytes: number,
  onChange: (text: string | Error) => void,
): () => void {
  let known = tryRead(file, maxBytes);
  const look = (): void => {
    const next = tryRead(file, maxBytes);
    const isSame = String(next) === String(known);
    known = next;
    if (!isSame) onChange(next);
  };
  watchFile(file, { interval: INTERVAL_MS, persistent: false }, look);
  // What changed before the watch had its first look is none of its changes.
  const early = setTimeout(look, INTERVAL_MS);
  early.unref();
  return () => {
    clearTimeout(early);
    unwatchFile(file, look);
  };
}

/** Reads a plain file of limited size as UTF-8. @throws Error in a few words */
export function readPlainFile(file: string, maxBytes: number): string {
  const facts = findStats(file);
  if (facts === undefined) throw new Error(findWhyOutOfReach(file) ?? 'there is no such file');
  if (!facts.isFile()) throw new Error('it is no plain file');
  if (facts.size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1024} KiB`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : describeReadFault(code),
      {
        cause: error,
      },
    );
  }
}

function tryRead(file: string, maxBytes: number): string | Error {
  try {
    return readPlainFile(file, maxBytes);
  } catch (error) {
    return error as Error;
  }
}
