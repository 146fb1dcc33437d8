/**
 * `npm test`: everything, from types to the desktop app. The last line tells the counts.
 *
 * `npm test -- unit e2e-browser` runs only the steps named; `--thorough` has random suites try all their cases, and the desktop
 * app pass the specs of the page, too. Specs wait for windows more than half of their time: the suites of Vitest run beside them at
 * a lower priority and take what they leave. `load` measures, so it runs alone.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { cleanEnvironment } from './clean-environment.mjs';
import { requireBuild, root } from './build-if-stale.mjs';
import { findElectron, findOrInstallChromium, findProgram, keyringWrapper } from './find-browser.mjs';

requireBuild();
const bin = (name) => join(root, 'node_modules', '.bin', name);
const typescript7 = join(root, 'node_modules', 'typescript7', 'bin', 'tsc');
const eslint = join(root, 'node_modules', 'eslint', 'bin', 'eslint.js');
const reports = mkdtempSync(join(tmpdir(), 'countersign-test-'));
const total = { passed: 0, failed: 0, skipped: 0 };
const notes = [];
/**
 * Node reads the certificates that a machine adds at each start, which takes longer than the start itself. Thousands of processes
 * start here and never leave the machine; the one test that asks a registry is told of them by a name of ours.
 */
const { NODE_EXTRA_CA_CERTS: machineCertificates, ...environment } = cleanEnvironment();
if (machineCertificates) environment.COUNTERSIGN_TEST_MACHINE_CERTIFICATES = machineCertificates;

/** Puts a program behind those that are looked at: it takes the processor's time that they leave. */
const behind = process.platform === 'win32' ? [] : ['nice', '-n', '15'];

/** Runs a program. Its output is shown as it comes or, behind other steps, whole when it ends: two would mix. */
function run(name, parameters, { env = {}, isAlone }) {
  const [command, ...args] = [...(isAlone ? [] : behind), name, ...parameters];
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...environment, ...env },
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

async function check(name, isAlone, command, args, env = {}) {
  const code = await run(command, args, { isAlone, env });
  count(code === 0 ? 1 : 0, code === 0 ? 0 : 1);
  if (code !== 0) notes.push(`${name} failed`);
  return code === 0;
}

async function vitest(projects, isAlone) {
  const chosen = projects.flatMap((project) => ['--project', project]);
  const first = await runVitest(projects[0], chosen, isAlone);
  if (!first) {
    count(0, 1);
    notes.push(`${projects.join(', ')}: the run gave no report`);
    return;
  }
  count(first.passed, 0, first.skipped);
  for (const path of first.unloaded) notes.push(`failed to load: ${path}`);
  for (const error of first.loose) notes.push(`failed outside of any test: ${error}`);
  failures.push(...first.failed.map((failure) => ({ ...failure, chosen })));
  const told = first.failed.length + first.unloaded.length + first.loose.length;
  if (first.code !== 0 && told === 0) notes.push(`${projects.join(', ')}: ended with ${first.code}`);
  count(0, first.unloaded.length + first.loose.length + (first.code !== 0 && told === 0 ? 1 : 0));
}

/**
 * What a busy machine can upset is asked once more alone, in CI; what would tell of a loss or a crash never is, nor a property: other
 * cases would be drawn for it.
 */
const mayRunAgain = ({ path, reason }) =>
  !/kill|crash|damage|load\.test/.test(path) && !reason.includes('Property failed after');
const MOST_AGAIN = 5;
/** Tests of Vitest that did not hold, each with the projects that ran it. */
const failures = [];

/** Counts what failed, after all else has ended: what held on a second try held. */
async function settleFailures() {
  const again = failures.filter(mayRunAgain);
  const isAgain = process.env['CI'] !== undefined && again.length > 0 && again.length <= MOST_AGAIN;
  const held = isAgain ? await listHeld(again) : new Set();
  // What may not is not saved by another of its file that may.
  const hasHeld = (failure) => mayRunAgain(failure) && held.has(failure.id);
  for (const failure of failures)
    notes.push(hasHeld(failure) ? `passed on a second try: ${failure.id}` : `failed: ${failure.id}`);
  const passed = failures.filter(hasHeld).length;
  count(passed, failures.length - passed);
}

async function listHeld(again) {
  const paths = [...new Set(again.map(({ path }) => path))];
  const chosen = [...new Set(again.flatMap(({ chosen: projects }) => projects))].filter(
    (word) => word !== '--project',
  );
  console.log(`── once more, alone: ${paths.join(', ')}`);
  const projects = chosen.flatMap((project) => ['--project', project]);
  const second = await runVitest('again', [...projects, '--maxWorkers=1', ...paths], true);
  // Cases of one test may have one name: it held where none of them failed.
  const failed = new Set(second?.failed.map(({ id }) => id));
  return new Set((second?.held ?? []).filter((id) => !failed.has(id)));
}

/** One run of Vitest: counts, and each test that failed or held as file and name. Null where it gave no report. */
async function runVitest(name, args, isAlone) {
  const file = join(reports, `${name}.json`);
  const looseFile = join(reports, `${name}-loose.json`);
  const loose = join(root, 'scripts', 'report-loose-errors.mjs');
  const reporters = ['default', 'json', loose].map((reporter) => `--reporter=${reporter}`);
  const options = ['run', '--passWithNoTests=false', ...reporters, `--outputFile.json=${file}`];
  const code = await run(bin('vitest'), [...options, ...args], {
    isAlone,
    env: { COUNTERSIGN_LOOSE_ERRORS: looseFile },
  });
  if (!existsSync(file)) return null;
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const tests = report.testResults.flatMap(({ name: at, assertionResults }) => {
    const path = relative(root, at);
    return assertionResults.map(({ status, fullName, failureMessages = [] }) => ({
      status,
      path,
      id: `${path}: ${fullName}`,
      reason: failureMessages.join('\n'),
    }));
  });
  return {
    code,
    loose: existsSync(looseFile) ? JSON.parse(readFileSync(looseFile, 'utf8')) : [],
    passed: report.numPassedTests,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    // A file that fails to load has no failed test of its own.
    unloaded: report.testResults
      .filter(
        ({ status, assertionResults }) =>
          status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
      )
      .map(({ name: at }) => relative(root, at)),
    failed: tests.filter(({ status }) => status === 'failed'),
    held: tests.filter(({ status }) => status === 'passed').map(({ id }) => id),
  };
}

const firstLine = (text = '') => stripVTControlCharacters(text).split('\n')[0];

/** Specs whose outcome is one of Playwright's: 'unexpected' failed, 'flaky' held on the second try. Each with its project. */
function listSpecs(suites, outcome) {
  return suites.flatMap(({ title, specs = [], suites: inner = [] }) => [
    ...specs.flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status === outcome)
        .map(({ projectName }) => ({ projectName, name: `${title}: ${spec.title}` })),
    ),
    ...listSpecs(inner, outcome),
  ]);
}

/** One run of Playwright, whose two workers take the spec files of all its projects. */
async function playwright({ projects, wrapper, env }) {
  const file = join(reports, 'e2e.json');
  const chosen = projects.flatMap((project) => ['--project', project]);
  const command = [
    ...wrapper,
    bin('playwright'),
    'test',
    '--config',
    'test/e2e/playwright.config.ts',
    ...chosen,
  ];
  const code = await run(command[0], command.slice(1), {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    isAlone: true,
  });
  try {
    const { stats, suites, errors } = JSON.parse(readFileSync(file, 'utf8'));
    for (const { projectName, name } of listSpecs(suites, 'unexpected'))
      notes.push(`${projectName} failed: ${name}`);
    for (const { projectName, name } of listSpecs(suites, 'flaky'))
      notes.push(`${projectName} passed on a second try: ${name}`);
    count(stats.expected + stats.flaky, stats.unexpected, stats.skipped);
    for (const { message } of errors) notes.push(`e2e failed outside of any test: ${firstLine(message)}`);
    if (code !== 0 && stats.unexpected === 0) {
      count(0, 1);
      if (errors.length === 0) notes.push(`e2e: ended with ${code}`);
    }
  } catch {
    count(0, 1);
    notes.push('e2e: the run gave no report');
  }
}

/** What drives the web host. Null, and counted as a failure, where there is no browser. */
function chromiumRun() {
  // The one without a window draws the same pages in a seventh less of the processor's time.
  const executable = findProgram('chromium-headless-shell') ?? findOrInstallChromium();
  if (executable)
    return { projects: ['browser'], wrapper: [], env: { COUNTERSIGN_TEST_CHROMIUM: executable } };
  count(0, 1);
  notes.push('e2e-browser: install Chromium or Chrome (or set CHROME_PATH) and run npm test again');
  return null;
}

/** What drives the desktop app. Null, and counted as skipped, where there is no Electron or no display. */
function electronRun() {
  const electron = findElectron();
  if ('reason' in electron) {
    count(0, 0, 1);
    notes.push(`e2e-electron skipped: ${electron.reason}`);
    return null;
  }
  const keyring = keyringWrapper();
  return {
    projects: ['electron'],
    wrapper: [...electron.wrapper, ...keyring],
    env: {
      COUNTERSIGN_TEST_ELECTRON: electron.executable,
      COUNTERSIGN_TEST_KEYRING: keyring.length > 0 ? '1' : '',
      ...(keyring.length > 0 ? { XDG_CURRENT_DESKTOP: 'GNOME' } : {}),
    },
  };
}

const hosts = { 'e2e-browser': chromiumRun, 'e2e-electron': electronRun };

async function endToEnd(chosen) {
  const runs = chosen.map((name) => hosts[name]()).filter((one) => one !== null);
  if (runs.length === 0) return;
  await playwright({
    projects: runs.flatMap(({ projects }) => projects),
    wrapper: runs.flatMap(({ wrapper }) => wrapper),
    env: Object.assign({}, ...runs.map(({ env }) => env)),
  });
}

const cacheOf = (name) => join('node_modules', '.cache', name);
const lintCache = ['--cache', '--cache-location', `${cacheOf('eslint')}/`];
/** ESLint makes and drops a tree for each file: with room for what is young it takes a tenth less of the processor's time. */
const roomForTrees = '--max-semi-space-size=16';

/** The collector of TypeScript 7, which is written in Go, took a fifth of its processor's time: a third more of memory, and it waits. */
const fewCollections = { GOGC: '300' };

/** What needs no build, and the build. Two at a time, in order. */
const first = {
  // TypeScript 7 checks in a third of the time; lint rules still ask the interface of TypeScript 6. Its four checkers work out the
  // shared types four times: beside the build one takes little more than half of the processor's time. `--force`: what it remembers
  // of the last time hides errors (7.0.2 takes a file for sound whose import is gone; 6.0 finds it).
  types: (isAlone) =>
    check(
      'types',
      isAlone,
      process.execPath,
      [typescript7, '-b', '--force', '--checkers', '1'],
      fewCollections,
    ),
  oxlint: (isAlone) => check('oxlint', isAlone, bin('oxlint'), ['--quiet']),
  format: (isAlone) => check('format', isAlone, bin('oxfmt'), ['--check', '.']),
  build: (isAlone) => check('build', isAlone, bin('electron-vite'), ['build']),
};
/** What can wait for the processor: behind the specs, which share one run of Playwright. */
const patient = {
  lint: (isAlone) => check('lint', isAlone, process.execPath, [roomForTrees, eslint, ...lintCache, '.']),
};
/** One run of Vitest, which spreads their files over the cores. */
const suites = ['slow', 'unit', 'mocking', 'contract', 'conformance', 'integration'];
/** Those whose files start nothing but what the build made. */
const unaided = ['mocking', 'contract'];
const measured = ['load'];

async function runStep(name, work) {
  const began = Date.now();
  console.log(`\n── ${name}`);
  await work();
  console.log(`── ${name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

const wanted = process.argv.slice(2).filter((word) => word !== '--thorough');
if (wanted.length < process.argv.length - 2) environment.COUNTERSIGN_TEST_THOROUGH = '1';
const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
const known = [...Object.keys({ ...first, ...patient, ...hosts }), ...suites, ...measured];
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no step '${unknown[0]}'. The steps are: ${known.join(', ')}.`);
  process.exit(2);
}

/** Runs the steps that are wanted, so many at a time. */
async function takeSteps(steps, width, isBeside) {
  const chosen = Object.entries(steps).filter(([name]) => isWanted(name));
  const isAlone = !isBeside && chosen.length === 1;
  const takeTurns = async () => {
    for (let next = chosen.shift(); next; next = chosen.shift()) {
      const [name, step] = next;
      await runStep(name, () => step(isAlone));
    }
  };
  await Promise.all(Array.from({ length: width }, takeTurns));
}

async function takeSuites(names, isBeside) {
  const chosen = names.filter(isWanted);
  if (chosen.length > 0) await runStep(chosen.join(', '), () => vitest(chosen, !isBeside));
}

const longestInstallMs = 600_000;

/** Waits where CI still installs programs. The file that ends the wait has the folder of its Electron, or nothing. */
async function awaitPrograms(file) {
  const end = Date.now() + longestInstallMs;
  while (!existsSync(file)) {
    if (Date.now() > end) throw new Error(`${file} is not there after ${longestInstallMs / 1000} s.`);
    await wait(200);
  }
  const electron = readFileSync(file, 'utf8').trim();
  if (electron === '') return;
  process.env.ELECTRON_OVERRIDE_DIST_PATH = electron;
  environment.ELECTRON_OVERRIDE_DIST_PATH = electron;
}

await takeSteps(first, 2, false);
const { COUNTERSIGN_TEST_PROGRAMS: programs } = environment;
const shown = Object.keys(hosts).filter(isWanted);
/** Whether anything runs beside the steps behind: their output is then shown whole. */
const isBeside = shown.length > 0 || programs !== undefined;
/** What starts no program of the machine waits for none that CI still installs: half of that time a core would idle. */
const early = programs ? suites.filter((name) => unaided.includes(name)) : [];
const unaidedSteps = takeSteps(patient, 1, isBeside).then(() => takeSuites(early, isBeside));
if (programs) await runStep('programs', () => awaitPrograms(programs));
const specs = shown.length > 0 ? runStep(shown.join(', '), () => endToEnd(shown)) : null;
await unaidedSteps;
await takeSuites(
  suites.filter((name) => !early.includes(name)),
  isBeside,
);
await specs;
await takeSuites(measured, false);
await settleFailures();
rmSync(reports, { recursive: true, force: true });
for (const note of notes) console.log(`note: ${note}`);
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
