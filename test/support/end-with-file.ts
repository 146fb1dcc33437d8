import { afterAll } from 'vitest';
import { endStarted } from './run-cli';
import { removeTemporaryFolders } from './temporary';

/**
 * Run by Vitest before each file of tests: what the file started and made goes with it. Files of one process share its
 * modules, so an `afterAll` in a module would be that of the first file alone.
 */
afterAll(() => {
  endStarted();
  removeTemporaryFolders();
});
