import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, vi } from 'vitest';
import { endStarted } from './run-cli';
import { removeTemporaryFolders } from './temporary';

const longestLoadMs = 5000;

/**
 * Run by Vitest before each file of tests: what the file started, made and put in place of globals and clocks goes with it. Files
 * of one process share its modules, so an `afterAll` in a module would be that of the first file alone; and its globals: with a
 * `document` that one had left React Aria broke in the next as it was loaded. So did a module that was still being loaded at the end.
 */
afterAll(async () => {
  endStarted();
  removeTemporaryFolders();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  await Promise.race([vi.dynamicImportSettled(), wait(longestLoadMs, undefined, { ref: false })]);
});
