/**
 * `npm run package`: builds the installable app for this system with electron-builder, into `dist`.
 * `npm run package -- --dir` stops at the folder that would be installed; other arguments go on as they are.
 *
 * An Electron distribution named by ELECTRON_OVERRIDE_DIST_PATH is packed as it is, without a download.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from './clean-environment.mjs';
import { buildIfStale, root } from './build-if-stale.mjs';

buildIfStale();
const distribution = process.env.ELECTRON_OVERRIDE_DIST_PATH;
const chosen = distribution
  ? [
      `-c.electronDist=${distribution}`,
      `-c.electronVersion=${readFileSync(join(distribution, 'version'), 'utf8').trim().replace(/^v/, '')}`,
    ]
  : [];
const { status, error } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'electron-builder', 'cli.js'),
    '--publish',
    'never',
    ...chosen,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: cleanEnvironment() },
);
if (error) console.error(error.message);
process.exit(status ?? 1);
