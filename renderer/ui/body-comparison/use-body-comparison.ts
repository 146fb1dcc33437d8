import { useEffect, useState } from 'react';
import type { ShownError } from '../error-line';
import { compareBodies, type BodyComparison } from './compare-bodies';
import type { ComparedPair } from './compare-worker';

/** So much is compared without a worker's start. */
const atOnceBytes = 64 * 1024;

/** A body that may have to be fetched: a screen has the beginning of a long one. */
export interface ComparedBody {
  /** Names the body: what has the same key has the same bytes. */
  readonly key: string;
  readonly read: () => Uint8Array | null | Promise<Uint8Array | null>;
}

interface Result {
  comparison: BodyComparison | null;
  error: ShownError | null;
}

/** Compares two whole bodies, whatever their length, and never holds the window up. Both null: not done yet. */
export function useBodyComparison(left: ComparedBody, right: ComparedBody): Result {
  const key = `${left.key}\n${right.key}`;
  const [done, setDone] = useState<(Result & { key: string }) | null>(null);
  useEffect(() => {
    let worker: Worker | null = null;
    let isGone = false;
    const compare = async (): Promise<BodyComparison> => {
      const pair = await Promise.all([left.read(), right.read()]);
      if (isGone || sizeOf(pair) <= atOnceBytes) return compareBodies(...pair);
      worker = new Worker(new URL('./compare-worker.ts', import.meta.url), { type: 'module' });
      return ask(worker, pair);
    };
    compare()
      .then(
        (comparison) => ({ comparison, error: null }),
        (error: unknown) => ({ comparison: null, error: error as ShownError }),
      )
      .then((result) => {
        worker?.terminate();
        if (!isGone) setDone({ ...result, key });
      });
    return () => {
      isGone = true;
      worker?.terminate();
    };
    // The key names what is read.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);
  return done?.key === key ? done : { comparison: null, error: null };
}

const sizeOf = ([left, right]: ComparedPair): number => (left?.length ?? 0) + (right?.length ?? 0);

function ask(worker: Worker, pair: ComparedPair): Promise<BodyComparison> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<BodyComparison>) => resolve(data);
    worker.onerror = () => reject(new Error('The bodies could not be compared: the worker ended.'));
    worker.postMessage(pair);
  });
}
