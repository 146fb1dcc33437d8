import { largestOf } from '@shared/largest-of';
import { findChange } from '../../../ui/code-editor/line-ends';
import type { BodyProblem } from './inspect-request';

/**
 * Takes what was found in a body over to the body as it was edited since, for as long as that is being checked: a list that went
 * and came back with each key stroke would move everything beside it.
 *
 * What stands behind the change moves with its text; what the change touched has to be found again.
 */
export function carryProblems(
  problems: readonly BodyProblem[],
  before: string,
  after: string,
): readonly BodyProblem[] {
  const lastEnd = largestOf(problems.flatMap(listEnds), 0);
  // The one character more is an edge that the change may touch.
  if (lastEnd < before.length && after.startsWith(before.slice(0, lastEnd + 1))) return problems;
  const change = findChange(before, after);
  if (change === null) return problems;
  const by = change.text.length - (change.end - change.start);
  const move = <T extends { start: number; end: number }>(one: T): T | null => {
    if (one.end < change.start) return one;
    return one.start > change.end ? { ...one, start: one.start + by, end: one.end + by } : null;
  };
  return problems.flatMap((problem) => {
    const range = problem.range && move(problem.range);
    if (problem.range !== null && range === null) return [];
    return [{ ...problem, range, fixes: problem.fixes.flatMap((fix) => move(fix) ?? []) }];
  });
}

const listEnds = ({ range, fixes }: BodyProblem): number[] => [
  ...(range === null ? [] : [range.end]),
  ...fixes.map(({ end }) => end),
];
