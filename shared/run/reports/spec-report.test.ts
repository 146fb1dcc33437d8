import { expect, it } from 'vitest';
import { RunCounter } from '../run-result';
import { writeSpecSummary } from './spec-report';

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
])('says of %o what was left', (more, words) => {
  expect(summarise(more)).toContain(words);
});
