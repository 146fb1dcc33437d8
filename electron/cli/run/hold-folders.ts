import { dirname, resolve } from 'node:path';
import { AppError } from '@shared/errors';
import { holdOutFolder, type HeldOutFolder } from '../../platform/files/hold-out-folder';

/**
 * Takes the folders that a run writes to: two runs in one would mix their reports, and two that go on with one
 * `resume.json` would send its payments twice.
 *
 * @throws {AppError} `running.folder_in_use`
 */
export function holdRunFolders(folder: string | null, resume: string | undefined): HeldOutFolder {
  const wanted = [
    ...(folder === null ? [] : [folder]),
    ...(resume === undefined ? [] : [dirname(resolve(resume))]),
  ];
  const held: HeldOutFolder[] = [];
  const release = (): void => held.forEach((one) => one.release());
  try {
    for (const directory of new Set(wanted)) held.push(hold(directory));
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

function hold(directory: string): HeldOutFolder {
  const taken = holdOutFolder(directory, 'run');
  if (taken.held !== null) return taken.held;
  const whose = taken.pid === null ? '' : ` (process ${taken.pid})`;
  throw new AppError(
    'running.folder_in_use',
    `Another run${whose} writes to ${directory}. Nothing was sent. Wait for its end, or name another folder with --out.`,
  );
}
