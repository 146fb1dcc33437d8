import { expect, it } from 'vitest';
import type { ExpectationResult, RequestOutcome } from './run-result';
import { describeSkipped, isSkippedForAnother, RunCounter } from './run-result';

const expectation = (outcome: ExpectationResult['outcome']): ExpectationResult => ({
  text: '',
  line: 1,
  outcome,
  expected: '',
  received: '',
  advice: null,
});
const none: ExpectationResult[] = [];

it('counts outcomes, expectations, and what was sent and expects nothing', () => {
  const counter = new RunCounter();
  const add = (outcome: RequestOutcome, expectations: readonly ExpectationResult[], attempts = 1): void =>
    counter.add({ outcome, expectations, attempts });
  add('passed', [expectation('held'), expectation('held')]);
  add('failed', [expectation('failed'), expectation('held'), expectation('unfinished')]);
  add('passed', none);
  add('passed', none, 2);
  add('passed', none, 0);
  add('error', none);
  add('skipped', none, 0);
  add('unfinished', none);
  add('failed', none);
  expect(counter.counts).toEqual({ passed: 4, failed: 2, error: 1, skipped: 1, unfinished: 1 });
  expect(counter.expectations).toEqual({ held: 3, failed: 1, unfinished: 1 });
  expect(counter.withoutExpectations).toBe(2);
});

it('tells what was skipped for another request from what its file asks for', () => {
  const reason = describeSkipped('Token', 'failed');
  expect(reason).toBe("depends on 'Token', which failed");
  expect(isSkippedForAnother({ outcome: 'skipped', reason })).toBe(true);
  expect(isSkippedForAnother({ outcome: 'skipped', reason: `it ${reason}` })).toBe(false);
  expect(isSkippedForAnother({ outcome: 'skipped', reason: 'later' })).toBe(false);
  expect(isSkippedForAnother({ outcome: 'skipped', reason: null })).toBe(false);
  expect(isSkippedForAnother({ outcome: 'failed', reason })).toBe(false);
  expect(isSkippedForAnother(null)).toBe(false);
});
