import { AppError } from '../errors';
import type { Comparison } from './expectation';
import { fillComparison } from './compare-values';
import { PatternFault } from '../regular-expression/compile-pattern';

/** How one expectation came out. */
export interface ExpectationVerdict {
  readonly isHeld: boolean;
  /** What was expected and what came instead, whole: it is masked and then shortened (`cutMasked`) where it is shown. */
  readonly expected: string;
  readonly received: string;
  /** What to do where it does not hold; null: it holds. */
  readonly advice: string | null;
}

/** Gives a text with its `{{variables}}` filled in. @throws {AppError} `sending.unresolved` where one has no value */
export type Fill = (text: string) => string;

export const held = (expected: string, received: string): ExpectationVerdict => ({
  isHeld: true,
  expected,
  received,
  advice: null,
});

export const failed = (expected: string, received: string, advice: string): ExpectationVerdict => ({
  isHeld: false,
  expected,
  received,
  advice,
});

/** Judges with the variables of a comparison filled in; one that has none, or makes no pattern, is a failure that says so. */
export function judgeFilled(
  comparison: Comparison,
  fill: Fill,
  judge: (filled: Comparison) => ExpectationVerdict,
): ExpectationVerdict {
  try {
    return judge(fillComparison(comparison, fill));
  } catch (error) {
    if (error instanceof PatternFault) {
      return failed('a pattern', error.message, 'Correct the value that the variable gives.');
    }
    if (!(error instanceof AppError)) throw error;
    return failed('a value to compare with', 'none', error.message);
  }
}
