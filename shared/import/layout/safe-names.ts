import { foldName } from '../../fold-name';
import { activeCharacters } from '../../hidden-characters';

/** Windows gives these names to devices, whatever the extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
/** Room for a number and an extension within what file systems take. */
const MAX_BYTES = 200;
/** A status of an answer. */
const FEWEST_BYTES = 3;

const encoder = new TextEncoder();

/** Cuts a text after so many bytes of UTF-8, between characters. */
function cutBytes(text: string, maxBytes: number): string {
  if (encoder.encode(text).length <= maxBytes) return text;
  let cut = '';
  let size = 0;
  for (const character of text) {
    size += encoder.encode(character).length;
    if (size > maxBytes) break;
    cut += character;
  }
  return cut;
}

/**
 * Makes a name that a file or folder may have on every system, from whatever somebody called a request.
 *
 * It is never empty, never climbs out of its folder and is never hidden.
 * @param maxBytes - it is cut there, between characters
 */
export function makeSafeName(text: string, fallback: string, maxBytes = MAX_BYTES): string {
  const plain = text
    .normalize('NFC')
    .replace(/\p{Surrogate}/gu, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(activeCharacters, ' ')
    .replace(/[\\/<>:"|?*]+/g, '-')
    // Braces would be a variable where a request names the file.
    .replace(/[{}]/g, '')
    .replace(/\s+/g, ' ')
    // `POST /payouts` is not called `POST -payouts`.
    .replace(/(?<= )-+(?=\S)/g, '')
    .replace(/^[.\s-]+/, '');
  const name = cutBytes(plain, maxBytes).replace(/(?<![.\s])[.\s]+$/, '');
  if (name === '' || name === 'node_modules') return fallback;
  return deviceName.test(name) ? `_${name}` : name;
}

/**
 * How long the name of an example may be behind that of its request: both are one file's, which is written through a neighbour with a
 * longer name.
 */
export function findExampleRoom(owner: string): number {
  return Math.max(FEWEST_BYTES, MAX_BYTES + 11 - encoder.encode(owner).length);
}

/** Gives names that are free in their folder, on systems that do not tell case or Unicode form apart, too. */
export class NameBook {
  private readonly taken = new Map<string, Set<string>>();
  /** The number that each name was given last: thousands of one name are not counted from one again. */
  private readonly counts = new Map<string, number>();

  /** @param folder - path of it; `extension` is part of what must be free, and not of what is given */
  take(folder: string, name: string, extension: string): string {
    const names = this.taken.get(folder) ?? new Set();
    this.taken.set(folder, names);
    const fold = (text: string): string => foldName(`${text}${extension}`);
    const counted = `${folder}/${fold(name)}`;
    for (let count = this.counts.get(counted) ?? 1; ; count++) {
      const free = count === 1 ? name : `${name} ${count}`;
      const key = fold(free);
      if (names.has(key)) continue;
      names.add(key);
      this.counts.set(counted, count);
      return free;
    }
  }

  /** Keeps a name from being given. */
  reserve(folder: string, fileName: string): void {
    this.take(folder, fileName, '');
  }
}
