import type { WorkerName } from '../ports';

/**
 * Gives the built entry of a worker thread.
 *
 * Every built file that can call this, chunks included, lies one folder below `out`.
 */
export function findWorker(name: WorkerName | 'exchanges' | 'signatures' | 'rescue'): URL {
  // In two steps: a bundler takes the usual `new URL(x, import.meta.url)` for an asset of its own.
  const here = import.meta.url;
  return new URL(`../workers/${name}.js`, here);
}
