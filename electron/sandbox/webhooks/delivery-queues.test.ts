import { expect, test } from 'vitest';
import { countProcessorMs } from '../../../test/support/processor-time';
import { DeliveryQueues } from './delivery-queues';
import { IN_FLIGHT_CAP } from './webhook-queue';

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

test('what is put back goes first again, once', () => {
  const queues = new DeliveryQueues(1);
  for (const seq of [1, 2, 3]) queues.add('a', seq);
  queues.take();
  queues.release('a', 1);
  queues.take();
  queues.putBack('a', 2);
  const taken = [0, 0, 0].map(() => {
    const seq = seqOf(queues.take());
    if (seq !== null) queues.release('a', seq);
    return seq;
  });
  expect(taken).toEqual([2, 3, null]);
  expect(queues.size()).toBe(0);
});

test('a host that answers nothing holds up no other, however many endpoints it has', () => {
  const queues = new DeliveryQueues(8);
  const takeAll = (): number[] => {
    const taken = [];
    for (let one = queues.take(); one !== null; one = queues.take()) taken.push(one.seq);
    return taken;
  };
  for (let seq = 0; seq < 50; seq++) queues.add(`http://hangs.example:1/${seq}`, seq);
  expect(takeAll()).toEqual([0, 1, 2, 3]);
  queues.add('http://hangs.example:2/a', 100);
  queues.add('https://sound.example/a', 200);
  queues.add('https://sound.example/b', 201);
  queues.add('https://sound.example/c', 202);
  expect(takeAll()).toEqual([100, 200, 201]);
  queues.release('https://sound.example/a', 200);
  expect(takeAll()).toEqual([202]);
  for (const [path, seq] of [
    ['b', 201],
    ['c', 202],
  ] as const)
    queues.release(`https://sound.example/${path}`, seq);
  queues.release('http://hangs.example:1/0', 0);
  expect(takeAll()).toEqual([4]);
});

test('a dozen hosts that answer nothing, each with many endpoints, leave places to others', () => {
  const queues = new DeliveryQueues(IN_FLIGHT_CAP);
  for (let seq = 0; seq < 12 * 200; seq++) {
    queues.add(`http://hangs-${Math.floor(seq / 200)}.example/${seq}`, seq);
    while (queues.take() !== null);
  }
  queues.add('https://sound.example/a', 5000);
  queues.add('https://sound.example/b', 5001);
  expect([queues.take(), queues.take()].map(seqOf)).toEqual([5000, 5001]);
});

test('that all places are taken is told at once, however many hosts wait', () => {
  const queues = new DeliveryQueues(8);
  for (let seq = 0; seq < 100_000; seq++) queues.add(`https://host-${seq}.example/a`, seq);
  const taken: number[] = [];
  const processorMs = countProcessorMs();
  for (let turn = 0; turn < 20_000; turn++) {
    const one = queues.take();
    if (one !== null) taken.push(one.seq);
  }
  expect(taken).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(processorMs()).toBeLessThan(2000);
});
