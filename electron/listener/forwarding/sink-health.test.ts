import { describe, expect, it } from 'vitest';
import type { ForwardOutcome } from './delivery';
import { SinkHealth } from './sink-health';

const TAKEN: ForwardOutcome = { isDelivered: true, httpStatus: 200, reason: null, isUnreachable: false };
const GONE: ForwardOutcome = { isDelivered: false, httpStatus: null, reason: 'Gone.', isUnreachable: true };
const refusedWith = (httpStatus: number): ForwardOutcome => ({
  isDelivered: false,
  httpStatus,
  reason: `HTTP ${httpStatus}.`,
  isUnreachable: false,
});

function note(health: SinkHealth, id: number, outcome: ForwardOutcome): void {
  health.note(id, `queue ${id}`, outcome, health.failures);
}
const read = ({ trouble, refusals, failedId }: SinkHealth) => ({ trouble, ...refusals, failedId });

describe('a sink that refuses some and takes others', () => {
  it('is in no trouble, however often the same one is refused between others', () => {
    const health = new SinkHealth();
    for (let round = 0; round < 50; round++) {
      note(health, 1, refusedWith(422));
      expect(read(health)).toEqual({ trouble: null, count: 1, reason: 'HTTP 422.', failedId: 1 });
      if (round % 3 === 0) note(health, 100 + round, TAKEN);
      expect(read(health)).toEqual({ trouble: null, count: 1, reason: 'HTTP 422.', failedId: 1 });
    }
    note(health, 1, TAKEN);
    expect(read(health)).toEqual({ trouble: null, count: 0, reason: null, failedId: null });
  });

  it('is in no trouble where thirty are refused again and again, and nothing else comes', () => {
    const health = new SinkHealth();
    for (let id = 1; id <= 30; id++) {
      note(health, id, refusedWith(422));
      note(health, 1000 + id, TAKEN);
    }
    for (let round = 0; round < 3; round++) {
      for (let id = 1; id <= 30; id++) note(health, id, refusedWith(422));
      expect(read(health)).toMatchObject({ trouble: null, count: 30 });
    }
  });

  it('names another that was refused when the last of them is taken or deleted', () => {
    const health = new SinkHealth();
    note(health, 1, refusedWith(400));
    note(health, 2, refusedWith(422));
    note(health, 2, TAKEN);
    expect(read(health)).toEqual({ trouble: null, count: 1, reason: 'HTTP 400.', failedId: 1 });
    expect(health.forget(1)).toBe(true);
    expect(read(health)).toEqual({ trouble: null, count: 0, reason: null, failedId: null });
  });
});

it('is in trouble where twenty references are refused and none is taken', () => {
  const health = new SinkHealth();
  for (let id = 1; id < 20; id++) note(health, id, refusedWith(503));
  expect(health.trouble).toBeNull();
  note(health, 20, refusedWith(503));
  expect(read(health)).toMatchObject({ trouble: 'HTTP 503.', count: 20 });
  expect(health.restUntil).toBeGreaterThan(Date.now());
  note(health, 21, TAKEN);
  expect([health.trouble, health.restUntil]).toEqual([null, 0]);
});

it('counts those that were under way together once', () => {
  const health = new SinkHealth();
  for (let id = 1; id <= 4; id++) health.note(id, `queue ${id}`, GONE, 0);
  expect([health.failures, health.trouble]).toEqual([1, 'Gone.']);
});

it('is in trouble no more once it answers again, though it refuses', () => {
  const health = new SinkHealth();
  for (let id = 1; id <= 30; id++) note(health, id, GONE);
  expect(read(health)).toMatchObject({ trouble: 'Gone.', count: 0, failedId: 30 });
  note(health, 31, refusedWith(400));
  expect(read(health)).toEqual({ trouble: null, count: 1, reason: 'HTTP 400.', failedId: 31 });
  expect(health.restUntil).toBe(0);
});
