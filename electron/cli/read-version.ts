import { readFileSync } from 'node:fs';

/** The version that package.json tells; it lies two folders above, in the source tree as in what is built. */
export function readVersion(): string {
  const here = import.meta.url;
  const text = readFileSync(new URL('../../package.json', here), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
