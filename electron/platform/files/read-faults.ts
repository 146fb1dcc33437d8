/** Why a system does not let a file be read, in words. */
const faults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'you may not read it; look at its permissions',
  EPERM: 'you may not read it; look at its permissions',
  EISDIR: 'it is a folder',
  ELOOP: 'its path is links that lead in a circle',
  ENAMETOOLONG: 'the name is too long',
};

/**
 * Says why something could not be read; the system's own code where there are no words for it.
 *
 * @param reason - code of the system: `EIO`
 */
export const describeReadFault = (reason: string | undefined): string =>
  faults[reason ?? ''] ?? (reason ? `the system says ${reason}` : 'the reason is not known');
