import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findUsualDataDirectory, prepareDataDirectory } from '../../platform/files/data-directory';
import { keepHeapSmall } from '../../platform/keep-heap-small';
import type { OpenedWindow } from '../../web/open-window';
import { findDesktop, startDesktop } from '../../web/start-desktop';
import { startWebHost } from '../../web/start-web-host';
import { defineCommand, type CommandContext } from '../command';
import { readVersion } from '../read-version';

/** Folder of package.json: two above, in the source tree as in what is built. */
function findAppDirectory(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL('../../', here));
}

/** Tries the desktop app. Gives its end where it runs, else why it does not. */
async function tryDesktop(
  context: CommandContext,
  dataDirectory: string,
): Promise<{ ended: Promise<number> } | { reason: string }> {
  const appDirectory = findAppDirectory();
  const choice = await findDesktop(appDirectory, context.say);
  if ('reason' in choice) return choice;
  const start = await startDesktop(choice.executable, appDirectory, ['--data', dataDirectory]);
  return start.kind === 'running' ? { ended: start.ended } : { reason: start.reason };
}

/** Says where the page is shown and why not in Electron, each reason once. */
function describeWindow(window: OpenedWindow, noElectron: string): string {
  if (window.kind === 'none' && window.reason === noElectron) return `without a window: ${noElectron}`;
  const why = noElectron === '' ? '' : ` (no Electron: ${noElectron})`;
  if (window.kind === 'app_window') return `in a window of ${window.program}${why}`;
  return window.kind === 'default_browser'
    ? `in your browser${why}`
    : `without a window: ${window.reason}${why}`;
}

async function serveWeb(
  context: CommandContext,
  options: { dataDirectory: string; port: number; open: boolean; reason: string },
): Promise<0> {
  keepHeapSmall();
  const ended = context.waitForEnd();
  let isReady = false;
  const host = await startWebHost({
    dataDirectory: options.dataDirectory,
    version: readVersion(),
    port: options.port,
    open: options.open,
    onLaunchUrl(url) {
      // Each address opens one browser, once; the next one is for whoever comes after.
      if (isReady && !context.isJson) context.say(`To open another window: ${url}`);
    },
  });
  isReady = true;
  const { window } = host;
  context.say(`Running as a local web app, ${describeWindow(window, options.reason)}.`);
  if (context.isJson) context.printJson({ event: 'ready', url: host.url, host: 'web' });
  else {
    context.print(`Countersign is at ${host.url}`);
    context.say('That address opens one browser, once; the next is printed here then. Ctrl+C ends the app.');
  }
  await ended;
  await host.close();
  return 0;
}

export const command = defineCommand({
  usage: 'app [--data DIR] [--port N] [--no-open]',
  summary: 'Open the app: the desktop app where Electron can be had, else in a browser window.',
  notes: [
    '--port and --no-open ask for the local web app. It prints its address, which opens one browser, once.',
    'With --json it prints {"event":"ready","url","host":"electron"|"web"}.',
  ],
  options: {
    data: {
      placeholder: 'DIR',
      help: "Data directory; the platform's usual place where left out",
    },
    port: {
      type: 'integer',
      help: 'Port of the web app on 127.0.0.1, 0 for any',
      max: 65_535,
    },
    'no-open': { type: 'flag', help: 'Open no window, only serve' },
  },
  async run(context, values) {
    const dataDirectory = prepareDataDirectory(
      values.data === undefined ? findUsualDataDirectory() : resolve(values.data),
    );
    const port = values.port ?? 0;
    if (values['no-open']) return serveWeb(context, { dataDirectory, port, open: false, reason: '' });
    if (values.port !== undefined) return serveWeb(context, { dataDirectory, port, open: true, reason: '' });
    const desktop = await tryDesktop(context, dataDirectory);
    if ('reason' in desktop)
      return serveWeb(context, { dataDirectory, port, open: true, reason: desktop.reason });
    context.say('Running in Electron.');
    if (context.isJson) context.printJson({ event: 'ready', url: 'app://countersign/', host: 'electron' });
    return (await desktop.ended) === 0 ? 0 : 1;
  },
});
