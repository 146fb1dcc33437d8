import { expect, it } from 'vitest';
import { doctorVerdict } from '../contract/doctor';
import { CAUSE_CODES, nameCause } from './causes';
import { verdictWords } from './words';

it('names every cause in words, each otherwise, and keeps what is not known', () => {
  const words = CAUSE_CODES.map(nameCause);
  expect(words.filter((one) => /[._]/.test(one))).toEqual([]);
  expect(new Set(words).size).toBe(CAUSE_CODES.length);
  expect([nameCause('new.cause'), nameCause('constructor')]).toEqual(['new.cause', 'constructor']);
});

it('has words for every verdict', () => {
  expect(Object.keys(verdictWords).sort()).toEqual([...doctorVerdict.options].sort());
});
