import { app, dialog, type BrowserWindow } from 'electron';
import type { EventBus } from '@shared/contract/events';

type Way = 'reload' | 'close' | 'quit';

/** A person takes longer to answer; what answers at once has to wait. */
const takenBackMs = 200;

/**
 * Asks before the window goes where its page says that something would go with it, typed or under way, or where a run, a
 * check, a call or what passes the proxy would break off.
 *
 * The question leaves the process free: what it serves meanwhile, webhooks among it, goes on.
 * @param areCallsUnderWay - the page waits for what a call of it sends or changes
 * @returns what lets the window go without a question from now on: nobody is there to answer it
 */
export function askBeforeLeaving(
  window: BrowserWindow,
  events: EventBus,
  areCallsUnderWay: () => boolean,
): () => void {
  let way: Way = 'reload';
  let mayLeave = false;
  let isAsking = false;
  let isRunning = false;
  let isChecking = false;
  let isPassing = false;
  let mayBreakOff = false;
  const takeWay = (): Way => {
    const wish = way;
    way = 'reload';
    return wish;
  };
  events.subscribe('running.changed', ({ state }) => {
    // One that was canceled still waits for what it has sent.
    isRunning = state !== 'over';
    if (!isRunning) mayBreakOff = false;
  });
  events.subscribe('receiver.changed', ({ state }) => (isChecking = state === 'running'));
  events.subscribe('proxy.holding', ({ isHolding }) => (isPassing = isHolding));
  app.on('before-quit', () => (way = 'quit'));
  window.on('close', (event) => {
    if (way !== 'quit') way = 'close';
    if (mayLeave || !(isRunning ? !mayBreakOff : isChecking || isPassing || areCallsUnderWay())) return;
    event.preventDefault();
    const wish = takeWay();
    if (isAsking) return;
    if (isRunning) void ask(wish, breakOffRun(wish), () => (mayBreakOff = true));
    else void ask(wish, breakOff(wish), () => (mayLeave = true));
  });
  const ask = async (
    wish: Way,
    question: Electron.MessageBoxOptions | Promise<Electron.MessageBoxOptions>,
    agree: () => void,
  ): Promise<void> => {
    isAsking = true;
    // A question over a window that is not seen is not seen either.
    if (window.isMinimized()) window.restore();
    window.show();
    try {
      const { response } = await dialog.showMessageBox(window, await question);
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
    else if (!isAsking) void ask(wish, findQuestion(window, wish), () => (mayLeave = true));
  });
  window.webContents.on('did-finish-load', () => (mayLeave = false));
  return () => (mayLeave = true);
}

/** The page has a mark while something goes on in it that ends with it. */
async function findQuestion(window: BrowserWindow, way: Way): Promise<Electron.MessageBoxOptions> {
  const isUnderWay: unknown = await window.webContents.executeJavaScript(
    `'underWay' in document.documentElement.dataset`,
  );
  return isUnderWay === true ? breakOff(way) : discard(way);
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
    'Break off what is under way?',
    'Something that was begun here is not at its end. What is left of it may not be done, and how it went is not shown. What was typed and is not saved goes, too.',
    `Break off and ${way}`,
  );

const breakOffRun = (way: Way): Electron.MessageBoxOptions =>
  questionOf(
    'Break off the run?',
    'A run is under way. What it has not sent yet is not sent, and how it went with what waits for its answer is not known; the results that it has are kept.',
    `Break off and ${way}`,
  );
