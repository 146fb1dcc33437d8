import { statSync } from 'node:fs';

/** Why a system does not let a file be read, in words. */
const faults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'you may not read it; look at its permissions',
  EPERM: 'you may not read it; look at its permissions',
  EISDIR: 'it is a folder',
  ELOOP: 'its path is links that lead in a circle',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine; close other programs',
  ENOTCONN: 'its disk is not connected any more',
  ESTALE: 'its disk is not connected any more',
  EBUSY: 'another program has it open; close it there',
  ENAMETOOLONG: 'the name is too long',
};

/**
 * Says why something could not be read; the system's own code where there are no words for it.
 *
 * @param reason - code of the system: `EIO`
 */
export const describeReadFault = (reason: string | undefined): string =>
  faults[reason ?? ''] ?? (reason ? `the system says ${reason}` : 'the reason is not known');

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Says of a path at which `findStats` found something to be out of reach why; null: nothing stands there.
 *
 * To say that there is no such file of one that may not be looked at would be a guess.
 */
export function findWhyOutOfReach(path: string): string | null {
  try {
    statSync(path, { throwIfNoEntry: false });
    return null;
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOTDIR' ? null : describeReadFault(code);
  }
}

/**
 * Begins a sentence on a path at which `findStats` found nothing: that it is not there, or why it cannot be reached.
 *
 * @param kind - what was looked for: `folder`
 */
export function describeAbsence(path: string, kind: string, shown = path): string {
  const why = findWhyOutOfReach(path);
  return why === null ? `There is no ${kind} ${shown}` : `${shown} cannot be reached: ${why}`;
}
