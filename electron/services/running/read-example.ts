import { basename, join } from 'node:path';
import { nameExample, parseExample } from '@shared/http-file/example-file';
import { readRegularFile } from '../../platform/files/regular-file';

const maxFileBytes = 4 * 1024 * 1024;

/**
 * Reads an example of a request: the answer that the app kept beside it, else a JSON file of that name.
 *
 * @param directory - of the request file; nothing outside of it is read
 * @param file - path of the request file
 * @returns its body; null: there is none of that name
 */
export function readExample(directory: string, file: string, name: string): string | null {
  if (name.includes('\0')) return null;
  const own = `${nameExample(basename(file), name)}.http`;
  for (const candidate of [own, `${name}.example.http`, `${name}.example.json`, `${name}.json`]) {
    const { bytes } = readRegularFile(join(directory, candidate), {
      root: directory,
      maxBytes: maxFileBytes,
    });
    if (bytes === null) continue;
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    return candidate.endsWith('.http') ? (parseExample(text)?.body ?? null) : text;
  }
  return null;
}
