import { dirname } from 'node:path';
import { toDatabaseError } from '../../platform/database/database';
import { anotherDataFolder, toFileError } from '../../platform/files/files';
import type { SandboxControls } from './sandbox-controls';

type Run = (...given: never[]) => unknown;

/** Makes controls that say of a store that fails what is wrong with it: a full, failing or lost disk, a damaged file. */
export function tellStoreFaults(controls: SandboxControls, file: string | null): SandboxControls {
  if (file === null) return controls;
  const toldBy = (run: Run): Run => {
    const fail = (error: unknown): never => {
      throw describe(error, file);
    };
    return (...given) => {
      try {
        const result = run(...given);
        return result instanceof Promise ? result.catch(fail) : result;
      } catch (error) {
        return fail(error);
      }
    };
  };
  const told = Object.entries(controls).map(([name, run]) => [name, toldBy(run as Run)]);
  return Object.fromEntries(told) as SandboxControls;
}

/** The database has its own numbers of faults, the system the name of what it was asked for. */
function describe(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error;
  if ('rawCode' in error) return toDatabaseError(error, file);
  return 'syscall' in error ? toFileError(error, dirname(file), anotherDataFolder) : error;
}
