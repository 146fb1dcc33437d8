import { expect, test } from 'vitest';
import { DeliveryQueues } from './delivery-queues';

const seqOf = (taken: { seq: number } | null): number | null => taken?.seq ?? null;

test('a receiver has one delivery in flight, also where more come while it is', () => {
  const queues = new DeliveryQueues(10);
  queues.add('a', 1);
  expect(seqOf(queues.take())).toBe(1);
  queues.add('a', 2);
  queues.add('a', 3);
  expect(queues.take()).toBeNull();
  queues.add('b', 4);
  expect(seqOf(queues.take())).toBe(4);
  queues.release('a', 1);
  expect(seqOf(queues.take())).toBe(2);
  expect(queues.take()).toBeNull();
  queues.release('a', 2);
  queues.release('b', 4);
  expect(seqOf(queues.take())).toBe(3);
});

test('what is held is taken once, and what was released twice frees one place', () => {
  const queues = new DeliveryQueues(1);
  queues.add('a', 1);
  queues.add('a', 1);
  queues.add('b', 2);
  expect(seqOf(queues.take())).toBe(1);
  expect(queues.take()).toBeNull();
  queues.release('a', 1);
  queues.release('a', 1);
  expect(seqOf(queues.take())).toBe(2);
  expect(queues.take()).toBeNull();
  expect(queues.size()).toBe(1);
});
