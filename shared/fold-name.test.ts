import { expect, it } from 'vitest';
import { foldName } from './fold-name';

it.each([
  ['Payout', 'PAYOUT'],
  ['caf\u00e9', 'CAFE\u0301'],
  ['Straße', 'STRASSE'],
  ['λόγος', 'ΛΌΓΟΣ'],
  ['ς', 'σ'],
  ['\u017fave', 'save'],
  ['\ufb01x', 'FIX'],
])('takes %s and %s for one name', (one, other) => {
  expect(foldName(one)).toBe(foldName(other));
});

it('tells names apart that every disk does', () => {
  expect(foldName('ısı')).not.toBe(foldName('isi'));
  expect(foldName('a')).not.toBe(foldName('á'));
});
