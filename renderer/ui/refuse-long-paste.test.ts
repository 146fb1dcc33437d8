import { expect, it, vi } from 'vitest';
import { refuseLongPaste } from './refuse-long-paste';

it.each([
  [1_000_000, false],
  [1_000_001, true],
])('of a pasted text of %i characters it says whether it is too long: %s', (length, isTooLong) => {
  const preventDefault = vi.fn();
  const take = vi.fn();
  const clipboardData = { getData: () => 'a'.repeat(length) } as unknown as DataTransfer;
  refuseLongPaste({ clipboardData, preventDefault }, take);
  expect([preventDefault.mock.calls.length, take.mock.calls.length]).toEqual(isTooLong ? [1, 1] : [0, 0]);
});
