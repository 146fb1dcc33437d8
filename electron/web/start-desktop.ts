import { spawn, type ChildProcess } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { installerEnvironment } from '../platform/child-processes';
import { hasDisplay } from './open-window';

const downloadLimitMs = 180_000;
const startLimitMs = 30_000;
const patienceMs = 3000;

/** Whether a desktop window can be had here, and if not, why: the reason is shown to the user. */
export type DesktopChoice = { executable: string } | { reason: string };

/** What became of a try to start the desktop app. */
export type DesktopStart =
  | { kind: 'running'; ended: Promise<number> }
  | { kind: 'not_started'; reason: string };

/**
 * Finds an Electron to run the app in: `ELECTRON_OVERRIDE_DIST_PATH`, else the installed one, else a download.
 *
 * @param appDirectory - folder of the project's package.json
 * @param say - gets one line where fetching takes a while
 */
export async function findDesktop(appDirectory: string, say: (line: string) => void): Promise<DesktopChoice> {
  if (!hasDisplay()) return { reason: 'there is no display' };
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    return { reason: 'Electron does not run as root with its sandbox on' };
  }
  const folder = await findElectronPackage(appDirectory);
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override) {
    const executable = join(override, await readExecutableName(folder));
    return (await exists(executable))
      ? { executable }
      : { reason: `ELECTRON_OVERRIDE_DIST_PATH has no Electron (${executable})` };
  }
  if (folder === null) return { reason: 'Electron is not installed' };
  const installed = join(folder, 'dist', await readExecutableName(folder));
  if (await exists(installed)) return { executable: installed };
  say('Fetching Electron, about 110 MB, once …');
  if (!(await download(folder))) return { reason: 'Electron could not be downloaded' };
  return { executable: join(folder, 'dist', await readExecutableName(folder)) };
}

/** Starts the desktop app and waits until its window has loaded, or until it is plain that it will not. */
export function startDesktop(
  executable: string,
  appDirectory: string,
  args: readonly string[],
): Promise<DesktopStart> {
  const env = desktopEnvironment();
  const child = spawn(executable, [appDirectory, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString('utf8')).slice(-2000)));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(child, signal));
  return new Promise((resolve) => {
    const giveUp = (reason: string): void => {
      clearTimeout(limit);
      child.kill();
      resolve({ kind: 'not_started', reason });
    };
    const limit = setTimeout(() => giveUp('Electron did not show a window in time'), startLimitMs);
    child.once('error', (error) => giveUp(`Electron could not be started (${error.message})`));
    child.once('exit', () => giveUp(`Electron ended at once${summarise(complaint)}`));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = readEvent(line);
      if (event === 'ready' || event === 'running') {
        clearTimeout(limit);
        resolve({ kind: 'running', ended });
      }
    });
  });
}

/**
 * The environment that the desktop app is started in.
 *
 * GTK draws its few dialogs without OpenGL: its driver takes 40 MB of the main process where a machine draws in software.
 */
export function desktopEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  delete env['ELECTRON_RUN_AS_NODE'];
  if (process.platform === 'linux') env['GDK_GL'] ??= 'disable';
  return env;
}

/** Ends the app as it was asked to; one that does not end by itself is ended before whoever waits for us gives up. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  child.kill(signal);
  setTimeout(() => child.kill('SIGKILL'), patienceMs).unref();
}

function readEvent(line: string): string | null {
  try {
    return (JSON.parse(line) as { event?: string }).event ?? null;
  } catch {
    return null;
  }
}

function summarise(complaint: string): string {
  const line = complaint.split('\n').find((one) => /FATAL|sandbox|error while loading/i.test(one));
  return line === undefined ? '' : ` (${line.replace(/^\[[^\]]*\]\s*/, '').slice(0, 160)})`;
}

async function findElectronPackage(appDirectory: string): Promise<string | null> {
  try {
    return dirname(createRequire(join(appDirectory, 'package.json')).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

async function readExecutableName(folder: string | null): Promise<string> {
  const named = folder === null ? null : await readFile(join(folder, 'path.txt'), 'utf8').catch(() => null);
  if (named !== null) return named.trim();
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Runs the installer that the package itself carries; its own output would only repeat our line. */
function download(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(folder, 'install.js')], {
      stdio: 'ignore',
      env: installerEnvironment(process.env),
    });
    const limit = setTimeout(() => child.kill(), downloadLimitMs);
    child.once('error', () => (clearTimeout(limit), resolve(false)));
    child.once('exit', (code) => (clearTimeout(limit), resolve(code === 0)));
  });
}
