import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64, findBase64Fault } from './base64';

/** Bytes of every length from 0 to 40, so that each kind of ending is met. */
const samples = Array.from({ length: 41 }, (_, length) =>
  Uint8Array.from({ length }, (_byte, at) => (at * 151 + length * 97 + 3) & 0xff),
);
const write = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

describe('Base64', () => {
  it('is written and read as everyone else does', () => {
    for (const bytes of samples) {
      expect(encodeBase64(bytes)).toBe(write(bytes));
      expect(decodeBase64(write(bytes))).toEqual(bytes);
      expect(findBase64Fault(write(bytes))).toBe(bytes.length === 0 ? 'The signature is empty.' : null);
    }
  });

  it('is read without padding, and without what makes no whole byte', () => {
    expect(decodeBase64('QUI')).toEqual(Uint8Array.of(0x41, 0x42));
    expect(decodeBase64('QQ')).toEqual(Uint8Array.of(0x41));
    expect(decodeBase64('QUJDR')).toEqual(Uint8Array.of(0x41, 0x42, 0x43));
    expect(decodeBase64('/+8=')).toEqual(Uint8Array.of(0xff, 0xef));
  });

  it.each([
    ['QUJD\nREVG', /wrapped over several lines/],
    ['QUJD\rREVG', /wrapped over several lines/],
    [' QUJD', /before or after/],
    ['QUJD\t', /before or after/],
    ['QU JD', /stands inside/],
    ['"QUJD"', /in quotes/],
    ["'QUJDREVG'", /in quotes/],
    ['QUJD-_==', /URL-safe/],
    ['QUJD-_=', /URL-safe/],
    ['_w', /URL-safe/],
    ['-', /URL-safe/],
    ['QU=JD', /Padding \(=\) stands inside/],
    ['QQ===', /Padding \(=\) stands inside/],
    ['QUJD!', /holds '!'/],
    ['QU.JD=', /holds '\.'/],
    ['"QUJD', /holds '"'/],
    ['QUJD"', /holds '"'/],
    ['+_', /holds '_'/],
    ['a-+', /holds '-'/],
    ['😀', /holds '😀'/],
    ['QUJDR', /is cut/],
    ['Q', /is cut/],
    ['Q===', /Padding/],
    ['QUI', /padding \(=\) at the end of the signature is missing/],
    ['QQ', /is missing/],
    ['QQ=', /is missing/],
    ['QUJDREVG=', /more padding/],
    ['QUJDREVG==', /more padding/],
    ['QUJDREU==', /more padding/],
    ['=', /more padding/],
    ['QUJDRA==', null],
    ['QR==', /spare bits/],
    ['QX==', /spare bits/],
    ['QUJ=', /spare bits/],
    ['QUL=', /spare bits/],
    ['AA==', null],
    ['AAA=', null],
    ['AAAA', null],
    ['////', null],
    ['+/+/', null],
  ])('says of %j what is wrong with it', (text, fault) => {
    if (fault === null) expect(findBase64Fault(text)).toBeNull();
    else expect(findBase64Fault(text)).toMatch(fault);
  });
});
