import { join } from 'node:path';
import { BrowserWindow, type WebContents } from 'electron';
import { appOrigin } from './app-protocol';

/**
 * Opens the main window: sandboxed, isolated, without Node, and unable to go anywhere else.
 *
 * @param preload - absolute path of the built preload script
 */
export function openMainWindow(preload: string, options: { hasDevTools: boolean }): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    minWidth: 800,
    minHeight: 560,
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
  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${appOrigin}/`);
  return window;
}

/** Refuses navigation, new windows and webviews for any contents, also those that something else makes. */
export function confine(contents: WebContents): void {
  // Nothing here speaks WebRTC; without a way out it tells no address of this machine to anybody either.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // An empty page is no navigation that can be prevented: it is left again as soon as it is there.
  contents.on('did-navigate', (_event, url) => {
    if (url.startsWith('about:')) void contents.loadURL(`${appOrigin}/`);
  });
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Path of the built preload script, from any file one folder below `out`. */
export function locatePreload(mainDirectory: string): string {
  return join(mainDirectory, '..', 'preload', 'index.cjs');
}
