import { expect, it } from 'vitest';
import type { Deviation, Draft, SubjectValue, Tier } from './draft';
import { composeDraft, STAGES } from './draft';
import { createMatcher } from './matcher';
import { searchString, type SearchEnd } from './search';

const values: SubjectValue[] = ['R-1', '10', 'KE', 'X'].map((text) => ({
  path: text,
  text,
  raw: text,
  isString: true,
}));

const deviation = (
  slot: string,
  tier: Tier,
  stage: number,
  apply: (draft: Draft) => void = () => undefined,
): Deviation => ({ slot, tier, stage, apply, explain: () => [] });

const affix = (mark: string, tier: Tier): Deviation =>
  deviation(mark, tier, STAGES.affix, (draft) => (draft.suffix += mark));

const likely: Deviation[] = [
  deviation('upper', 'common', STAGES.value, (draft) => (draft.values[0] = 'r-1')),
  deviation('separator', 'common', STAGES.join, (draft) => (draft.separator = '|')),
  deviation('separator', 'common', STAGES.join, (draft) => (draft.separator = ' ')),
  affix('!', 'common'),
  affix('?', 'common'),
  affix('a', 'usual'),
  affix('b', 'usual'),
  affix('c', 'usual'),
  deviation('body', 'seldom', STAGES.whole, (draft) => (draft.whole = '{}')),
  affix('d', 'seldom'),
  affix('e', 'alone'),
  affix('h', 'rare'),
];
const strange = [affix('f', 'alone'), affix('g', 'alone')];

/** Searches for a text; `lateAfter`: so many strings may be tried. */
function search(sought: string, lateAfter = Infinity): SearchEnd & { tried: string[] } {
  const tried: string[] = [];
  const fits = (draft: Draft): boolean => {
    tried.push(composeDraft(draft));
    return tried.at(-1) === sought;
  };
  const matcher = createMatcher([{ causes: [], fits }]);
  const isLate = (): boolean => tried.length > lateAfter;
  const steps = searchString(values, { likely, unlikely: () => strange }, matcher, isLate);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { ...step.value, tried };
  }
}

it.each([
  ['what is expected', 'R-110KEX', 0],
  ['one deviation', 'R-110KEX!', 1],
  ['one that is met hardly ever', 'R-110KEXg', 1],
  ['two common ones', 'R-1|10|KE|X?', 2],
  ['two that are usual', 'R-110KEXbc', 2],
  ['the rarest with a late common one', 'R-110KEX!f', 2],
  ['a body with two others', '{}!?', 3],
  ['three that are usual', 'R-110KEXabc', 3],
  ['a seldom one with a common and a usual one', 'r-110KEXad', 3],
  ['a rare one with two common ones', 'r-1|10|KE|Xh', 3],
])('finds %s', (_what, sought, deviations) => {
  const { found, planned } = search(sought);
  expect([found?.text, found?.deviations.length, planned]).toEqual([sought, deviations, null]);
});

it('tries two of one slot never together, and nothing of the values with a body in their place', () => {
  const { tried, found, planned } = search('nothing of it');
  expect([found, planned]).toEqual([null, null]);
  expect(tried.filter((text) => text.includes('{}') && /R-1|r-1|\|/.test(text))).toEqual([]);
  expect(tried.filter((text) => text.includes('e') && text !== 'R-110KEXe')).toEqual([]);
});

it('knows how many strings there are, wherever it is ended, and claims no end before it', () => {
  const all = search('nothing of it').tried.length;
  for (let lateAfter = 14; lateAfter <= all; lateAfter += 1) {
    const { found, planned, tried } = search('nothing of it', lateAfter);
    expect([found, planned]).toEqual([null, tried.length < all ? all : null]);
  }
  expect(search('nothing of it', 20).tried.length).toBeLessThan(40);
});
