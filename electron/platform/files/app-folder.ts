import { AppError } from '@shared/errors';
import { holdFolder, type HeldFolder, type HolderFacts } from './process-lock';

/**
 * Takes a data directory for one app, whatever shows it: two would each start its sandbox and its listener.
 *
 * @throws {AppError} `app.folder_in_use` with what to do to get at the app that has it
 */
export function takeAppFolder(directory: string): HeldFolder {
  const taken = holdFolder(directory, 'app');
  if (taken.held !== null) return taken.held;
  const { origin, launchFile, host } = taken.holder;
  throw new AppError('app.folder_in_use', describeHolder(directory, taken.holder), {
    details: { origin, launchFile, host },
  });
}

function describeHolder(directory: string, { origin, launchFile, host }: HolderFacts): string {
  if (host === 'electron') {
    return `Countersign runs for ${directory} already, as the desktop app. Use its window, or end it first.`;
  }
  if (origin === undefined) return `Countersign is being started for ${directory} already. Use its window.`;
  const way = launchFile ?? 'the address in its terminal';
  return `Countersign runs for ${directory} already, at ${origin}. Open another window of it with ${way}, or end it first.`;
}
