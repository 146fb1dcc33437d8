import {
  composeDraft,
  copyDraft,
  STAGES,
  startDraft,
  type Deviation,
  type Draft,
  type SubjectValue,
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
 * Searches for the string that was signed: as expected, then one deviation, most pairs, and three of which none is met
 * seldom, or two are common.
 *
 * The fewest deviations that give the string are the ones that are named, and of those the likeliest.
 * @returns null where nothing fits
 */
export function* searchString(
  values: readonly SubjectValue[],
  { likely, unlikely }: Hypotheses,
  matcher: Matcher,
): Generator<SearchProgress, Found | null> {
  const base = startDraft(values);
  if (matcher.matches(base)) return { deviations: [], text: composeDraft(base) };
  yield { stage: 'singles', searched: matcher.searched };
  const draft = startDraft(values);
  const single = searchSingles(base, draft, likely, matcher);
  if (single !== null) return single;
  yield { stage: 'singles', searched: matcher.searched };
  const rare = unlikely();
  const rareSingle = searchSingles(base, draft, rare, matcher);
  if (rareSingle !== null) return rareSingle;
  yield { stage: 'singles', searched: matcher.searched };
  const staged = likely.toSorted((left, right) => left.stage - right.stage);
  const common = staged.filter(({ tier }) => tier === 'common');
  const usual = staged.filter(({ tier }) => tier === 'usual');
  const seldom = staged.filter(({ tier }) => tier === 'seldom');
  // So little combines with a body in place of the values that all forms of it are tried with two others.
  const wholes = seldom.filter(({ stage }) => stage === STAGES.whole);
  const late = common.filter(({ stage }) => stage > STAGES.recast);
  const most = matcher.searched + MOST_CHARACTERS / Math.max(64, composeDraft(base).length);
  const tried: Tried = { base, draft, matcher, most };
  return (
    (yield* searchPairs(tried, common, common)) ??
    (yield* searchPairs(tried, common, usual)) ??
    (yield* searchPairs(tried, common, seldom)) ??
    (yield* searchPairs(tried, usual, usual)) ??
    (yield* searchPairs(tried, late, rare)) ??
    (yield* searchTriples(tried, common, common)) ??
    (yield* searchTriples(tried, common, wholes)) ??
    (yield* searchTriples(tried, common, usual)) ??
    (yield* searchTriples(tried, usual, common)) ??
    (yield* searchTriples(tried, usual, usual)) ??
    (yield* searchTriples(tried, common, seldom)) ??
    (yield* searchTriples(tried, late, rare))
  );
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
  /** The search ends when so many candidates were tried. */
  readonly most: number;
}

function* searchPairs(
  { base, draft, matcher, most }: Tried,
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
    if (matcher.searched > most) return null;
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
  const { base, draft, matcher, most } = tried;
  const pair = startDraft([]);
  let pauseAt = 0;
  for (let index = 0; index < two.length; index += 1) {
    const one = two[index]!;
    for (let at = index + 1; at < two.length; at += 1) {
      const other = two[at]!;
      if (excludes(one, other)) continue;
      copyValues(base, pair);
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
      if (matcher.searched > most) return null;
      if (matcher.searched < pauseAt) continue;
      pauseAt = matcher.searched + PAUSE_EVERY;
      yield { stage: 'triples', searched: matcher.searched };
    }
  }
  return null;
}

function copyValues(base: Draft, pair: Draft): void {
  if (pair.values.length === 0) pair.values = [...base.values];
  copyDraft(base, pair);
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

/** A whole string hides what is done to the values, and is itself hardly ever recast: only what comes later combines. */
function excludes(one: Deviation, other: Deviation): boolean {
  if (one.slot === other.slot) return true;
  if (one.stage === STAGES.whole) return other.stage <= STAGES.recast;
  return other.stage === STAGES.whole && one.stage <= STAGES.recast;
}
