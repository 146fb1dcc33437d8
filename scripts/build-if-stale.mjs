import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explainUnbuildable } from '../bin/known-nodes.mjs';
import { cleanEnvironment } from './clean-environment.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = join(root, 'out', 'cli', 'index.js');
const marker = join(root, 'out', 'renderer', 'index.html');
const sources = [
  'electron',
  'renderer',
  'shared',
  'resources',
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
];

/** Newest change under a path, epoch milliseconds. */
function newestChange(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestChange(join(path, name))), 0);
}

const packages = join(root, 'node_modules');
/** npm leaves out, without a word, what does not run on the Node that it is run by. */
const hasBundler = () =>
  existsSync(join(packages, '@rolldown')) &&
  readdirSync(join(packages, '@rolldown')).some((name) => name.startsWith('binding-'));

/** @returns what is in the way of a build, and what to do; null: nothing that is known */
function explainMissing() {
  if (!existsSync(join(packages, 'electron-vite')))
    return 'its packages are not installed here yet. Run npm ci, then this again.';
  const trouble = explainUnbuildable();
  if (trouble !== null) return trouble;
  // Vite takes what stands behind them for a query.
  if (/[#?]/.test(root))
    return `it cannot be built below a folder whose name has a # or a ?, as in ${root}. Move it to another folder, then run this again.`;
  return hasBundler()
    ? null
    : 'a part of its bundler is not installed: npm leaves it out under a Node that it does not run on, or where optional packages are not wanted. Run npm ci again, then this.';
}

/** Ends the process with 2 where the app cannot be built here. */
export function requireBuild() {
  const missing = explainMissing();
  if (missing === null) return;
  process.stderr.write(`countersign: ${missing}\n`);
  process.exit(2);
}

/** Builds the app where there is no build, or one older than its sources. Exits with the build's own code on failure. */
export function buildIfStale() {
  const isFresh =
    existsSync(built) &&
    existsSync(marker) &&
    sources.every((source) => newestChange(join(root, source)) <= statSync(marker).mtimeMs);
  if (isFresh) return;
  requireBuild();
  process.stderr.write('Building Countersign, about half a minute …\n');
  const result = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js'), 'build'],
    {
      cwd: root,
      encoding: 'utf8',
      env: cleanEnvironment(),
    },
  );
  if (result.status !== 0) {
    process.stderr.write(
      `${result.stdout ?? ''}${result.stderr ?? ''}\nThe build failed; what it said stands above.\n`,
    );
    process.exit(1);
  }
}
