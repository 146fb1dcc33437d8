/**
 * `npm test`: everything, from types to the desktop app. The last line tells the counts.
 *
 * `npm test -- unit e2e-browser` runs only the steps named.
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

function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', (error) => (console.error(error.message), resolve(1)));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

const count = (passed, failed, skipped = 0) => {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
};

async function check(name, command, args) {
  const code = await run(command, args);
  count(code === 0 ? 1 : 0, code === 0 ? 0 : 1);
  if (code !== 0) notes.push(`${name} failed`);
  return code === 0;
}

async function vitest(project) {
  const file = join(reports, `${project}.json`);
  const code = await run(bin('vitest'), [
    'run',
    '--project',
    project,
    '--passWithNoTests=false',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${file}`,
  ]);
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    count(report.numPassedTests, report.numFailedTests, report.numPendingTests + (report.numTodoTests ?? 0));
    for (const { name, assertionResults } of report.testResults) {
      for (const { status, fullName } of assertionResults) {
        if (status === 'failed') notes.push(`${project} failed: ${relative(root, name)}: ${fullName}`);
      }
    }
    // A file that fails to load has no failed test of its own.
    if (code !== 0 && report.numFailedTests === 0) count(0, Math.max(1, report.numFailedTestSuites));
  } catch {
    count(0, 1);
    notes.push(`${project}: the run gave no report`);
  }
}

function listUnexpected(suites) {
  return suites.flatMap(({ title, specs = [], suites: inner = [] }) => [
    ...specs.filter(({ ok }) => !ok).map((spec) => `${title}: ${spec.title}`),
    ...listUnexpected(inner),
  ]);
}

async function playwright(project, wrapper, env) {
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
  const code = await run(command[0], command.slice(1), { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file });
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

const steps = {
  types: () => check('types', bin('tsc'), ['-b']),
  lint: () => check('lint', bin('eslint'), ['.']),
  format: () => check('format', bin('prettier'), ['--check', '--log-level', 'warn', '.']),
  build: () => check('build', bin('electron-vite'), ['build']),
  unit: () => vitest('unit'),
  contract: () => vitest('contract'),
  conformance: () => vitest('conformance'),
  integration: () => vitest('integration'),
  load: () => vitest('load'),
  'e2e-browser': async () => {
    const executable = findOrInstallChromium();
    if (executable) return playwright('browser', [], { COUNTERSIGN_TEST_CHROMIUM: executable });
    count(0, 1);
    notes.push('e2e-browser: install Chromium or Chrome (or set CHROME_PATH) and run npm test again');
  },
  'e2e-electron': async () => {
    const electron = findElectron();
    if ('reason' in electron) {
      count(0, 0, 1);
      notes.push(`e2e-electron skipped: ${electron.reason}`);
      return;
    }
    const keyring = keyringWrapper();
    await playwright('electron', [...electron.wrapper, ...keyring], {
      COUNTERSIGN_TEST_ELECTRON: electron.executable,
      COUNTERSIGN_TEST_KEYRING: keyring.length > 0 ? '1' : '',
      ...(keyring.length > 0 ? { XDG_CURRENT_DESKTOP: 'GNOME' } : {}),
    });
  },
};

const wanted = process.argv.slice(2).filter((name) => name in steps);
for (const [name, step] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const began = Date.now();
  console.log(`\n── ${name}`);
  await step();
  console.log(`── ${name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
}
rmSync(reports, { recursive: true, force: true });
for (const note of notes) console.log(`note: ${note}`);
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
