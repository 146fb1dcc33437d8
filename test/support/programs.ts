import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const folders = (process.env['PATH'] ?? '').split(delimiter);

/** Whether a test that starts these programs is to be skipped, and why: what the `skip` of its context takes. */
export function because(...programs: readonly string[]): [condition: boolean, reason: string] {
  const missing = programs.find((name) => !isInstalled(name));
  return [missing !== undefined, `${missing} is not installed`];
}

export const isInstalled = (name: string): boolean =>
  folders.some((folder) => existsSync(join(folder, name)) || existsSync(join(folder, `${name}.exe`)));
