import { closeSync, fstatSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Lets go at the end of a terminal that has gone: Node's own end sets it back, and crashes where that fails.
 *
 * What was begun there in the background ends with its own code.
 */
export function letGoOfTerminals(): void {
  if (process.platform === 'win32') return;
  process.on('exit', () => {
    // Not of those that were there when we began: it may have gone since Node did.
    for (const fd of [0, 1, 2].filter((one) => fstatSync(one).isCharacterDevice() && !isatty(one))) {
      closeSync(fd);
      openSync('/dev/null', 'r+');
    }
  });
}
