import { AppError } from '@shared/errors';
import type { ForeseenRequest } from '@shared/run/find-missing-values';
import type { RunFault } from '@shared/run/read-directives';
import { readBodyFile } from '../collections/body-files';
import { digestBodyFile } from './prepare-attempt';

/**
 * Finds files of bodies that cannot be read, before anything is sent: what stands in order before them would have left.
 *
 * One whose path holds a variable is known when its request leaves.
 * @param digests - gets those of the files that can be read
 */
export function findMissingFiles(
  foreseen: readonly ForeseenRequest[],
  digests = new Map<string, string>(),
): RunFault[] {
  const looked = new Set<string>();
  return foreseen.flatMap(({ request: { block, directory, file } }) => {
    if (block.isDisabled) return [];
    return block.bodyCuts.flatMap(({ put }): RunFault[] => {
      if (typeof put === 'string' || put.path.includes('{{')) return [];
      const key = `${directory}\0${put.path}`;
      if (looked.has(key)) return [];
      looked.add(key);
      try {
        digests.set(...digestBodyFile(directory, put.path, readBodyFile(directory, put.path)));
        return [];
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return [{ file, line: put.line, message: error.message }];
      }
    });
  });
}
