import { expect, test, vi } from 'vitest';
import {
  LONGEST_SIGNATURE,
  MOST_SIGNATURES,
  SignatureRingBuffer,
  type Round,
  type SignedDigest,
} from './signature-ring-buffer';

const item = (n: number, size = 256): SignedDigest => ({
  digest: String(n).padStart(64, '0'),
  signature: Buffer.alloc(size, n),
});
const items = (count: number, from = 0) => Array.from({ length: count }, (_, n) => item(from + n));
const isEven = (n: number) => n % 2 === 0;

/** Ends a round as its owner does; what has no result is verified by `isValid`, if it is given. */
function collect(
  ringBuffer: SignatureRingBuffer,
  round: Round,
  isValid?: (index: number) => boolean,
): boolean[] {
  const results: boolean[] = [];
  for (let index = round.count - 1; index >= 0; index -= 1) {
    const found = ringBuffer.take(round, index) ?? isValid?.(index);
    if (found === undefined) throw new Error('nothing should be left to verify');
    results.unshift(found);
  }
  ringBuffer.end(round);
  return results;
}

/** Runs the helper's side on this thread until it has seen so many. */
function serve(
  ringBuffer: SignatureRingBuffer,
  count: number,
  onSeen: (n: number) => void = () => {},
): number[] {
  const seen: number[] = [];
  const helper = new SignatureRingBuffer(ringBuffer.memory);
  helper.serve((digest, signature) => {
    const n = Number(digest);
    expect(signature).toEqual(item(n, signature.length).signature);
    seen.push(n);
    onSeen(n);
    if (seen.length === count) helper.stop();
    return isEven(n);
  }, 1000);
  return seen;
}

test('the helper verifies from the oldest on, and its results are found by their place', () => {
  const ringBuffer = new SignatureRingBuffer();
  const first = ringBuffer.publish(items(3))!;
  const second = ringBuffer.publish(items(2, 3))!;
  expect(ringBuffer.isDone(first, 3)).toBe(false);
  expect(serve(ringBuffer, 5)).toEqual([0, 1, 2, 3, 4]);
  expect([ringBuffer.isDone(first, 3), ringBuffer.isDone(second, 2)]).toEqual([true, true]);
  expect(collect(ringBuffer, first)).toEqual([true, false, true]);
  expect(collect(ringBuffer, second)).toEqual([false, true]);
});

test('what the helper has not come to is verified by the owner, and passed over by the helper', () => {
  const ringBuffer = new SignatureRingBuffer();
  const round = ringBuffer.publish(items(6))!;
  const own: number[] = [];
  const results = collect(ringBuffer, round, (index) => {
    own.push(index);
    return true;
  });
  expect(own).toEqual([5, 4, 3, 2, 1, 0]);
  expect(results).toEqual(Array(6).fill(true));
  ringBuffer.publish(items(2, 10));
  expect(serve(ringBuffer, 2)).toEqual([10, 11]);
});

test('owner and helper meet in the middle of a round', () => {
  const ringBuffer = new SignatureRingBuffer();
  const round = ringBuffer.publish(items(6))!;
  const own: number[] = [];
  const results: boolean[] = [];
  // The owner takes its part of the round while the helper is at its second signature.
  const seen = serve(ringBuffer, 2, (n) => {
    if (n === 1) {
      results.push(
        ...collect(ringBuffer, round, (index) => {
          own.push(index);
          return isEven(index);
        }),
      );
    }
  });
  expect(seen).toEqual([0, 1]);
  expect(own).toEqual([5, 4, 3, 2, 1]);
  expect(results).toEqual([0, 1, 2, 3, 4, 5].map(isEven));
});

test('a slot that is used again has no result of before', () => {
  const ringBuffer = new SignatureRingBuffer();
  for (let from = 0; from < 5 * MOST_SIGNATURES; from += MOST_SIGNATURES / 2) {
    const round = ringBuffer.publish(items(MOST_SIGNATURES / 2, from))!;
    expect(ringBuffer.isDone(round, round.count)).toBe(false);
    const results = collect(ringBuffer, round, (index) => index === 3);
    expect(results.filter(Boolean)).toHaveLength(1);
  }
});

test('what has no room is not put up, and what was ended makes room', () => {
  const ringBuffer = new SignatureRingBuffer();
  const round = ringBuffer.publish(items(MOST_SIGNATURES))!;
  expect(ringBuffer.publish(items(1))).toBeNull();
  collect(ringBuffer, round, () => true);
  expect(ringBuffer.publish([item(1, LONGEST_SIGNATURE + 1)])).toBeNull();
  expect(ringBuffer.publish([item(1, LONGEST_SIGNATURE)])).not.toBeNull();
});

test('a helper that hears nothing for a while ends by itself', () => {
  const verify = vi.fn(() => expect.fail('nothing was put up'));
  new SignatureRingBuffer().serve(verify, 5);
  expect(verify).not.toHaveBeenCalled();
});
