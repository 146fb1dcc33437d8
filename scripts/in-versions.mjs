/** Runs tests against each version of a program that npm has: what `test-postgres` and `test-nodes` share. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildIfStale, root } from './build-if-stale.mjs';
import { cleanEnvironment, installerEnvironment } from './clean-environment.mjs';

const byNumber = new Intl.Collator('en', { numeric: true });

function npm(folder, ...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    env: installerEnvironment(),
  });
  if (status !== 0) throw new Error(/npm error (?!code)(.*)/.exec(stderr)?.[1] ?? `npm ${args[0]} failed`);
  return stdout;
}

/** The newest release of each version, as far as there is one for this system. */
function listReleases(folder, packageName) {
  const published = [JSON.parse(npm(folder, 'view', packageName, 'versions', '--json'))].flat();
  const sorted = published.sort(byNumber.compare);
  return (version) => sorted.findLast((release) => `${release}.`.startsWith(`${version}.`));
}

/** @returns where the package lies */
function fetchPackage(folder, packageName, release) {
  const home = join(folder, release);
  const options = ['--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund'];
  npm(folder, 'install', ...options, `${packageName}@${release}`);
  return join(home, 'node_modules', ...packageName.split('/'));
}

/** One run of Vitest; what failed is said. @param node - which runs it */
function runTests(folder, { node = process.execPath, args, env }) {
  const report = join(folder, 'report.json');
  writeFileSync(report, '{}');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { stderr } = spawnSync(node, [vitest, 'run', ...args, '--reporter=json', `--outputFile=${report}`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...cleanEnvironment(), ...env },
  });
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
  return { passed, failed: failed.length + silent.length, files: testResults.length };
}

/**
 * Asks for the versions that the command names, or for all, and ends the process: with 0 where all that could be asked holds.
 *
 * @param name - of the program, for people
 * @param packageName - what npm has of it for this system
 * @param versions - as people count them: '18'
 * @param prepare - of a folder that the package lies in: what `runTests` takes, and the program's own word of its version
 * @param leastFiles - of tests: fewer were not all
 */
export function testInVersions({ name, packageName, versions, prepare, leastFiles }) {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((version) => !versions.includes(version));
  if (unknown !== undefined) {
    console.error(`There is no version '${unknown}' to test. They are: ${versions.join(', ')}.`);
    process.exit(2);
  }
  buildIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-versions-'));
  const test = (findRelease, version) => {
    const release = findRelease(version);
    if (release === undefined) return [false, 'not to be had: npm has no build of it for this system'];
    let prepared;
    try {
      prepared = prepare(fetchPackage(folder, packageName, release), folder);
    } catch (error) {
      return [false, `not to be had: ${error.message}`];
    }
    const began = Date.now();
    const { passed, failed, files } = runTests(folder, prepared);
    const isComplete = files >= leastFiles;
    const seconds = ((Date.now() - began) / 1000).toFixed(0);
    return [
      isComplete && failed === 0 && passed > 0,
      `${prepared.said || release}: ${passed} passed, ${failed} failed${isComplete ? '' : ', not all suites ran'} (${seconds} s)`,
    ];
  };
  let isAllGood = true;
  try {
    const findRelease = listReleases(folder, packageName);
    for (const version of wanted.length > 0 ? wanted : versions) {
      const [isGood, line] = test(findRelease, version);
      isAllGood &&= isGood;
      console.log(`${name} ${version}: ${line}`);
    }
  } catch (error) {
    console.error(`npm does not tell which there are: ${error.message}`);
    isAllGood = false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit(isAllGood ? 0 : 1);
}
