import { join } from 'node:path';
import { readRegularFile } from '../../platform/files/regular-file';

const maxFileBytes = 4 * 1024 * 1024;
/** How an example may be called that lies beside its request. */
const endings = ['.example.http', '.example.json', '.json', ''];
/** Status line and headers of a kept answer. */
const answerHead = /^\s*(?:#[^\n]*\n)*HTTP\/\d(?:\.\d)?[ \t]+\d{3}[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n/;

/**
 * Reads an example that was kept beside a request: a body alone, or an answer with its head.
 *
 * @param directory - of the request file; nothing outside of it is read
 * @returns null: there is none of that name
 */
export function readExample(directory: string, name: string): string | null {
  if (name.includes('\0')) return null;
  for (const ending of endings) {
    const { bytes } = readRegularFile(join(directory, `${name}${ending}`), {
      root: directory,
      maxBytes: maxFileBytes,
    });
    if (bytes !== null)
      return bytes
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .replace(answerHead, '');
  }
  return null;
}
