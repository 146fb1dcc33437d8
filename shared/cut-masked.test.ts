import { expect, it } from 'vitest';
import { cutMasked } from './cut-masked';

const mask = (text: string): string => text.replace(/s\d+/g, '•');

it('leaves a text that is short enough, and masks it', () => {
  expect(cutMasked('a s123 b', mask, 5)).toBe('a • b');
});

it('shortens what is longer, once it was masked, and says how long it was', () => {
  expect(cutMasked('ab s123 cd', mask, 4)).toBe('ab •… (7 characters)');
  expect(cutMasked('abcdef', mask, 3, '2 MB')).toBe('abc… (2 MB)');
});

it('says how long the whole is where the text is only its beginning, however short', () => {
  expect(cutMasked('ab', mask, 5, '17 MB')).toBe('ab… (17 MB)');
});

it('keeps no half of a character', () => {
  expect(cutMasked('ab😀cd', mask, 3)).toBe('ab… (6 characters)');
  expect(cutMasked('ab😀cd', mask, 4)).toBe('ab😀… (6 characters)');
});
