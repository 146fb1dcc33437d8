import type { HeaderList, Operation } from '../contract/common';

/** How one expectation of one request came out; `unfinished`: the run ended before it could be told. */
export interface ExpectationResult {
  /** As it stands in the file. */
  readonly text: string;
  readonly line: number;
  readonly outcome: 'held' | 'failed' | 'unfinished';
  readonly expected: string;
  readonly received: string;
  readonly advice: string | null;
}

/** What went out and came back, secrets masked, long bodies cut. */
export interface ReportedExchange {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: HeaderList;
  readonly requestBody: string | null;
  readonly stringToSign: string | null;
  /** Null: no answer came. */
  readonly httpStatus: number | null;
  readonly summary: string;
  readonly responseHeaders: HeaderList;
  readonly responseBody: string;
  readonly timings: Readonly<Record<string, number | null>> | null;
}

/** A webhook of the request; how long after it was sent it came. */
export interface ReportedWebhook {
  readonly id: string;
  readonly afterMs: number;
  readonly headers: HeaderList;
  readonly body: string;
}

/** How one request of a run ended. `error`: it could not be sent, or no answer came. */
export type RequestOutcome = 'passed' | 'failed' | 'error' | 'skipped' | 'unfinished';

const skippedForAnother = "depends on '";

/** Says why a request was skipped for one that it depends on. */
export const describeSkipped = (name: string, how: string): string =>
  `${skippedForAnother}${name}', which ${how}`;

/** Tells whether a request was skipped for another one, and not because its file asks for it. */
export function isSkippedForAnother(result: Pick<RequestResult, 'outcome' | 'reason'> | null): boolean {
  return result?.outcome === 'skipped' && result.reason?.startsWith(skippedForAnother) === true;
}

/** Says what was answered and, where more is known, what came of it: an acceptance alone says nothing of the payment. */
export function describeAnswer(parts: {
  readonly httpStatus: number | null;
  readonly summary: string;
  readonly later: string | null;
}): string {
  const { httpStatus, summary, later } = parts;
  const answer = httpStatus === null ? summary : `${httpStatus} ${summary}`.trim();
  return later === null ? answer : `${answer}, then ${later}`;
}

/** One request of a run, as every report has it; no secret stands in it. */
export interface RequestResult {
  /** Unique within the run: its name, with the row and what else tells it from others. */
  readonly title: string;
  readonly name: string;
  /** Folder of its file, `/` between parts; empty: at the top. */
  readonly folder: string;
  /** Path of its file as reports show it. */
  readonly file: string;
  readonly line: number;
  readonly operation: Operation;
  /** From 1; of a run with rows, the row's number and what it is called. */
  readonly iteration: number;
  readonly row: { readonly number: number; readonly name: string } | null;
  readonly outcome: RequestOutcome;
  /** Why it was skipped or could not be sent; null: neither. */
  readonly reason: string | null;
  /** Of an error, as `error-codes.ts` has it. */
  readonly errorCode: string | null;
  /** How often it was tried. */
  readonly attempts: number;
  readonly reference: string | null;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly expectations: readonly ExpectationResult[];
  readonly exchange: ReportedExchange | null;
  readonly webhooks: readonly ReportedWebhook[];
  /** States that its payment came to after the answer, in words: `succeeded`; null: nothing told of one. */
  readonly later: string | null;
}

/** The whole run, once it is over. */
export interface RunSummary {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly counts: Readonly<Record<RequestOutcome, number>>;
  readonly expectations: Readonly<Record<ExpectationResult['outcome'], number>>;
  /** Requests that were sent and expect nothing. */
  readonly withoutExpectations: number;
  /** Everything was sent that was to be: neither Ctrl+C nor `--bail` ended it. */
  readonly isComplete: boolean;
  /** Requests that had no turn. */
  readonly notSent: number;
  /** Rows of a table, once for each iteration, and how many of them had no turn; null: a run without rows. */
  readonly rows: { readonly all: number; readonly notBegun: number } | null;
  /** Why its rows could not be read to their end; left out: they could. */
  readonly fault?: string;
  /** Somebody ended it before all was sent. */
  readonly isInterrupted: boolean;
  /** Highest of the exit codes that errors stand for; 0: none. */
  readonly worstError: 0 | 1 | 2 | 3;
}

/** Counts results as they come: a run may have more of them than memory. */
export class RunCounter {
  readonly counts: Record<RequestOutcome, number> = {
    passed: 0,
    failed: 0,
    error: 0,
    skipped: 0,
    unfinished: 0,
  };
  readonly expectations: Record<ExpectationResult['outcome'], number> = { held: 0, failed: 0, unfinished: 0 };
  withoutExpectations = 0;

  add({
    outcome,
    expectations,
    attempts,
  }: Pick<RequestResult, 'outcome' | 'expectations' | 'attempts'>): void {
    this.counts[outcome] += 1;
    for (const one of expectations) this.expectations[one.outcome] += 1;
    // One that an earlier run had sent was judged there.
    const isBare = expectations.length === 0 && outcome === 'passed' && attempts > 0;
    if (isBare) this.withoutExpectations += 1;
  }
}
