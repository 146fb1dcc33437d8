import './rescue-instead';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { OpenDialogOptions } from 'electron';
import { app, BrowserWindow, dialog, safeStorage, shell } from 'electron';
import ElectronStore from 'electron-store';
import { AppError } from '@shared/errors';
import { withCleanEnvironment } from '../platform/child-processes';
import { endingFacts, isAppEnding, openAppFolder, tellEnding } from '../platform/files/app-folder';
import { findUsualDataDirectory, prepareDataDirectory } from '../platform/files/data-directory';
import { letGoOfTerminals } from '../platform/let-go-of-terminals';
import { createNodePorts, systemClock } from '../platform/node-ports';
import { openSettings, type StoreClass } from '../platform/files/settings-store';
import { createServices, type Services } from '../services/create-services';
import { createOwnProduction } from '../services/own-production';
import type { Router } from '../services/router';
import { appOrigin, serveApp } from './app-protocol';
import { askBeforeLeaving } from './ask-before-leaving';
import { askedFile, createAskedLinks, findAskedLinks, isTooMuchToPassOn } from './asked-links';
import { parseLink, type AppLink } from '@shared/links/parse-link';
import { countCalls } from './calls-under-way';
import { countAtIcon } from './count-at-icon';
import { connectIpc } from './ipc-host';
import { confine, locatePreload, openMainWindow } from './main-window';
import { createNativeMenu, type NativeMenu } from './native-menu';
import { readSwitches } from './read-switches';
import { createSafeStorageBox } from './safe-storage-box';

const here = dirname(fileURLToPath(import.meta.url));
const switches = readSwitches(process.argv);

// The command line and the web host use the same folder, so that all three see the same keys and the same inbox.
app.setPath('userData', switches.data ?? findUsualDataDirectory());
/** Developer tools see every reply of the back end: they are there where somebody asked for them. */
const hasDevTools =
  switches.hasDevTools || (!app.isPackaged && process.env['ELECTRON_RENDERER_URL'] !== undefined);
/** What the page is told by, and what brings its window to the front, as soon as there is one. */
let tellOfLink = (): void => undefined;
let showOnAsking = (): void => undefined;
let leaveUnasked = (): void => undefined;
let hasStarted = false;
/** The end of an app takes no longer, as a rule. */
const endingMs = 20_000;
const lookMs = 200;
const endedMs = 2000;
const links = createAskedLinks(() => tellOfLink());
followLinks();
app.on('web-contents-created', (_event, contents) => confine(contents));
app.on('window-all-closed', () => app.quit());

// Nothing goes on half alive; what was answered is on disk.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
letGoOfTerminals();
// Where their reader or terminal has gone, nobody can be told; the window is there all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// Left to Electron, a signal ends it before the page has kept what was typed last: a session that ends sends one.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Told to the whole group, it has ended the process that draws, too: Chromium aborts where it can start no other.
    app.commandLine.appendSwitch('in-process-gpu');
    leaveUnasked();
    app.quit();
  });
}

if (isTooMuchToPassOn(process.argv, process.cwd())) {
  app.whenReady().then(refuseTooMuch, refuseTooMuch);
} else if (app.requestSingleInstanceLock()) {
  app.whenReady().then(run, fail);
} else {
  void leaveToFirst();
}

/** Links and files of this start, of one more start, and of a Mac's own events, which may come before it is ready. */
function followLinks(): void {
  const own = [app.getAppPath(), app.getPath('userData')];
  findAskedLinks(process.argv.slice(1), process.cwd(), own).forEach(links.add);
  app.on('second-instance', (_event, argv, folder) => {
    findAskedLinks(argv.slice(1), folder, own).forEach(links.add);
    showOnAsking();
  });
  const takeEvent = (event: { preventDefault(): void }, link: AppLink): void => {
    event.preventDefault();
    links.add(link);
    showOnAsking();
  };
  app.on('open-url', (event, url) => takeEvent(event, parseLink(url)));
  app.on('open-file', (event, path) => takeEvent(event, askedFile(path)));
  // Installers of the other systems enter it; what follows `--` is never taken for a switch.
  if (app.isPackaged && process.platform === 'win32') {
    app.setAsDefaultProtocolClient('countersign', process.execPath, ['--']);
  }
}

/** Asking whether an app runs would hand it all of them. */
function refuseTooMuch(): void {
  const message =
    'Nothing was opened: this start was given more files, or a longer link, than an app that runs can be told of. Open fewer files at once.';
  fail(new AppError('app.too_large', message));
}

/** Ends this start: its links and files have gone to the app that runs. A folder that cannot be written has no lock to be had either. */
async function leaveToFirst(): Promise<void> {
  try {
    const directory = prepareDataDirectory(app.getPath('userData'));
    if (await isFirstEnding(directory)) return void app.whenReady().then(run, fail);
    process.stdout.write(`${JSON.stringify({ event: 'running', host: 'electron' })}\n`);
    app.quit();
  } catch (error) {
    const tell = (): void => fail(error);
    app.whenReady().then(tell, tell);
  }
}

/** Waits for a first start that is ending. @returns whether this one is to take its place, or to say why not */
async function isFirstEnding(directory: string): Promise<boolean> {
  // One that runs, or begins, has been told what this start was given: it is told once.
  if (!isAppEnding(directory)) return false;
  const giveUpAt = performance.now() + endingMs;
  while (isAppEnding(directory) && performance.now() < giveUpAt) await delay(lookMs);
  // Of several that waited one takes the place, and is told by the others.
  return app.requestSingleInstanceLock() || isAppEnding(directory);
}

/** Electron ends by force a first start that does not answer: for a moment its process has the folder still. */
async function takeFolder(): Promise<ReturnType<typeof openAppFolder>> {
  for (const giveUpAt = performance.now() + endedMs; ; await delay(lookMs)) {
    try {
      return openAppFolder(app.getPath('userData'));
    } catch (error) {
      const isOfDesktop = error instanceof AppError && error.details?.['host'] === 'electron';
      if (!isOfDesktop || performance.now() > giveUpAt) throw error;
    }
  }
}

async function run(): Promise<void> {
  try {
    const menu = createNativeMenu({ hasDevTools });
    serveApp(join(here, '..', 'renderer'));
    const { dataDirectory, held } = await takeFolder();
    held.tell({ host: 'electron' });
    const services = makeServices(dataDirectory, menu);
    const started = services.start();
    const calls = countCalls(afterStart(services, started), () => performance.now());
    const disconnect = connectIpc({
      router: calls.router,
      events: services.events,
      logger: services.ports.logger,
    });
    const stopCounting = countAtIcon(services, started);
    const stopMenu = menu.follow(services, started);
    tellOfLink = () => services.events.emit('app.linkCame', {});
    const window = openMainWindow(locatePreload(here), { hasDevTools, dataDirectory });
    showOnAsking = () => showWindow(window);
    leaveUnasked = askBeforeLeaving(window, services.events, calls.areAny);
    closeInOrder(async () => {
      tellEnding(held, 'electron');
      disconnect();
      stopCounting();
      stopMenu();
      await services.close();
      held.release(endingFacts('electron'));
    });
    const loaded = new Promise<void>((resolve) =>
      window.webContents.once('did-finish-load', () => resolve()),
    );
    await Promise.all([started, loaded]);
    hasStarted = true;
    process.stdout.write(`${JSON.stringify({ event: 'ready', url: `${appOrigin}/`, host: 'electron' })}\n`);
  } catch (error) {
    fail(error);
  }
}

function makeServices(dataDirectory: string, menu: NativeMenu): Services {
  const version = app.getVersion();
  const ports = createNodePorts({
    host: 'electron',
    dataDirectory,
    version,
    listOwnProduction: createOwnProduction({ dataDirectory, version }),
    osKeychain: createSafeStorageBox(safeStorage),
    openSettings: () => openSettings(dataDirectory, systemClock, ElectronStore as unknown as StoreClass),
    desktop: {
      openExternal: (url) => withCleanEnvironment(() => shell.openExternal(url)),
      chooseFolder,
      revealPath: (path) => withCleanEnvironment(() => shell.showItemInFolder(path)),
      takeLink: () => links.take(),
      showActions: (ids) => menu.showActions(ids),
      comeToFront: () => showOnAsking(),
    },
  });
  return createServices(ports);
}

/** The window draws itself while the services start; what it asks meanwhile waits for them. */
function afterStart({ router }: Services, started: Promise<void>): Pick<Router, 'dispatch'> {
  return {
    async dispatch(method, input) {
      await started;
      return router.dispatch(method, input);
    },
  };
}

async function chooseFolder(): Promise<string | null> {
  const [window] = BrowserWindow.getAllWindows();
  const options = { properties: ['openDirectory', 'createDirectory'] } satisfies OpenDialogOptions;
  const chosen = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
}

/** Lets open work finish before the process ends, once the window has gone: it may want to stay. */
function closeInOrder(close: () => Promise<void>): void {
  let isClosing = false;
  app.on('will-quit', (event) => {
    if (isClosing) return;
    isClosing = true;
    event.preventDefault();
    void close().finally(() => app.quit());
  });
}

function showWindow(window: BrowserWindow): void {
  // It has gone, and the process is about to.
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Says why the app cannot start, or go on, where the launcher and a terminal see it, and ends. */
function fail(error: unknown): void {
  const unexpected = hasStarted
    ? 'Countersign has ended: a fault of its own. What was answered is kept; start it again.'
    : 'Countersign could not start.';
  const message = error instanceof AppError ? error.message : unexpected;
  const code = error instanceof AppError ? error.code : 'app.internal';
  process.stdout.write(`${JSON.stringify({ event: 'failed', host: 'electron', code, message })}\n`);
  process.stderr.write(`countersign: ${message}\n`);
  if (!(error instanceof AppError)) process.stderr.write(`${String(error)}\n`);
  // Started by a click, it has no terminal to say it in.
  if (app.isPackaged && app.isReady()) dialog.showErrorBox('Countersign', message);
  app.exit(error instanceof AppError ? 2 : 1);
}
