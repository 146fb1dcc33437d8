import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const { version } = JSON.parse(
  // Run from the repository's root: `npm run bench` builds this file to another place.
  readFileSync(resolve('package.json'), 'utf8'),
) as { version: string };

/**
 * Makes a new data directory one in which the welcome and this version's news have been seen.
 *
 * @param more - other settings, by their names in the file
 */
export function skipWelcome(dataDirectory: string, more: Readonly<Record<string, unknown>> = {}): void {
  const file = join(dataDirectory, 'settings.json');
  if (existsSync(file)) return;
  writeFileSync(file, JSON.stringify({ seenVersion: version, ...more }), { mode: 0o600 });
}
