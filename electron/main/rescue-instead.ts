/**
 * Looks at a database in place of starting the app, where the arguments say so. First of all imports: what stands in a
 * damaged file may end this process, and the app that asked goes on.
 *
 * Electron could run as Node for it, but then any program could have the app's own binary run its code.
 */
import { RESCUE_SWITCH, runRescueAct } from '../platform/database/rescue-act';
import { listSwitchWords } from './read-switches';

const at = listSwitchWords(process.argv).indexOf(RESCUE_SWITCH);
if (at !== -1) {
  runRescueAct(process.argv.slice(at + 1));
  process.exit(0);
}
