import { describe, expect, it } from 'vitest';
import type { Deviation, Draft, SubjectValue, Tier } from './draft';
import { composeDraft, STAGES } from './draft';
import { createMatcher } from './matcher';
import { searchString, type SearchEnd, type SearchProgress } from './search';

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

describe('several deviations', () => {
  const double = deviation('double', 'common', STAGES.wrap, (draft) => (draft.suffix += draft.suffix));
  const extra = deviation('extra', 'common', STAGES.extra, (draft) => draft.picks.push(4));
  const body = deviation('body', 'common', STAGES.whole, (draft) => (draft.whole = '{}'));
  const ofOneSlot = ['v', 'w'].map((mark) => ({ ...affix(mark, 'common'), slot: 'one' }));
  const five = [...values, { path: 'e', text: 'UG', raw: 'UG', isString: true }];

  function run(likely: Deviation[], sought: string, effort?: number) {
    const tried: string[] = [];
    const fits = (draft: Draft): boolean => sought === tried[tried.push(composeDraft(draft)) - 1];
    const steps = searchString(
      five,
      { likely, unlikely: () => [] },
      createMatcher([{ causes: [], fits }]),
      () => false,
      effort,
    );
    const pauses: SearchProgress[] = [];
    for (;;) {
      const step = steps.next();
      if (step.done === true) return { ...step.value, tried, pauses };
      pauses.push(step.value);
    }
  }

  it.each([
    ['two, listed the other way round', [double, affix('!', 'common')], 'R-110KEX!!'],
    ['two, of which the earlier is less often met', [double, affix('!', 'usual')], 'R-110KEX!!'],
    ['a third between them', [double, affix('!', 'common'), affix('x', 'usual')], 'R-110KEX!x!x'],
    ['a third behind them', [affix('x', 'usual'), affix('!', 'common'), affix('?', 'common')], 'R-110KEX!?x'],
    ['with a value beyond the four', [extra, affix('!', 'common'), affix('?', 'common')], 'R-110KEXUG!?'],
  ])('are applied in the order of their stages: %s', (_what, likely, sought) => {
    expect(run(likely, sought).found?.deviations).toHaveLength(likely.length);
  });

  it('are none of one slot, and a body in place of the values stands once', () => {
    const lower = deviation('lower', 'common', STAGES.value, (draft) => (draft.values[0] = 'r-1'));
    const upper = { ...lower, slot: 'upper', tier: 'usual' as const };
    const { tried } = run([...ofOneSlot, lower, upper, body, affix('!', 'common')], 'nothing of it');
    expect(tried.filter((text) => /vw|wv/.test(text))).toEqual([]);
    expect(tried.filter((text) => text === '{}' || text === '{}!').sort()).toEqual(['{}', '{}!']);
  });

  const many = Array.from({ length: 200 }, (_, at) => affix(`<${at}>`, 'usual'));

  it('are looked for with a pause now and then, which says how far it is', () => {
    const { pauses } = run([...many.slice(0, 60), affix('!', 'common')], 'nothing of it');
    expect(new Set(pauses.map(({ stage }) => stage))).toEqual(new Set(['singles', 'pairs', 'triples']));
    expect(pauses.slice(0, 3).map(({ searched }) => searched)).toEqual([1, 62, 62]);
    const triples = pauses.filter(({ stage }) => stage === 'triples').map(({ searched }) => searched);
    const gaps = triples.slice(2).map((searched, index) => searched - triples[index + 1]!);
    expect(triples.length).toBeGreaterThan(3);
    expect(Math.max(...gaps)).toBeLessThan(2 * 8192);
    expect(gaps.filter((gap) => gap < 8192).length).toBeLessThan(3);
  });

  it.each([
    ['pairs', 200],
    ['triples', 60],
  ])(
    'are looked for as long as the effort goes, which is for strings of 64 characters: %s',
    (stage, count) => {
      const { tried, planned, pauses } = run(
        many.slice(0, count),
        'nothing of it',
        (64 * 5000) / 400_000_000,
      );
      expect(pauses.at(-1)?.stage).toBe(stage);
      expect(tried.length).toBeGreaterThan(5000);
      expect(tried.length).toBeLessThan(5000 + 402);
      expect(planned).toBeGreaterThan(30_000);
    },
  );
});
