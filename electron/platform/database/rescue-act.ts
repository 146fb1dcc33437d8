import { writeSync } from 'node:fs';
import { isSound, saveRows } from './salvage';

/** In the arguments of the desktop app: nothing of the app is started, and a database is looked at instead. */
export const RESCUE_SWITCH = '--look-at-database';

/** The first line of that process: from here on its end tells of the file, and not of the process. */
export const RESCUE_BEGUN = '{"begun":true}';

/** Looks at a database, or saves what can be read of it, and writes the result on stdout. For a process of its own. */
export function runRescueAct(args: readonly string[]): void {
  const [act, file = '', fresh = '', scratch = ''] = args;
  // Written at once: the process may be ended right after.
  writeSync(1, `${RESCUE_BEGUN}\n`);
  const result = act === 'check' ? isSound(file, fresh, true) : saveRows(file, fresh, scratch);
  writeSync(1, JSON.stringify({ result }));
}
