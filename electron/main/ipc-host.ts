import { BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron';
import type { EventBus } from '@shared/contract/events';
import type { Reply } from '@shared/contract/define';
import { AppError, toErrorReply } from '@shared/errors';
import type { Logger } from '../platform/ports';
import type { Router } from '../services/router';
import { appOrigin } from './app-protocol';

/**
 * Connects the page with the router: one channel for calls, one for events.
 *
 * Calls are taken from the main frame of our own window at our own origin alone; empty and about:blank
 * origins are refused like any other, loudly.
 * @returns a function that disconnects
 */
export function connectIpc(options: {
  router: Pick<Router, 'dispatch'>;
  events: EventBus;
  logger: Logger;
}): () => void {
  ipcMain.handle(
    'countersign:call',
    async (event, method: unknown, input: unknown): Promise<Reply<unknown>> => {
      if (!isTrustedSender(event)) {
        options.logger.log('error', 'ipc.refused_sender', { url: event.senderFrame?.url ?? 'none' });
        return {
          ok: false,
          error: toErrorReply(new AppError('ipc.refused_sender', 'Only the main window may call.')),
        };
      }
      return options.router.dispatch(String(method), input);
    },
  );
  const unsubscribe = options.events.subscribeAll((name, payload) => {
    for (const window of BrowserWindow.getAllWindows()) {
      if (!window.webContents.isDestroyed()) window.webContents.send('countersign:event', name, payload);
    }
  });
  return () => {
    ipcMain.removeHandler('countersign:call');
    unsubscribe();
  };
}

function isTrustedSender(event: IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame;
  if (frame === null || frame !== event.sender.mainFrame) return false;
  if (BrowserWindow.fromWebContents(event.sender) === null) return false;
  return (
    frame.url === `${appOrigin}/` ||
    frame.url.startsWith(`${appOrigin}/#`) ||
    frame.url.startsWith(`${appOrigin}/index.html`)
  );
}
