/**
 * `npm test`: everything, from types to the desktop app. The last line tells the counts.
 *
 * `npm test -- unit e2e-browser` runs only the steps named. Steps of one phase run side by side: each leaves a core idle
 * for much of its time. `load` measures, so it runs alone.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root } from './build-if-stale.mjs';
import { findElectron, findOrInstallChromium, keyringWrapper } from './find-browser.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const reports = mkdtempSync(join(tmpdir(), 'countersign-test-'));
const total = { passed: 0, failed: 0, skipped: 0 };
const notes = [];

/** Runs a program. Its output is shown as it comes or, beside another step, whole when it ends: two would mix. */
function run(command, args, { env = {}, isAlone }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    const finish = (code) => {
      process.stdout.write(Buffer.concat(chunks));
      resolve(code);
    };
    child.on('error', (error) => (console.error(error.message), finish(1)));
    child.on('close', (code) => finish(code ?? 1));
  });
}

const count = (passed, failed, skipped = 0) => {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
};

async function check(name, isAlone, command, args) {
  const code = await run(command, args, { isAlone });
  count(code === 0 ? 1 : 0, code === 0 ? 0 : 1);
  if (code !== 0) notes.push(`${name} failed`);
  return code === 0;
}

async function vitest(projects, isAlone) {
  const name = projects.join(', ');
  const file = join(reports, `${projects[0]}.json`);
  const chosen = projects.flatMap((project) => ['--project', project]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${file}`];
  const code = await run(bin('vitest'), ['run', ...chosen, '--passWithNoTests=false', ...reporters], {
    isAlone,
  });
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    count(report.numPassedTests, report.numFailedTests, report.numPendingTests + (report.numTodoTests ?? 0));
    for (const { name: path, assertionResults } of report.testResults) {
      for (const { status, fullName } of assertionResults) {
        if (status === 'failed') notes.push(`failed: ${relative(root, path)}: ${fullName}`);
      }
    }
    // A file that fails to load has no failed test of its own.
    if (code !== 0 && report.numFailedTests === 0) count(0, Math.max(1, report.numFailedTestSuites));
  } catch {
    count(0, 1);
    notes.push(`${name}: the run gave no report`);
  }
}

function listUnexpected(suites) {
  return suites.flatMap(({ title, specs = [], suites: inner = [] }) => [
    ...specs.filter(({ ok }) => !ok).map((spec) => `${title}: ${spec.title}`),
    ...listUnexpected(inner),
  ]);
}

async function playwright(project, isAlone, wrapper, env) {
  const file = join(reports, `${project}.json`);
  const command = [
    ...wrapper,
    bin('playwright'),
    'test',
    '--config',
    'test/e2e/playwright.config.ts',
    '--project',
    project,
  ];
  const code = await run(command[0], command.slice(1), {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    isAlone,
  });
  try {
    const { stats, suites } = JSON.parse(readFileSync(file, 'utf8'));
    for (const title of listUnexpected(suites)) notes.push(`${project} failed: ${title}`);
    count(stats.expected + stats.flaky, stats.unexpected, stats.skipped);
    if (stats.flaky > 0) notes.push(`${project}: ${stats.flaky} passed on a second try`);
    if (code !== 0 && stats.unexpected === 0) count(0, 1);
  } catch {
    count(0, 1);
    notes.push(`${project}: the run gave no report`);
  }
}

async function testInBrowser(isAlone) {
  const executable = findOrInstallChromium();
  if (executable) return playwright('browser', isAlone, [], { COUNTERSIGN_TEST_CHROMIUM: executable });
  count(0, 1);
  notes.push('e2e-browser: install Chromium or Chrome (or set CHROME_PATH) and run npm test again');
}

async function testInElectron(isAlone) {
  const electron = findElectron();
  if ('reason' in electron) {
    count(0, 0, 1);
    notes.push(`e2e-electron skipped: ${electron.reason}`);
    return;
  }
  const keyring = keyringWrapper();
  await playwright('electron', isAlone, [...electron.wrapper, ...keyring], {
    COUNTERSIGN_TEST_ELECTRON: electron.executable,
    COUNTERSIGN_TEST_KEYRING: keyring.length > 0 ? '1' : '',
    ...(keyring.length > 0 ? { XDG_CURRENT_DESKTOP: 'GNOME' } : {}),
  });
}

const cacheOf = (name) => join('node_modules', '.cache', name);
const lintCache = ['--cache', '--cache-location', `${cacheOf('eslint')}/`];
const formatCache = ['--cache', '--check', '--log-level', 'warn'];

/** What runs side by side, in order. Suites of Vitest share one run, which spreads their files over the cores. */
const phases = [
  {
    types: (isAlone) => check('types', isAlone, bin('tsc'), ['-b']),
    lint: (isAlone) => check('lint', isAlone, bin('eslint'), [...lintCache, '.']),
  },
  {
    format: (isAlone) => check('format', isAlone, bin('prettier'), [...formatCache, '.']),
    build: (isAlone) => check('build', isAlone, bin('electron-vite'), ['build']),
  },
  { vitest: ['slow', 'unit', 'contract', 'conformance', 'integration'] },
  { vitest: ['load'] },
  { 'e2e-browser': testInBrowser, 'e2e-electron': testInElectron },
];

async function runStep(name, work) {
  const began = Date.now();
  console.log(`\n── ${name}`);
  await work();
  console.log(`── ${name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

const wanted = process.argv.slice(2);
const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
const known = phases.flatMap(({ vitest: suites, ...steps }) => suites ?? Object.keys(steps));
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no step '${unknown[0]}'. The steps are: ${known.join(', ')}.`);
  process.exit(2);
}
for (const { vitest: suites = [], ...steps } of phases) {
  const chosen = Object.entries(steps).filter(([name]) => isWanted(name));
  await Promise.all(chosen.map(([name, step]) => runStep(name, () => step(chosen.length === 1))));
  const projects = suites.filter(isWanted);
  if (projects.length > 0) await runStep(projects.join(', '), () => vitest(projects, true));
}
rmSync(reports, { recursive: true, force: true });
for (const note of notes) console.log(`note: ${note}`);
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
