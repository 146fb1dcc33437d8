import {
  composeDraft,
  copyDraft,
  STAGES,
  startDraft,
  type Deviation,
  type Draft,
  type SubjectValue,
  type Tier,
} from './draft';
import type { Matcher } from './matcher';

/** What a search found: the deviations, none where the string is as expected, and the string that was signed. */
export interface Found {
  readonly deviations: readonly Deviation[];
  readonly text: string;
}

/** What a search tries: deviations that may come together, and whole strings that hardly anyone signs, made when needed. */
export interface Hypotheses {
  readonly likely: readonly Deviation[];
  readonly unlikely: () => readonly Deviation[];
  /** Many, tried after all others, each by itself. */
  readonly alone?: () => readonly Deviation[];
}

/** How a search ended. */
export interface SearchEnd {
  /** Null: nothing fits of what was tried. */
  readonly found: Found | null;
  /** How many strings there were to try, where it was ended before all were; null: all were tried, or one fits. */
  readonly planned: number | null;
}

/** Where a search stands; between two of these it can be stopped. */
export interface SearchProgress {
  readonly stage: 'singles' | 'pairs' | 'triples';
  readonly searched: number;
}

/** So many characters are hashed at most for several deviations at once: a few seconds, however long the values are. */
const MOST_CHARACTERS = 400_000_000;
/** Candidates between two pauses: some ten milliseconds. */
const PAUSE_EVERY = 8192;

/**
 * Searches for the string that was signed: as expected, then one deviation, most pairs, and three of which one at least is
 * met often, and none all too seldom.
 *
 * The fewest deviations that give the string are the ones that are named, and of those the likeliest.
 * @param isLate - asked some thousand times a second; once it says so, the search ends where it stands
 * @param effort - so many times as many strings as usual may be tried, where values are long
 */
export function* searchString(
  values: readonly SubjectValue[],
  { likely, unlikely, alone = () => [] }: Hypotheses,
  matcher: Matcher,
  isLate: () => boolean,
  effort = 1,
): Generator<SearchProgress, SearchEnd> {
  const base = startDraft(values);
  if (matcher.matches(base)) return whole({ deviations: [], text: composeDraft(base) });
  yield { stage: 'singles', searched: matcher.searched };
  const draft = startDraft(values);
  const single = searchSingles(base, draft, likely, matcher);
  if (single !== null) return whole(single);
  yield { stage: 'singles', searched: matcher.searched };
  const strange = unlikely();
  const strangeSingle =
    searchSingles(base, draft, strange, matcher) ?? searchSingles(base, draft, alone(), matcher);
  if (strangeSingle !== null) return whole(strangeSingle);
  yield { stage: 'singles', searched: matcher.searched };
  const staged = likely.toSorted((left, right) => left.stage - right.stage);
  const ofTiers = (...tiers: Tier[]): Deviation[] => staged.filter(({ tier }) => tiers.includes(tier));
  const [common, usual, seldom, rare] = [
    ofTiers('common'),
    ofTiers('usual'),
    ofTiers('seldom'),
    ofTiers('rare'),
  ];
  const [often, odd] = [ofTiers('common', 'usual'), ofTiers('seldom', 'rare')];
  // So little combines with a body in place of the values that all forms of it are tried with two others.
  const wholes = odd.filter(({ stage }) => stage === STAGES.whole);
  const late = common.filter(({ stage }) => stage > STAGES.recast);
  const most = matcher.searched + (effort * MOST_CHARACTERS) / Math.max(64, composeDraft(base).length);
  const tried: Tried = { base, draft, matcher, isOver: () => matcher.searched > most || isLate() };
  const singles = matcher.searched;
  const combinations: Combination[] = [
    { few: common, last: common, size: 2 },
    { few: common, last: usual, size: 2 },
    { few: common, last: odd, size: 2 },
    { few: usual, last: usual, size: 2 },
    { few: usual, last: odd, size: 2 },
    { few: late, last: strange, size: 2 },
    { few: odd, last: odd, size: 2 },
    { few: common, last: common, size: 3 },
    { few: common, last: wholes, size: 3 },
    { few: common, last: usual, size: 3 },
    { few: usual, last: common, size: 3 },
    { few: often, last: seldom, size: 3 },
    { few: seldom, last: often, size: 3 },
    { few: usual, last: usual, size: 3 },
    { few: common, last: rare, size: 3 },
    { few: late, last: strange, size: 3 },
  ];
  for (const combination of combinations) {
    const { few, last, size } = combination;
    const found = yield* size === 2 ? searchPairs(tried, few, last) : searchTriples(tried, few, last);
    if (found !== null) return whole(found);
    if (tried.isOver()) return endEarly(matcher.searched, singles + count(combinations));
  }
  return whole(null);
}

/** The last combination may just have been tried. */
const endEarly = (searched: number, planned: number): SearchEnd => ({
  found: null,
  planned: searched < planned ? planned : null,
});

const whole = (found: Found | null): SearchEnd => ({ found, planned: null });

/** Deviations that are tried together: each of the last with each of the few, or with each two of them. */
interface Combination {
  readonly few: readonly Deviation[];
  readonly last: readonly Deviation[];
  readonly size: 2 | 3;
}

function searchSingles(
  base: Draft,
  draft: Draft,
  deviations: readonly Deviation[],
  matcher: Matcher,
): Found | null {
  for (const one of deviations) {
    copyDraft(base, draft);
    one.apply(draft);
    if (matcher.matches(draft)) return { deviations: [one], text: composeDraft(draft) };
  }
  return null;
}

/** What one candidate after the other is written into. */
interface Tried {
  readonly base: Draft;
  readonly draft: Draft;
  readonly matcher: Matcher;
  /** The search ends here: enough was tried, or it took long enough. */
  isOver(): boolean;
}

function* searchPairs(
  { base, draft, matcher, isOver }: Tried,
  left: readonly Deviation[],
  right: readonly Deviation[],
): Generator<SearchProgress, Found | null> {
  let pauseAt = 0;
  for (let index = 0; index < left.length; index += 1) {
    const one = left[index]!;
    for (let at = left === right ? index + 1 : 0; at < right.length; at += 1) {
      const other = right[at]!;
      if (excludes(one, other)) continue;
      copyDraft(base, draft);
      applyInOrder(draft, one, other);
      if (matcher.matches(draft)) return { deviations: [one, other], text: composeDraft(draft) };
    }
    if (isOver()) return null;
    if (matcher.searched < pauseAt) continue;
    pauseAt = matcher.searched + PAUSE_EVERY;
    yield { stage: 'pairs', searched: matcher.searched };
  }
  return null;
}

function* searchTriples(
  tried: Tried,
  two: readonly Deviation[],
  third: readonly Deviation[],
): Generator<SearchProgress, Found | null> {
  const { base, draft, matcher, isOver } = tried;
  const pair = startDraft([]);
  let pauseAt = 0;
  for (let index = 0; index < two.length; index += 1) {
    const one = two[index]!;
    for (let at = index + 1; at < two.length; at += 1) {
      const other = two[at]!;
      if (excludes(one, other)) continue;
      copyDraft(base, pair);
      applyInOrder(pair, one, other);
      const from = third === two ? at + 1 : 0;
      for (let last = from; last < third.length; last += 1) {
        const rare = third[last]!;
        if (excludes(one, rare) || excludes(other, rare)) continue;
        writeTriple(base, pair, draft, one, other, rare);
        if (matcher.matches(draft)) {
          return { deviations: [one, other, rare], text: composeDraft(draft) };
        }
      }
      if (isOver()) return null;
      if (matcher.searched < pauseAt) continue;
      pauseAt = matcher.searched + PAUSE_EVERY;
      yield { stage: 'triples', searched: matcher.searched };
    }
  }
  return null;
}

/** Counts the candidates of combinations, without making one. */
function count(combinations: readonly Combination[]): number {
  let sum = 0;
  for (const { few, last, size } of combinations) {
    if (size === 2) sum += countPairs(few, last);
    else sum += countTriples(few, last);
  }
  return sum;
}

function countPairs(left: readonly Deviation[], right: readonly Deviation[]): number {
  let sum = 0;
  for (const [index, one] of left.entries()) {
    for (let at = left === right ? index + 1 : 0; at < right.length; at += 1) {
      if (!excludes(one, right[at]!)) sum += 1;
    }
  }
  return sum;
}

function countTriples(two: readonly Deviation[], third: readonly Deviation[]): number {
  let sum = 0;
  for (const [index, one] of two.entries()) {
    for (let at = index + 1; at < two.length; at += 1) {
      const other = two[at]!;
      if (excludes(one, other)) continue;
      for (let last = third === two ? at + 1 : 0; last < third.length; last += 1) {
        if (!excludes(one, third[last]!) && !excludes(other, third[last]!)) sum += 1;
      }
    }
  }
  return sum;
}

/** Two deviations are in the order of their stages already; the third goes where its stage is. */
function writeTriple(
  base: Draft,
  pair: Draft,
  draft: Draft,
  one: Deviation,
  other: Deviation,
  rare: Deviation,
): void {
  if (rare.stage >= other.stage) {
    copyDraft(pair, draft);
    rare.apply(draft);
    return;
  }
  copyDraft(base, draft);
  applyInOrder(draft, one, rare);
  other.apply(draft);
}

function applyInOrder(draft: Draft, one: Deviation, other: Deviation): void {
  const isInOrder = one.stage <= other.stage;
  (isInOrder ? one : other).apply(draft);
  (isInOrder ? other : one).apply(draft);
}

/** A whole string hides what is done to the values: only what comes later combines. */
function excludes(one: Deviation, other: Deviation): boolean {
  if (one.slot === other.slot) return true;
  if (one.stage === STAGES.whole) return other.stage < STAGES.whole;
  return other.stage === STAGES.whole && one.stage < STAGES.whole;
}
