import { join } from 'node:path';
import { BrowserWindow, screen, type WebContents } from 'electron';
import { appOrigin } from './app-protocol';
import { offerInputMenu } from './input-menu';
import { loadAnewWhenGone } from './load-anew';
import { fitWindow, keepWindowPlace, leastSize, readWindowPlace } from './window-place';

/**
 * Opens the main window: sandboxed, isolated, without Node, and unable to go anywhere else.
 *
 * @param preload - absolute path of the built preload script
 */
export function openMainWindow(
  preload: string,
  options: { hasDevTools: boolean; dataDirectory: string },
): BrowserWindow {
  const place = readWindowPlace(options.dataDirectory);
  const window = new BrowserWindow({
    ...fitWindow(place, listAreas()),
    minWidth: leastSize.width,
    minHeight: leastSize.height,
    show: false,
    title: 'Countersign',
    backgroundColor: '#16171b',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      devTools: options.hasDevTools,
    },
  });
  confine(window.webContents);
  offerInputMenu(window.webContents);
  loadAnewWhenGone(window);
  if (place?.isMaximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () =>
    keepWindowPlace(options.dataDirectory, {
      ...window.getNormalBounds(),
      isMaximized: window.isMaximized(),
    }),
  );
  void window.loadURL(`${appOrigin}/`);
  return window;
}

/** What the displays leave for windows, the main one first. */
function listAreas(): Electron.Rectangle[] {
  const main = screen.getPrimaryDisplay();
  return [main, ...screen.getAllDisplays().filter(({ id }) => id !== main.id)].map(
    ({ workArea }) => workArea,
  );
}

/** Refuses navigation, new windows and webviews for any contents, also those that something else makes. */
export function confine(contents: WebContents): void {
  // Nothing here speaks WebRTC; without a way out it tells no address of this machine to anybody either.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  const stay = (event: Electron.Event<{ url: string; isMainFrame: boolean }>): void => {
    if (!isReload(event, contents)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // An empty page is no navigation that can be prevented: it is left again as soon as it is there.
  contents.on('did-navigate', (_event, url) => {
    if (url.startsWith('about:')) void contents.loadURL(`${appOrigin}/`);
  });
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Whether the page loads itself anew. */
function isReload(to: { isMainFrame: boolean; url: string }, contents: WebContents): boolean {
  return to.isMainFrame && [to.url, contents.getURL()].every((url) => url.split('#')[0] === `${appOrigin}/`);
}

/** Path of the built preload script, from any file one folder below `out`. */
export function locatePreload(mainDirectory: string): string {
  return join(mainDirectory, '..', 'preload', 'index.cjs');
}
