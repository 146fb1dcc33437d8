import { compareBodies } from './compare-bodies';

/** The two bodies of the one question that this worker is asked. */
export type ComparedPair = readonly [Uint8Array | null, Uint8Array | null];

self.onmessage = ({ data: [left, right] }: MessageEvent<ComparedPair>) => {
  self.postMessage(compareBodies(left, right));
};
