import type { RequestOutcome, RequestResult, RunSummary } from '../run-result';
import {
  describeEnd,
  describeFailures,
  describeNothingRun,
  describeOutcome,
  describeUnjudged,
} from './report';

/** A line for the terminal, and what it says of the outcome; the host colours it. */
export interface SpecLine {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'quiet' | 'plain';
}

const marks: Readonly<Record<RequestOutcome, { mark: string; tone: SpecLine['tone'] }>> = {
  passed: { mark: '✓', tone: 'good' },
  failed: { mark: '✗', tone: 'bad' },
  error: { mark: '✗', tone: 'bad' },
  skipped: { mark: '–', tone: 'quiet' },
  unfinished: { mark: '…', tone: 'quiet' },
};

/** Writes how one request ended: a line, and the failures below it. */
export function writeSpec(result: RequestResult): SpecLine[] {
  const { mark, tone } = marks[result.outcome];
  const count = result.expectations.length;
  // One that an earlier run sent was not skipped: nothing of it could be judged any more.
  const why = count === 0 ? 'skipped' : 'not judged';
  const what =
    result.outcome === 'skipped'
      ? `${why}: ${result.reason ?? ''}`
      : // Of an error the line below says why.
        result.outcome === 'error'
        ? result.exchange === null
          ? 'not sent'
          : 'no answer'
        : describeOutcome(result);
  // Of one without an answer none was judged.
  const isBare = count === 0 && result.outcome === 'passed' && result.exchange !== null;
  const notes = [
    `${Math.round(result.durationMs)} ms`,
    ...(isBare ? ['no expectations'] : []),
    ...(result.attempts > 1 ? [`${result.attempts} attempts`] : []),
  ];
  const place = result.folder === '' ? '' : `${result.folder} › `;
  const text = `${mark} ${place}${result.title}  ${what}${result.outcome === 'skipped' ? '' : `  (${notes.join(', ')})`}`;
  const failures = describeFailures(result).flatMap((failure) => {
    const [first = '', ...more] = failure.split('\n');
    return [
      { text: `    ${first}`, tone: 'bad' as const },
      ...more.map((line) => ({ text: `      ${line}`, tone: 'plain' as const })),
    ];
  });
  const unjudged = describeUnjudged(result).map((line) => ({ text: `    ${line}`, tone: 'quiet' as const }));
  return [{ text, tone }, ...failures, ...unjudged];
}

/** Writes how the whole run ended. */
export function writeSpecSummary(summary: RunSummary): SpecLine[] {
  const { passed, failed, error, skipped, unfinished } = summary.counts;
  const { held, failed: broken, unfinished: untold } = summary.expectations;
  const parts = [
    `${passed} passed`,
    `${failed} failed`,
    ...(error > 0 ? [`${error} could not be sent or had no answer`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(unfinished > 0 ? [`${unfinished} not finished`] : []),
  ];
  const bare = summary.withoutExpectations;
  const [end, nothing] = [describeEnd(summary), describeNothingRun(summary)];
  return [
    { text: '', tone: 'plain' },
    {
      text: parts.join(', '),
      tone: failed + error > 0 ? 'bad' : passed === 0 || unfinished > 0 ? 'plain' : 'good',
    },
    {
      text: `${held} of ${held + broken} expectations held${untold > 0 ? `, ${untold} not judged` : ''}, ${(summary.durationMs / 1000).toFixed(1)} s`,
      tone: 'plain',
    },
    ...(bare > 0
      ? [
          {
            text: `${bare === 1 ? 'One request expects' : `${bare} requests expect`} nothing: an answer of any kind passes.`,
            tone: 'quiet' as const,
          },
        ]
      : []),
    ...(end === null ? [] : [{ text: end, tone: 'bad' as const }]),
    ...(nothing === null ? [] : [{ text: nothing, tone: 'bad' as const }]),
  ];
}
