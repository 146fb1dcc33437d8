import { app, dialog, type BrowserWindow } from 'electron';
import type { EventBus } from '@shared/contract/events';

type Way = 'reload' | 'close' | 'quit';

/** A person takes longer to answer; what answers at once has to wait. */
const takenBackMs = 200;

/**
 * Asks before the window goes where its page says that something typed would go with it, or where a run would break off.
 *
 * The question leaves the process free: what it serves meanwhile, webhooks among it, goes on.
 * @returns what lets the window go without a question from now on: nobody is there to answer it
 */
export function askBeforeLeaving(window: BrowserWindow, events: EventBus): () => void {
  let way: Way = 'reload';
  let mayLeave = false;
  let isAsking = false;
  let isRunning = false;
  let mayBreakOff = false;
  const takeWay = (): Way => {
    const wish = way;
    way = 'reload';
    return wish;
  };
  events.subscribe('running.changed', ({ state }) => {
    isRunning = state === 'running';
    if (!isRunning) mayBreakOff = false;
  });
  app.on('before-quit', () => (way = 'quit'));
  window.on('close', (event) => {
    if (way !== 'quit') way = 'close';
    if (!isRunning || mayBreakOff || mayLeave) return;
    event.preventDefault();
    const wish = takeWay();
    if (!isAsking) void ask(wish, breakOff(wish), () => (mayBreakOff = true));
  });
  const ask = async (wish: Way, question: Electron.MessageBoxOptions, agree: () => void): Promise<void> => {
    isAsking = true;
    // A question over a window that is not seen is not seen either.
    if (window.isMinimized()) window.restore();
    window.show();
    try {
      const { response } = await dialog.showMessageBox(window, question);
      if (response === 0 || window.isDestroyed()) return;
      agree();
      // Electron takes no other end while it takes this one back, and tells nobody when it has.
      setTimeout(() => leaves[wish](window), takenBackMs);
    } finally {
      isAsking = false;
    }
  };
  window.webContents.on('will-prevent-unload', (event) => {
    const wish = takeWay();
    if (mayLeave) event.preventDefault();
    else if (!isAsking) void ask(wish, discard(wish), () => (mayLeave = true));
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
const questionOf = (message: string, detail: string, agree: string): Electron.MessageBoxOptions => ({
  type: 'question',
  message,
  detail,
  buttons: ['Go back', agree],
  defaultId: 0,
  cancelId: 0,
  noLink: true,
});

const discard = (way: Way): Electron.MessageBoxOptions =>
  questionOf(
    'Discard what you typed?',
    'Something that you typed in this window is not saved. Drafts of requests are kept.',
    `Discard and ${way}`,
  );

const breakOff = (way: Way): Electron.MessageBoxOptions =>
  questionOf(
    'Break off the run?',
    'A run is under way. What it has not sent yet is not sent; the results that it has are kept.',
    `Break off and ${way}`,
  );
