import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it, vi } from 'vitest';
import { projectRoot } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

const limitMs = 5000;
const groups: number[] = [];
afterEach(() => {
  for (const group of groups.splice(0)) if (isThere(group)) process.kill(-group, 'SIGKILL');
});

/** Whether any process of a group is left. */
function isThere(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts `npm start` as a terminal does: a group of its own. Gives it once the app is ready. */
async function start(): Promise<ChildProcess & { pid: number }> {
  const args = [
    'start',
    '--',
    '--no-open',
    '--json',
    '--port',
    '0',
    '--data',
    makeTemporaryFolder('npm-start'),
  ];
  const child = spawn('npm', args, {
    cwd: projectRoot,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  }) as unknown as ChildProcess & { pid: number };
  groups.push(child.pid);
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line.includes('"ready"')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`npm start ended (${code}) before the app was ready.`)));
  });
  return child;
}

it.runIf(process.platform !== 'win32').each([
  ['SIGTERM to npm', (pid: number) => process.kill(pid, 'SIGTERM')],
  ['Ctrl+C, which the whole group gets', (pid: number) => process.kill(-pid, 'SIGINT')],
  ['a terminal that is closed, which the whole group is told', (pid: number) => process.kill(-pid, 'SIGHUP')],
])(
  'npm start ends within five seconds, with no process left: %s',
  async (_name, tell) => {
    const { pid } = await start();
    tell(pid);
    await vi.waitFor(() => expect(isThere(pid)).toBe(false), { timeout: limitMs, interval: 50 });
  },
  60_000,
);

it('npm start says of a folder that it cannot be built in what to do, in one line', () => {
  const folder = join(makeTemporaryFolder('npm-start'), 'C#');
  for (const name of ['bin', 'scripts', 'package.json'])
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  for (const name of ['electron-vite', '@rolldown/binding-any'])
    mkdirSync(join(folder, 'node_modules', name), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(`has a # or a ?, as in ${folder}.`);
});
