import { expect, it } from 'vitest';
import { RunCounter } from '../run-result';
import { githubReport } from './github-report';
import { htmlReport } from './html-report';
import { writeSpecSummary } from './spec-report';

const count = (more: object) => ({ ...new RunCounter().counts, ...more });

const summarise = (more: object): string => {
  const { counts, expectations } = new RunCounter();
  const usual = {
    startedAt: 0,
    durationMs: 0,
    counts,
    expectations,
    withoutExpectations: 0,
    isComplete: false,
  };
  const summary = { ...usual, notSent: 0, rows: null, isInterrupted: false, worstError: 0, ...more } as const;
  return writeSpecSummary(summary)
    .map(({ text }) => text)
    .join('\n');
};

it.each([
  [{ isInterrupted: true, notSent: 12 }, 'ended: 12 requests were not sent'],
  [{ isInterrupted: true, notSent: 1 }, 'ended: one request was not sent'],
  [{ isInterrupted: true, notSent: 0 }, 'all was sent'],
  [
    { isInterrupted: true, notSent: 14, rows: { all: 10, notBegun: 7 } },
    'ended: 14 requests were not sent, and nothing of 7 of 10 rows.',
  ],
  [{ isInterrupted: true, notSent: 1, rows: { all: 3, notBegun: 0 } }, 'ended: one request was not sent.'],
  [{ notSent: 3 }, 'ended with the first failure (--bail): 3 requests were not sent.'],
  [{ withoutExpectations: 1 }, 'One request expects nothing'],
  [{ withoutExpectations: 2 }, '2 requests expect nothing'],
  [{ isComplete: true, counts: count({ skipped: 3 }) }, 'Nothing was run: all 3 requests were skipped.'],
  [{ isComplete: true, counts: count({ skipped: 1 }) }, 'Nothing was run: the one request was skipped.'],
])('says of %o what was left', (more, words) => {
  expect(summarise(more)).toContain(words);
});

it.each([
  ['something passed', { counts: count({ skipped: 3, passed: 1 }) }],
  ['something was not answered', { counts: count({ skipped: 3, error: 1 }) }],
  [
    'an earlier run sent it',
    { counts: count({ skipped: 1 }), expectations: { held: 0, failed: 0, unfinished: 2 } },
  ],
  ['it ended before', { isInterrupted: true, notSent: 1 }],
])('says of none that nothing was run where %s', (_why, more) => {
  expect(summarise(more)).not.toContain('Nothing was run');
});

it('says that nothing was run in reports for people, and takes it for no success', () => {
  const { expectations } = new RunCounter();
  const counts = count({ skipped: 2 });
  const base = {
    startedAt: 0,
    durationMs: 0,
    counts,
    expectations,
    withoutExpectations: 0,
    isComplete: true,
  };
  const summary = { ...base, notSent: 0, rows: null, isInterrupted: false, worstError: 0 } as const;
  const said = 'Nothing was run: all 2 requests were skipped.';
  expect(writeSpecSummary(summary).at(-1)).toEqual({ text: said, tone: 'bad' });
  expect(writeSpecSummary(summary).map(({ tone }) => tone)).not.toContain('good');
  expect(htmlReport.finish(summary, 0).head).toContain(`<p class="ended">${said}</p>`);
  expect(githubReport.finish(summary, 0).tail).toContain(`::warning title=countersign run::${said}\n`);
});
