import { runRescueAct } from '../platform/database/rescue-act';

runRescueAct(process.argv.slice(2));
