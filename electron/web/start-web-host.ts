import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAppFolder, tellEnding } from '../platform/files/app-folder';
import { createNodePorts } from '../platform/node-ports';
import type { HeldFolder } from '../platform/files/process-lock';
import { createServices } from '../services/create-services';
import { createOwnProduction } from '../services/own-production';
import { createLaunchFile } from './launch-file';
import { openWindow, type OpenedWindow } from './open-window';
import { startWebServer } from './web-server';

export interface WebHostOptions {
  /** Null: the platform's usual place. */
  dataDirectory: string | null;
  version: string;
  /** 0: any free port. */
  port: number;
  /** Opens a window where a display is. */
  open: boolean;
  /** Told each launch address: the first, and a new one after each use. */
  onLaunchUrl(url: string): void;
}

export interface WebHost {
  /** The first launch address: opens one browser, once. */
  url: string;
  window: OpenedWindow;
  close(): Promise<void>;
}

/**
 * Runs the app without Electron: services in this process, the page over loopback HTTP.
 *
 * @throws {AppError} `platform.unwritable`, `app.folder_in_use`, `web.port_in_use`
 */
export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const { dataDirectory, held } = openAppFolder(options.dataDirectory);
  try {
    return await startIn(dataDirectory, held, options);
  } catch (error) {
    held.release();
    throw error;
  }
}

async function startIn(dataDirectory: string, held: HeldFolder, options: WebHostOptions): Promise<WebHost> {
  const { version } = options;
  const listOwnProduction = createOwnProduction({ dataDirectory, version });
  const ports = createNodePorts({ host: 'web', dataDirectory, version, listOwnProduction });
  const services = createServices(ports);
  const launchFile = createLaunchFile(dataDirectory);
  let url = '';
  const server = await startWebServer({
    router: services.router,
    events: services.events,
    random: ports.random,
    root: locateRenderer(),
    port: options.port,
    onLaunchUrl(next) {
      const isFirst = url === '';
      if (isFirst) url = next;
      try {
        launchFile.offer(next);
      } catch (error) {
        // It is printed all the same: without it no other window could be opened.
        if (isFirst) throw error;
        ports.logger.log('error', 'web.launch_file_not_written', { error });
      }
      options.onLaunchUrl(next);
    },
  }).catch(async (error: unknown) => {
    await services.close();
    throw error;
  });
  held.tell({ host: 'web', origin: server.origin, launchFile: launchFile.url });
  await services.start();
  const window = options.open
    ? await openInProfile(launchFile.url, dataDirectory)
    : ({ kind: 'none', reason: 'asked not to' } as const);
  return {
    url,
    window,
    async close() {
      tellEnding(held, 'web');
      launchFile.remove();
      if (window.kind === 'app_window') window.close();
      await server.close();
      await services.close();
      held.release();
    },
  };
}

async function openInProfile(url: string, dataDirectory: string): Promise<OpenedWindow> {
  const profile = join(dataDirectory, 'browser-profile');
  await mkdir(profile, { recursive: true, mode: 0o700 });
  return openWindow(url, profile);
}

/** The built page, from any file one folder below `out`. */
function locateRenderer(): string {
  return join(dirname(fileURLToPath(import.meta.url)), '..', 'renderer');
}
