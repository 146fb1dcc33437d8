import { app, dialog, type BrowserWindow } from 'electron';

/** A signal to the whole group ends the page a moment before it ends the app: then nobody is to be asked. */
const endsTogetherMs = 500;

/** Says that the page has ended by itself, which leaves its window empty while all else goes on, and loads it again. */
export function loadAnewWhenGone(window: BrowserWindow): void {
  const offer = async (): Promise<void> => {
    if (window.isDestroyed()) return;
    // A question over a window that is not seen is not seen either.
    if (window.isMinimized()) window.restore();
    window.show();
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: 'This window has failed.',
      detail:
        'What it showed ended unexpectedly. All else goes on: what was sent, runs, and the listener as it was. What was typed and is not saved is gone; drafts of requests are kept.',
      buttons: ['Load it again', 'Quit'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    if (window.isDestroyed()) return;
    // Before quitting, too: who is asked about a run then may go back to it.
    window.webContents.reload();
    if (response === 1) app.quit();
  };
  window.webContents.on('render-process-gone', () => setTimeout(() => void offer(), endsTogetherMs));
}
