import { setFlagsFromString } from 'node:v8';

let isKept = false;

/**
 * Keeps V8 from growing its young generation to 16 MB a half under load, and the old one to a multiple of what is used.
 *
 * What a request makes dies with its answer; a small nursery holds it as well, and a sandbox that ran a hundred
 * thousand payments stays below 90 MB. For a process that is a sandbox and nothing else; call it first.
 */
export function keepHeapSmall(): void {
  isKept = true;
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
}

/** Once more after a thread has started: V8 puts the flag back when it makes a heap. */
export function keepHeapSmallStill(): void {
  if (isKept) keepHeapSmall();
}
