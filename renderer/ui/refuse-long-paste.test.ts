import { expect, it, vi } from 'vitest';
import { LONGEST_IN_EDITOR, refuseLongPaste } from './refuse-long-paste';

it.each([
  [1_000_000, undefined, false],
  [1_000_001, undefined, true],
  [1_000_001, LONGEST_IN_EDITOR, false],
  [4_000_001, LONGEST_IN_EDITOR, true],
])(
  'of a pasted text of %i characters, where %s may be, it says whether it is too long',
  (length, most, isTooLong) => {
    const preventDefault = vi.fn();
    const take = vi.fn();
    const clipboardData = { getData: () => 'a'.repeat(length) } as unknown as DataTransfer;
    refuseLongPaste({ clipboardData, preventDefault }, take, most);
    expect([preventDefault.mock.calls.length, take.mock.calls.length]).toEqual(isTooLong ? [1, 1] : [0, 0]);
  },
);
