import { expect, it } from 'vitest';
import { countOf } from './count-of';

it('has one of something in the singular, and none and many not, with commas in what is long', () => {
  expect([0, 1, 2, 20_512].map((count) => countOf(count, 'file'))).toEqual([
    '0 files',
    '1 file',
    '2 files',
    '20,512 files',
  ]);
});
