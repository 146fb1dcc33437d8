import { expect, it } from 'vitest';
import {
  findLookAlike,
  hasInvisible,
  nameCodePoint,
  nameFirstInvisible,
  removeInvisible,
  replaceLookAlikes,
} from './look-alikes';

it.each([
  ['INV\u200b-1', 'U+200B', 'INV-1'],
  ['INV\u00a0-1', 'U+00A0', 'INV -1'],
  ['a\u3000b\u200bc', 'U+3000', 'a bc'],
  ['a\u200bb\u3000c', 'U+200B', 'ab c'],
  ['\ufeffINV', 'U+FEFF', 'INV'],
  ['a\tb\u007f', 'U+0009', 'ab'],
  ['plain text-1 é', '', 'plain text-1 é'],
])('of %j it names the first character that cannot be seen, and takes out all', (text, name, clean) => {
  expect(nameFirstInvisible(text)).toBe(name);
  expect(hasInvisible(text)).toBe(name !== '');
  expect(removeInvisible(text)).toBe(clean);
});

it('writes code points as tables do', () => {
  expect([0x9, 0xab, 0x200b, 0x1f600].map(nameCodePoint)).toEqual(['U+0009', 'U+00AB', 'U+200B', 'U+1F600']);
});

it.each([
  ['МPESA', 'М', 'M', 'MPESA'],
  ['INV–1', '–', '-', 'INV-1'],
  ['ＩＮＶ', 'Ｉ', 'I', 'INV'],
  ['a‚b', '‚', ',', 'a,b'],
  ['x①', '①', '1', 'x1'],
  ['sıx', 'ı', 'i', 'six'],
  ['“a”', '“', '"', '"a"'],
  ['1\u0085 –', '–', '-', '1\u0085 -'],
])('finds what passes for ASCII in %j', (text, found, like, replaced) => {
  expect(findLookAlike(text)).toEqual({ found, like });
  expect(replaceLookAlikes(text)).toBe(replaced);
});

it.each(['plain', 'café', 'ЗАКАЗ', 'naïve –', '€5', '①②㉑x㍐'.slice(3), 'ﬁ', '\u0080'])(
  'leaves %j alone',
  (text) => {
    expect(findLookAlike(text)).toBeNull();
  },
);

it('leaves signs alone that pass for more than one character', () => {
  expect(replaceLookAlikes('ﬁ ㏂ ½ é')).toBe('ﬁ ㏂ ½ é');
});
