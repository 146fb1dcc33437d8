import { spawn, type ChildProcess } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cleanEnvironment } from '../platform/child-processes';

const chromiumNames: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'microsoft-edge',
    'brave-browser',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

const defaultOpeners: Partial<Record<NodeJS.Platform, readonly [string, readonly string[]]>> = {
  linux: ['xdg-open', []],
  darwin: ['open', []],
  win32: ['cmd', ['/c', 'start', '']],
};

/** How the window came to be: what the start line says. A window of our own is closed with the app. */
export type OpenedWindow =
  | { kind: 'app_window'; program: string; close(): void }
  | { kind: 'default_browser' }
  | { kind: 'none'; reason: string };

/** Tells whether a window can be shown at all. */
export function hasDisplay(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
}

/** Finds a Chromium-like browser; `CHROME_PATH` goes first. */
export async function findChromium(): Promise<string | null> {
  const { env } = process;
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    ...(env['CHROME_PATH'] ? [env['CHROME_PATH']] : []),
    ...(chromiumNames[process.platform] ?? []).flatMap((name) =>
      name.includes('/') || name.includes('\\') ? [name] : folders.map((folder) => join(folder, name)),
    ),
  ];
  for (const candidate of candidates) {
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch {
      // The next candidate may be there.
    }
  }
  return null;
}

/**
 * Opens the app at `url`: a Chromium window without browser chrome where one is found, else the default browser.
 *
 * @param url - stands in the program's arguments, which everyone on the machine can read: no secret may be in it
 * @param profileDirectory - the window's own browser profile; keeps its cookie apart from the user's browsing
 */
export async function openWindow(url: string, profileDirectory: string): Promise<OpenedWindow> {
  if (!hasDisplay()) return { kind: 'none', reason: 'there is no display' };
  const chromium = await findChromium();
  if (chromium !== null && !(process.platform === 'linux' && process.getuid?.() === 0)) {
    const args = [
      `--app=${url}`,
      `--user-data-dir=${profileDirectory}`,
      '--no-first-run',
      '--no-default-browser-check',
    ];
    const child = await launch(chromium, args);
    if (child !== null) return { kind: 'app_window', program: chromium, close: () => endGroup(child) };
  }
  const opener = defaultOpeners[process.platform];
  if (opener && (await launch(opener[0], [...opener[1], url])) !== null) return { kind: 'default_browser' };
  return { kind: 'none', reason: 'no browser could be started' };
}

/** Starts a program on its own; null where it cannot be started or fails at once. */
function launch(program: string, args: readonly string[]): Promise<ChildProcess | null> {
  return new Promise((resolve) => {
    const env = cleanEnvironment(process.env);
    const child = spawn(program, args, { detached: true, stdio: 'ignore', env });
    const settled = setTimeout(() => resolve(child), 1500);
    child.once('error', () => (clearTimeout(settled), resolve(null)));
    child.once('exit', (code) => (clearTimeout(settled), resolve(code === 0 ? child : null)));
    child.unref();
  });
}

/** Ends a program that {@link launch} started, with whatever it started itself. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  // One that ended has handed its window to a browser that ran before, which is not ours to end.
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid);
  } catch {
    // It has just ended by itself.
  }
}
