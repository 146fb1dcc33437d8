import { AppError } from '@shared/errors';
import { prepareDataDirectory } from './data-directory';
import { makeChange } from './pending-change';
import { isProcessRunning } from './remove-leftovers';
import { holdFolder, holdPlace, readHolder, type HeldFolder, type HolderFacts } from './process-lock';

/**
 * Takes the data folder for one app, after the change that waits for it, if there is one.
 *
 * @param wanted - what `--data` said; null: the platform's usual place
 * @throws {AppError} `app.folder_in_use`, `data.in_use`, `platform.*`
 */
export function openAppFolder(wanted: string | null): { dataDirectory: string; held: HeldFolder } {
  const dataDirectory = prepareDataDirectory(wanted);
  const held = takeAppFolder(dataDirectory);
  try {
    const now = makeChange(dataDirectory);
    if (now === dataDirectory) return { dataDirectory, held };
    held.release();
    return { dataDirectory: now, held: takeAppFolder(now) };
  } catch (error) {
    held.release();
    throw error;
  }
}

/**
 * Takes a data directory for one app, whatever shows it: two would each start its sandbox and its listener. Or for a command
 * that changes all of it.
 *
 * @throws {AppError} `app.folder_in_use` with what to do to get at the app that has it
 */
export function takeAppFolder(directory: string): HeldFolder {
  const taken = holdFolder(directory, 'app');
  if (taken.held !== null) return holdPlaceToo(directory, taken.held);
  const { origin, launchFile, host } = taken.holder;
  throw new AppError('app.folder_in_use', describeHolder(directory, taken.holder), {
    details: { origin, launchFile, host },
  });
}

/** @throws {AppError} `app.folder_in_use` */
function holdPlaceToo(directory: string, held: HeldFolder): HeldFolder {
  const letGo = holdPlace(directory, 'app');
  if (letGo !== null) {
    return {
      tell: held.tell,
      release(last) {
        held.release(last);
        letGo();
      },
    };
  }
  held.release();
  throw new AppError(
    'app.folder_in_use',
    `Countersign runs with a folder that was at ${directory} and was moved, removed or unmounted. Put it back, in the place of the one that stands there now, or end that Countersign first.`,
  );
}

/** What an app says from the moment that it ends, which takes a while, and until its process has gone. */
export const endingFacts = (host: string): HolderFacts => ({ host, state: ENDING });

/** Says to those who come after that the app ends. */
export function tellEnding(held: HeldFolder, host: string): void {
  try {
    held.tell(endingFacts(host));
  } catch {
    // A folder that is away, or a full disk: it ends all the same.
  }
}

/** Tells whether the app that has a folder says that it ends, and has not ended. */
export function isAppEnding(directory: string): boolean {
  const { pid, state } = readHolder(directory, 'app');
  return state === ENDING && isProcessRunning(Number(pid));
}

const ENDING = 'ending';

function describeHolder(directory: string, { origin, launchFile, host, state }: HolderFacts): string {
  if (state === ENDING) return `Countersign for ${directory} is about to end. Start it again in a moment.`;
  if (host === 'electron') {
    return `Countersign runs for ${directory} already, as the desktop app. Use its window, or end it first.`;
  }
  if (host === 'command') return `A command changes ${directory}. Try again once it has ended.`;
  if (origin === undefined) return `Countersign is being started for ${directory} already. Use its window.`;
  const way = launchFile ?? 'the address in its terminal';
  return `Countersign runs for ${directory} already, at ${origin}. Open another window of it with ${way}, or end it first.`;
}
