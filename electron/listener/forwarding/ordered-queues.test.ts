import { expect, it } from 'vitest';
import { OrderedQueues, type OrderedQueue } from './ordered-queues';

const forward = (id: number, reference: string | null, nextAt = 0) => ({ id, reference, attempt: 0, nextAt });
const idOf = (queue: OrderedQueue | null): number | null => queue?.waiting[queue.head]?.id ?? null;

it('gives one of each reference at a time, in order, and what has no reference at once', () => {
  const queues = new OrderedQueues();
  for (const [id, reference] of [
    [1, 'a'],
    [2, 'a'],
    [3, 'b'],
    [4, null],
    [5, null],
  ] as const) {
    queues.add(forward(id, reference));
  }
  const taken = [queues.take(0), queues.take(0), queues.take(0), queues.take(0)];
  expect(taken.map(idOf)).toEqual([1, 3, 4, 5]);
  expect(queues.take(0)).toBeNull();
  queues.advance(taken[0]!);
  expect(idOf(queues.take(0))).toBe(2);
  expect([queues.size, queues.taken]).toEqual([4, 4]);
});

it('lets a queue that failed wait, the soonest first, and gives its first webhook again', () => {
  const queues = new OrderedQueues();
  for (const [id, nextAt] of [
    [1, 300],
    [2, 100],
    [3, 200],
    [4, 0],
  ] as const)
    queues.add(forward(id, `r${id}`, nextAt));
  const first = queues.take(0)!;
  queues.postpone(first, 1, 150);
  expect([queues.take(99), queues.nextAt()]).toEqual([null, 100]);
  expect([queues.take(250), queues.take(250), queues.take(250), queues.take(250)].map(idOf)).toEqual([
    2,
    4,
    3,
    null,
  ]);
  expect(first.attempt).toBe(1);
});

it('lets those go that a clock which was set back since would hold for longer than any pause', () => {
  const queues = new OrderedQueues();
  const day = 86_400_000;
  for (const [id, nextAt] of [
    [1, 5 * day + 400],
    [2, 5 * day],
    [3, day + 20_000],
    [4, day - 1],
  ] as const)
    queues.add(forward(id, `r${id}`, nextAt));
  expect([queues.take(day), queues.take(day), queues.take(day), queues.take(day)].map(idOf)).toEqual([
    4,
    2,
    1,
    null,
  ]);
  expect(queues.nextAt()).toBe(day + 20_000);
});

it('holds thousands of one reference in order', () => {
  const queues = new OrderedQueues();
  for (let id = 1; id <= 5000; id++) queues.add(forward(id, 'same'));
  const seen: (number | null)[] = [];
  for (let queue = queues.take(0); queue !== null; queue = queues.take(0)) {
    seen.push(idOf(queue));
    queues.advance(queue);
  }
  expect(seen).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
  expect(queues.size).toBe(0);
});
