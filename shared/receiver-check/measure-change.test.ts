import { describe, expect, it } from 'vitest';
import { hasEffectTwice, lacksEffect, measureChange } from './measure-change';

/** States before, after one webhook, after one pair that was counted once, and after one counted twice. */
const forms: Record<string, [unknown, unknown, unknown, unknown]> = {
  'a count': [0, 1, 2, 3],
  'a count in a member': [{ seen: 4 }, { seen: 5 }, { seen: 6 }, { seen: 7 }],
  'a balance as text': [{ balance: '0.00' }, { balance: '1000.00' }, { balance: '2000.00' }, { balance: '3000.00' }],
  'a list of references': [[], ['a'], ['a', 'b'], ['a', 'b', 'b']],
  'counts by reference': [{}, { a: 1 }, { a: 1, b: 1 }, { a: 1, b: 2 }],
  'rows with moments': [
    { rows: [] },
    { rows: [{ at: 1_763_000_000_000, amount: 1000 }] },
    { rows: [{ at: 1_763_000_000_000, amount: 1000 }, { at: 1_763_000_000_900, amount: 1000 }] },
    { rows: [1, 2, 3].map((n) => ({ at: 1_763_000_000_000 + n, amount: 1000 })) },
  ],
}; // prettier-ignore

describe('the effect of a webhook', () => {
  it.each(Object.entries(forms))(
    'is told from twice the effect in %s',
    (_name, [start, one, once, twice]) => {
      const single = measureChange(start, one);
      expect(hasEffectTwice(single, measureChange(one, once), 1)).toBe(false);
      expect(hasEffectTwice(single, measureChange(one, twice), 1)).toBe(true);
    },
  );

  it('of a payment that was taken for another is told from that of one in a list that is full', () => {
    const isLacking = ([start, one, two, three]: readonly unknown[]): boolean =>
      lacksEffect(measureChange(start, one), measureChange(one, two), measureChange(two, three));
    expect(isLacking([{ by: {} }, { by: { x: 1 } }, { by: { x: 2 } }, { by: { x: 2, y: 1 } }])).toBe(true);
    expect(isLacking([['a'], ['a', 'b'], ['b', 'c'], ['c', 'd']])).toBe(false);
    expect(isLacking([0, 1, 2, 3].map((n) => ({ seen: Array(n).fill('a') })))).toBe(false);
  }); // prettier-ignore

  it.each([
    ['what went, with its sign', { a: 1, b: 5 }, { a: 1 }, { '/*#': -1, '/*+': -5 }],
    ['a list that became longer', { l: ['x'] }, { l: ['x', 'y'] }, { '/l/[]#': 1 }],
    [
      'rows, by the names of their members',
      [],
      [{ n: 2 }, { n: 3 }],
      { '/[]#': 2, '/[]/n#': 2, '/[]/n+': 5 },
    ],
    ['a number as text', { n: '-1.5' }, { n: '2' }, { '/n+': 3.5 }],
    ['no number of thirteen digits', { n: '1' }, { n: '1234567890123' }, { '/n+': -1 }],
    ['no text with a number in it', { n: 'a1' }, { n: 'a2b' }, {}],
    ['no number that goes on', { n: '1' }, { n: '2 KES' }, { '/n+': -1 }],
    ['an object in the place of a number', { n: 4 }, { n: { m: 1 } }, { '/n+': -4, '/n/m#': 1, '/n/m+': 1 }],
    ['null in the place of an object', { n: { m: 1 } }, { n: null }, { '/n/m#': -1, '/n/m+': -1 }],
    ['the first second of 2020 as a moment', { n: 0 }, { n: 1_577_836_800 }, {}],
    ['the second before as a number', { n: 0 }, { n: 1_577_836_799 }, { '/n+': 1_577_836_799 }],
    ['what comes after 2100 as a number', { n: 0 }, { n: 4_102_444_800 }, { '/n+': 4_102_444_800 }],
  ])('%s is measured', (_what, before, after, change) => {
    expect(Object.fromEntries(measureChange(before, after))).toEqual(change);
  });

  it('is no half of one, and not more than twice', () => {
    const of = (amount: number) => new Map([['/n+', amount]]);
    expect([1.4, 1.5, 1.6, 2, 2.4, 3].map((amount) => hasEffectTwice(of(1), of(amount), 1))).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it('of several pairs shows when one of them was counted twice', () => {
    const single = measureChange(0, 1);
    expect([3, 4, 6, 7].map((count) => hasEffectTwice(single, measureChange(1, 1 + count), 3))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('is none where only the moment of the latest changed, by whatever factor', () => {
    const at = (seconds: number) => ({ last: 1_763_000_000 + seconds });
    expect(hasEffectTwice(measureChange(at(0), at(1)), measureChange(at(1), at(3)), 1)).toBe(false);
  });

  it('is none where the state says nothing', () => {
    expect(measureChange({ last: 'SUCCESS' }, { last: 'SUCCESS' }).size).toBe(0);
    expect(hasEffectTwice(new Map(), new Map([['/n+', 2]]), 1)).toBe(false);
  });
});
