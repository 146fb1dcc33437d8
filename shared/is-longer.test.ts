import { expect, it } from 'vitest';
import { z } from 'zod';
import { cutCharacters, isLonger } from './is-longer';

it.each([
  ['', false],
  ['abcde', false],
  ['abcdef', true],
  ['😀😀😀', false],
  ['😀😀😀😀😀', false],
  ['😀😀😀😀😀a', true],
  ['😀😀😀😀😀😀', true],
  ['ééééé', false],
  ['\ud83d\ud83d\ud83d', false],
])('counts the characters of %j as the contract does', (text, isLong) => {
  expect(isLonger(text, 5)).toBe(isLong);
  expect(z.string().max(5).safeParse(text).success).toBe(!isLong);
  const cut = cutCharacters(text, 5);
  expect(cut).toBe(Array.from(text).slice(0, 5).join(''));
});
