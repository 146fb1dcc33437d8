import { app, dialog, type BrowserWindow } from 'electron';

type Way = 'reload' | 'close' | 'quit';

/** A person takes longer to answer; what answers at once has to wait. */
const takenBackMs = 200;

/**
 * Asks before the window goes where its page says that something typed would go with it.
 *
 * The question leaves the process free: what it serves meanwhile, webhooks among it, goes on.
 * @returns what lets the window go without a question from now on: nobody is there to answer it
 */
export function askBeforeLeaving(window: BrowserWindow): () => void {
  let way: Way = 'reload';
  let mayLeave = false;
  let isAsking = false;
  app.on('before-quit', () => (way = 'quit'));
  window.on('close', () => {
    if (way !== 'quit') way = 'close';
  });
  const ask = async (wish: Way): Promise<void> => {
    isAsking = true;
    // A question over a window that is not seen is not seen either.
    if (window.isMinimized()) window.restore();
    window.show();
    try {
      const { response } = await dialog.showMessageBox(window, questionBefore(wish));
      if (response === 0 || window.isDestroyed()) return;
      mayLeave = true;
      // Electron takes no other end while it takes this one back, and tells nobody when it has.
      setTimeout(() => leaves[wish](window), takenBackMs);
    } finally {
      isAsking = false;
    }
  };
  window.webContents.on('will-prevent-unload', (event) => {
    const wish = way;
    way = 'reload';
    if (mayLeave) event.preventDefault();
    else if (!isAsking) void ask(wish);
  });
  window.webContents.on('did-finish-load', () => (mayLeave = false));
  return () => (mayLeave = true);
}

const leaves: Record<Way, (window: BrowserWindow) => void> = {
  reload: (window) => window.webContents.reload(),
  close: (window) => window.close(),
  quit: () => app.quit(),
};

/** Enter and Escape leave everything as it is. */
const questionBefore = (way: Way): Electron.MessageBoxOptions => ({
  type: 'question',
  message: 'Discard what you typed?',
  detail: 'Something that you typed in this window is not saved. Drafts of requests are kept.',
  buttons: ['Go back', `Discard and ${way}`],
  defaultId: 0,
  cancelId: 0,
  noLink: true,
});
