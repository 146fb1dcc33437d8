import { expect, it } from 'vitest';
import { Lanes, type Lane } from './lanes';

const forward = (id: number, reference: string | null, nextAt = 0) => ({ id, reference, attempt: 0, nextAt });
const idOf = (lane: Lane | null): number | null => lane?.waiting[lane.head]?.id ?? null;

it('gives one of each reference at a time, in order, and what has no reference at once', () => {
  const lanes = new Lanes();
  for (const [id, reference] of [
    [1, 'a'],
    [2, 'a'],
    [3, 'b'],
    [4, null],
    [5, null],
  ] as const) {
    lanes.add(forward(id, reference));
  }
  const taken = [lanes.take(0), lanes.take(0), lanes.take(0), lanes.take(0)];
  expect(taken.map(idOf)).toEqual([1, 3, 4, 5]);
  expect(lanes.take(0)).toBeNull();
  lanes.advance(taken[0]!);
  expect(idOf(lanes.take(0))).toBe(2);
  expect([lanes.size, lanes.taken]).toEqual([4, 4]);
});

it('lets a lane that failed wait, the soonest first, and gives its first webhook again', () => {
  const lanes = new Lanes();
  for (const [id, nextAt] of [
    [1, 300],
    [2, 100],
    [3, 200],
    [4, 0],
  ] as const)
    lanes.add(forward(id, `r${id}`, nextAt));
  const first = lanes.take(0)!;
  lanes.postpone(first, 1, 150);
  expect([lanes.take(99), lanes.nextAt()]).toEqual([null, 100]);
  expect([lanes.take(250), lanes.take(250), lanes.take(250), lanes.take(250)].map(idOf)).toEqual([
    2,
    4,
    3,
    null,
  ]);
  expect(first.attempt).toBe(1);
});

it('holds thousands of one reference in order', () => {
  const lanes = new Lanes();
  for (let id = 1; id <= 5000; id++) lanes.add(forward(id, 'same'));
  const seen: (number | null)[] = [];
  for (let lane = lanes.take(0); lane !== null; lane = lanes.take(0)) {
    seen.push(idOf(lane));
    lanes.advance(lane);
  }
  expect(seen).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
  expect(lanes.size).toBe(0);
});
