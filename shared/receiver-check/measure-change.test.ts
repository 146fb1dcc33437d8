import { describe, expect, it } from 'vitest';
import { hasEffectTwice, measureChange } from './measure-change';

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
