/**
 * electron-builder's `beforePack`: an app that is packed for another system than this one lacks its native part, which npm
 * installs for this one alone. It would be made without a word, and die at its start.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build-if-stale.mjs';

/** By the number that electron-builder gives each; a universal app is packed once for each of its two. */
const processors = ['ia32', 'x64', 'arm', 'arm64'];

/**
 * @param native - packages with a native part as the lockfile has them, by their paths
 * @throws {Error} with the command that installs what is missing
 */
export function beforePack(
  { electronPlatformName: system, arch },
  native = readNative(),
  isThere = (path) => existsSync(join(root, path)),
) {
  const processor = processors[arch];
  const wanted = Object.entries(native).filter(
    ([path, { os, cpu }]) => os.includes(system) && cpu.includes(processor) && !path.includes('musl'),
  );
  if (wanted.length === 0) throw new Error(`libsql has no native part for ${system} on ${processor}.`);
  const missing = wanted.filter(([path]) => !isThere(path));
  if (missing.length === 0) return;
  const names = missing.map(([path, { version }]) => `${path.slice('node_modules/'.length)}@${version}`);
  throw new Error(
    `The native part for ${system} on ${processor} is not installed: npm install --no-save --force ${names.join(' ')}`,
  );
}

function readNative() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries(packages).filter(([path]) => path.startsWith('node_modules/@libsql/')),
  );
}
