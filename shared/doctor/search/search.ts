import {
  copyDraft,
  restoreStage,
  composeDraft,
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

/** Where a search stands; between two of these it can be stopped. */
export interface SearchProgress {
  readonly stage: 'singles' | 'pairs';
  readonly searched: number;
}

/** Strings beyond this are not combined: pairs of them would take minutes. */
const PAIR_LENGTH = 8192;

/**
 * Searches for the string that was signed: as expected, then one deviation, then every two.
 *
 * Deviations that change nothing about this body, or the same as an earlier one, are passed over.
 * @returns null where nothing fits
 */
export function* searchString(
  values: readonly SubjectValue[],
  deviations: readonly Deviation[],
  matcher: Matcher,
): Generator<SearchProgress, Found | null> {
  const base = startDraft(values);
  const draft = startDraft(values);
  if (matcher.matches(base)) return { deviations: [], text: composeDraft(base) };
  const kept = keepDistinct(base, deviations, draft);
  yield { stage: 'singles', searched: matcher.searched };
  for (const one of kept) {
    copyDraft(base, draft);
    one.apply(draft);
    if (matcher.matches(draft)) return { deviations: [one], text: composeDraft(draft) };
  }
  yield { stage: 'pairs', searched: matcher.searched };
  return yield* searchPairs(values, kept, matcher);
}

function* searchPairs(
  values: readonly SubjectValue[],
  deviations: readonly Deviation[],
  matcher: Matcher,
): Generator<SearchProgress, Found | null> {
  const staged = deviations
    .filter(({ isSingleOnly }) => isSingleOnly !== true)
    .sort((left, right) => left.stage - right.stage);
  const base = startDraft(values);
  const draft = startDraft(values);
  const first = startDraft(values);
  for (let index = 0; index < staged.length; index += 1) {
    copyDraft(base, first);
    staged[index]!.apply(first);
    if ((first.whole?.length ?? 0) > PAIR_LENGTH) continue;
    const other = searchSecond(first, staged, index, matcher, draft);
    if (other !== null) return { deviations: [staged[index]!, other], text: composeDraft(draft) };
    if ((index & 15) === 15) yield { stage: 'pairs', searched: matcher.searched };
  }
  return null;
}

function searchSecond(
  first: Draft,
  staged: readonly Deviation[],
  index: number,
  matcher: Matcher,
  draft: Draft,
): Deviation | null {
  const { slot, stage } = staged[index]!;
  copyDraft(first, draft);
  for (let at = index + 1; at < staged.length; at += 1) {
    const second = staged[at]!;
    if (second.slot === slot) continue;
    if (!combines(stage, second.stage)) continue;
    second.apply(draft);
    if (matcher.matches(draft)) return second;
    restoreStage(first, draft, second.stage);
  }
  return null;
}

/** A whole string hides what is done to the values, and is itself hardly ever recast: only what comes later combines. */
function combines(first: number, second: number): boolean {
  if (first === STAGES.whole) return second > STAGES.recast;
  return first > STAGES.whole || second !== STAGES.whole;
}

function keepDistinct(base: Draft, deviations: readonly Deviation[], draft: Draft): Deviation[] {
  const seen = new Set([composeDraft(base)]);
  return deviations.filter((deviation) => {
    copyDraft(base, draft);
    deviation.apply(draft);
    // What encodes or wraps shows in the bytes alone; and a long text is not worth remembering.
    if (draft.encode !== null || draft.wrap !== null) return true;
    const text = composeDraft(draft);
    if (text.length > PAIR_LENGTH) return true;
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}
