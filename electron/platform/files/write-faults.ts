/** Why a system does not let a file be written, and what to do, in words. */
const faults: Readonly<Record<string, readonly [why: string, what: string]>> = {
  ENOENT: ['there is no such folder', 'Make it'],
  ENOTDIR: ['a part of its path is a file', 'Move that away'],
  EEXIST: ['something else has that name', 'Move that away'],
  EISDIR: ['a folder has that name', 'Move that away'],
  EACCES: ['you may not write there', 'Make it writable for you'],
  EPERM: ['you may not write there', 'Make it writable for you'],
  EROFS: ['its disk is read-only', 'Make that writable'],
  ELOOP: ['its path is links that lead in a circle', 'Mend them'],
  EFBIG: ['a file may not become that large', 'Raise the limit (ulimit -f)'],
  EMFILE: ['too many files are open', 'Raise the limit (ulimit -n)'],
  ENFILE: ['too many files are open on this machine', 'Close other programs'],
  ENOTCONN: ['its disk is not connected any more', 'Connect it again'],
  ESTALE: ['its disk is not connected any more', 'Connect it again'],
  EBUSY: ['a file there is open in another program, or mounted by itself', 'Close it there'],
  ENAMETOOLONG: ['the name is too long', 'Shorten it'],
};

/** What Windows says of what is protected and of what others have open. */
const closedOrOpen = [
  'you may not write there, or another program has it open',
  'Allow it, or close it there',
] as const;

/**
 * Says why something could not be written, and what to do about it; the system's own code where there are no words for it.
 *
 * @param reason - code of the system: `EACCES`
 */
export function describeWriteFault(reason: string): { why: string; what: string } {
  const isClosed = process.platform === 'win32' && (reason === 'EPERM' || reason === 'EACCES');
  const [why, what] = (isClosed ? closedOrOpen : faults[reason]) ?? [
    `the system says ${reason === '' ? 'no more' : reason}`,
    'See that its folder is there and writable for you',
  ];
  return { why, what };
}

export const fullDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
