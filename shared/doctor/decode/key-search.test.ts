import { describe, expect, it } from 'vitest';
import { hash, infoOf, padPkcs1, padPss } from '../../../test/support/doctor-blocks';
import {
  explainOtherKey,
  explainReversed,
  explainUnknownKey,
  findKeys,
  isCertain,
  sizeOf,
  type DoctorKey,
} from './key-search';

const signature = Uint8Array.from({ length: 256 }, (_, at) => at);
/** A key that makes this block of the signature, or of its reverse. */
const key = (
  block: Uint8Array | null,
  facts: Partial<DoctorKey> & { isReversed?: boolean } = {},
): DoctorKey => ({
  name: null,
  environment: null,
  fingerprint: '0123456789abcdef0123',
  bits: 2048,
  recover: ([first]) => (first === (facts.isReversed === true ? 255 : 0) ? block : null),
  ...facts,
});
const right = padPkcs1(infoOf('a'));
const weak = padPss('a', new Uint8Array(222).fill(3));
const none = new Uint8Array(256).fill(9);

describe('the key of a signature', () => {
  it.each<[string, DoctorKey[], [at: number, isReversed: boolean][]]>([
    ['the first that proves itself', [key(none), key(right), key(right)], [[1, false]]],
    ['one that proves itself before those that may be chance', [key(weak), key(right)], [[1, false]]],
    [
      'all that may be chance',
      [key(weak), key(none), key(weak)],
      [
        [0, false],
        [2, false],
      ],
    ],
    ['one over the bytes in reverse', [key(none), key(right, { isReversed: true })], [[1, true]]],
    [
      'one over the bytes as they are before that',
      [key(right, { isReversed: true }), key(right)],
      [[1, false]],
    ],
    ['none that is of another length', [key(right, { bits: 4096 }), key(right, { bits: 2040 })], []],
    ['one whose bits are no whole bytes', [key(right, { bits: 2042 })], [[0, false]]],
    ['none that is smaller than the signature', [key(null)], []],
  ])('is %s', (_what, keys, found) => {
    const findings = findKeys(signature, keys, hash);
    expect(findings.map((one) => [keys.indexOf(one.key), one.isReversed])).toEqual(found);
  });

  it('is certain but for a PSS whose salt fills the block', () => {
    const certain = (block: Uint8Array): boolean => isCertain(findKeys(signature, [key(block)], hash)[0]!);
    expect([right, padPss('a', new Uint8Array(20)), weak].map(certain)).toEqual([true, true, false]);
  });

  it('makes signatures of so many bytes', () => {
    expect([2048, 2041, 2049].map((bits) => sizeOf(key(none, { bits })))).toEqual([256, 256, 257]);
  });
});

describe('what is said of a key', () => {
  const uat = key(none, { name: 'Mine', environment: 'UAT' });
  const production = key(none, { name: 'Live', environment: 'production' });
  it.each([
    ['two environments', uat, production, 'key.environment_swapped', 'UAT', 'production'],
    ['one environment', uat, { ...production, environment: 'UAT' }, 'key.vault', 'Mine', 'Live'],
    ['no environment expected', { ...uat, environment: null }, production, 'key.vault', 'Mine', 'Live'],
    ['no environment of the other', uat, { ...production, environment: null }, 'key.vault', 'Mine', 'Live'],
    [
      'no names',
      key(none),
      key(none, { fingerprint: 'fedcba98765432100000' }),
      'key.vault',
      'SHA256:0123456789abcdef…',
      'SHA256:fedcba9876543210…',
    ],
  ])('of two: %s', (_what, expected, actual, code, left, right) => {
    expect(explainOtherKey(expected, actual)).toMatchObject({ code, expected: left, actual: right });
    expect(explainOtherKey(expected, actual).phrase).toContain(
      actual.name === null ? `another key that is known here, ${right}` : `“${actual.name}”`,
    );
  });

  it.each([
    [256, key(none, { name: 'Mine' }), 'with another key, or altered afterwards', 'Mine', 'another key'],
    [512, key(none), 'with a key of 4096 bits', 'SHA256:0123456789abcdef…', 'a key of 4096 bits'],
  ])('that made a signature of %d bytes and is not at hand', (length, expected, phrase, name, actual) => {
    expect(explainUnknownKey(expected, length)).toMatchObject({
      code: 'key.other',
      phrase,
      expected: name,
      actual,
    });
  });

  it('whose bytes stand in reverse', () => {
    expect(explainReversed()).toMatchObject({
      code: 'encoding.wrapped',
      actual: 'least significant byte first',
    });
  });
});
