/**
 * `npm run try-appimage`: builds the AppImage and starts it as an ordinary user, within Chromium's sandbox, until it says that it
 * is ready. Needs xvfb-run.
 *
 * Where its tools cannot be fetched, `APPIMAGE_TOOLS_PATH=test/support/packaging/appimage` stands in for them (squashfs-tools,
 * desktop-file-utils).
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { cleanEnvironment } from './clean-environment.mjs';
import { root } from './build-if-stale.mjs';

const MOST_MS_TO_READY = 60_000;
/** `nobody` of every Linux: Chromium's sandbox is not for root. */
const ordinary = 65_534;

function makeAppImage(folder) {
  const stand = process.env.APPIMAGE_TOOLS_PATH;
  const env = { ...cleanEnvironment(), ...(stand && { APPIMAGE_TOOLS_PATH: resolve(stand) }) };
  const script = join(root, 'scripts/package.mjs');
  const args = [script, '--linux', 'AppImage', `-c.directories.output=${folder}`];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  if (status !== 0) throw new Error('The AppImage could not be made; electron-builder says why.');
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.AppImage')),
  );
}

/** What runs over a data folder, with its arguments. */
function findRunning(data) {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words.some((word) => word.includes(data)) ? [words] : [];
    } catch {
      return [];
    }
  });
}

async function tryIt(program, home) {
  const asOrdinary = process.getuid() === 0 ? { uid: ordinary, gid: ordinary } : {};
  const data = join(home, 'data');
  const began = performance.now();
  const app = spawn('xvfb-run', ['-a', program, '--data', data], {
    ...asOrdinary,
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  try {
    const signal = AbortSignal.timeout(MOST_MS_TO_READY);
    const [line] = await once(createInterface({ input: app.stdout }), 'line', { signal });
    if (JSON.parse(line).event !== 'ready') throw new Error(`It said ${line}`);
    const running = findRunning(data);
    if (running.some((words) => words.includes('--no-sandbox')))
      throw new Error('It runs outside of the sandbox.');
    console.log(`ready after ${Math.round(performance.now() - began)} ms, in ${running.length} processes`);
  } finally {
    const ended = once(app, 'close');
    process.kill(-app.pid, 'SIGTERM');
    await ended;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'countersign-appimage-'));
try {
  chmodSync(folder, 0o755);
  const program = makeAppImage(folder);
  console.log(`${program.split('/').at(-1)}: ${(statSync(program).size / 2 ** 20).toFixed(0)} MiB`);
  const home = join(folder, 'home');
  mkdirSync(home);
  if (process.getuid() === 0) chownSync(home, ordinary, ordinary);
  await tryIt(program, home);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
