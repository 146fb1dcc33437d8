import { describeAnswer, type RequestResult, type RunSummary } from '../run-result';

/** A form of report. Parts are written as results come, so that a long run needs no more memory than a short one. */
export interface Report {
  /** Name of its file in the folder of reports. */
  readonly file: string;
  /** What stands before the parts and is known at once; left out: only `finish` knows it. */
  readonly start?: string;
  part(result: RequestResult, index: number): string;
  /** `head` goes before the parts: it tells what only the end of the run tells. Empty where there is a `start`. */
  finish(summary: RunSummary, exitCode: number): { head: string; tail: string };
}

/** Where an expectation stands: `Payouts/Salary.http:4`. */
export const placeOf = ({ file }: RequestResult, line: number): string => `${file}:${line}`;

/** What came of a request in one line, for people. */
export function describeOutcome(result: RequestResult): string {
  const { exchange, later, reason, errorCode } = result;
  if (exchange === null || errorCode !== null) return reason ?? '';
  const answer = describeAnswer({ httpStatus: exchange.httpStatus, summary: exchange.summary, later });
  return reason === null ? answer : `${answer}; ${reason}`;
}

/** Says what a run that was ended did not send; null: it came to its own end. */
export function describeEnd({ isComplete, isInterrupted, notSent, rows, fault }: RunSummary): string | null {
  if (!isInterrupted && (isComplete || notSent === 0)) return null;
  if (notSent === 0) return 'The run was ended while it waited; all was sent.';
  const how = isInterrupted
    ? 'was ended'
    : fault === undefined
      ? 'ended with the first failure (--bail)'
      : 'could not go on';
  const why = fault === undefined ? '' : ` ${fault}`;
  const requests = notSent === 1 ? 'one request was' : `${notSent} requests were`;
  const ofRows =
    rows === null || rows.notBegun === 0 ? '' : `, and nothing of ${rows.notBegun} of ${rows.all} rows`;
  return `The run ${how}: ${requests} not sent${ofRows}.${why}`;
}

/** Says that nothing was run of what was chosen; null: something was, now or before a crash. */
export function describeNothingRun({ counts, expectations }: RunSummary): string | null {
  const { skipped, ...others } = counts;
  const isNothing = Object.values(others).every((count) => count === 0) && expectations.unfinished === 0;
  if (!isNothing || skipped === 0) return null;
  const requests = skipped === 1 ? 'the one request was' : `all ${skipped} requests were`;
  return `Nothing was run: ${requests} skipped.`;
}

/** What of a request's expectations could not be told, and why; of one that was stopped its outcome says it. */
export function describeUnjudged(result: RequestResult): string[] {
  if (result.outcome === 'unfinished') return [];
  return result.expectations
    .filter(({ outcome }) => outcome === 'unfinished')
    .map(({ text, line, received }) => `${placeOf(result, line)}: ${text}: ${received}`);
}

/** The failures of a request, each with all that a reader needs to act on it. */
export function describeFailures(result: RequestResult): string[] {
  const failed = result.expectations
    .filter(({ outcome }) => outcome === 'failed')
    .map(
      ({ text, line, expected, received, advice }) =>
        `${placeOf(result, line)}: ${text}\nexpected ${expected}\nreceived ${received}${advice === null ? '' : `\n${advice}`}`,
    );
  if (result.outcome !== 'error') return failed;
  return [`${placeOf(result, result.line)}: ${result.reason ?? 'no answer'}`, ...failed];
}
