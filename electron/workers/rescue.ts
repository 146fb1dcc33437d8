import { isSound, saveRows } from '../platform/database/salvage';

/** Looks at a database, or saves what can be read of it, in a process of its own; the last line tells. */
const [act, file = '', fresh = '', scratch = ''] = process.argv.slice(2);
const result = act === 'check' ? isSound(file, fresh, true) : saveRows(file, fresh, scratch);
process.stdout.write(JSON.stringify({ result }));
