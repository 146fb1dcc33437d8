import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright';
import { installerEnvironment } from './clean-environment.mjs';

const require = createRequire(import.meta.url);

/** Tells whether a program can be run. */
export function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Finds a program on PATH; null where there is none. */
export function findProgram(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder && canRun(join(folder, name))) return join(folder, name);
  }
  return null;
}

const systemBrowsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Finds a Chromium or Chrome for the browser tests, installing Playwright's own where none is here. */
export function findOrInstallChromium() {
  const found =
    (process.env.CHROME_PATH && canRun(process.env.CHROME_PATH) ? process.env.CHROME_PATH : null) ??
    systemBrowsers.map(findProgram).find(Boolean) ??
    fixedPlaces.find(canRun) ??
    (existsSync(chromium.executablePath()) ? chromium.executablePath() : null);
  if (found) return found;
  process.stderr.write('No Chromium or Chrome here: installing one for the tests …\n');
  spawnSync(
    process.execPath,
    [join(dirname(require.resolve('playwright/package.json')), 'cli.js'), 'install', 'chromium'],
    {
      stdio: 'inherit',
      env: installerEnvironment(),
    },
  );
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
}

/**
 * Finds an Electron for the desktop tests and what shows its windows.
 * @returns {{ executable: string, wrapper: string[] } | { reason: string }}
 */
export function findElectron() {
  const folder = dirname(require.resolve('electron/package.json'));
  const pathFile = join(folder, 'path.txt');
  const name = existsSync(pathFile)
    ? readFileSync(pathFile, 'utf8').trim()
    : process.platform === 'darwin'
      ? 'Electron.app/Contents/MacOS/Electron'
      : process.platform === 'win32'
        ? 'electron.exe'
        : 'electron';
  const executable = join(process.env.ELECTRON_OVERRIDE_DIST_PATH || join(folder, 'dist'), name);
  if (!canRun(executable))
    return { reason: 'no Electron binary is installed (npx install-electron fetches it)' };
  if (process.platform !== 'linux' || process.env.DISPLAY) return { executable, wrapper: [] };
  const xvfb = findProgram('xvfb-run');
  return xvfb
    ? { executable, wrapper: [xvfb, '-a'] }
    : { reason: 'there is no display, and no xvfb-run to make one' };
}

/** The command that gives Electron a real, unlocked keyring of its own; empty where the programs are not here. */
export function keyringWrapper() {
  const session = findProgram('dbus-run-session');
  const daemon = findProgram('gnome-keyring-daemon');
  if (process.platform !== 'linux' || !session || !daemon) return [];
  const script = `printf '\\n' | "${daemon}" --unlock --components=secrets >/dev/null && exec "$@"`;
  return [session, '--', 'sh', '-c', script, 'sh'];
}
