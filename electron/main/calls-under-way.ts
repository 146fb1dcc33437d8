import { contract, type MethodName } from '@shared/contract/contract';
import type { Router } from '../services/router';

/** A call that lasts longer is waited for by somebody; what ends sooner is over before a question could be read. */
const shortMs = 500;

export interface CallsUnderWay {
  /** The same router, its calls counted. */
  readonly router: Pick<Router, 'dispatch'>;
  /** Whether one that sends or changes something has been under way for longer than a moment. */
  areAny(): boolean;
}

/**
 * Counts the calls of the page that would break off with the process.
 *
 * @param readMs - the time, in ms
 */
export function countCalls({ dispatch }: Pick<Router, 'dispatch'>, readMs: () => number): CallsUnderWay {
  const begun = new Set<number[]>();
  return {
    router: {
      async dispatch(method, input) {
        // One entry of its own for each, however many begin in one moment.
        const entry = [readMs()];
        if (hasEffect(method)) begun.add(entry);
        try {
          return await dispatch(method, input);
        } finally {
          begun.delete(entry);
        }
      },
    },
    areAny: () => [...begun].some(([at = Infinity]) => readMs() - at > shortMs),
  };
}

/** Those of the app itself open something in another program, which may not tell when it has. */
const hasEffect = (method: string): boolean =>
  !method.startsWith('app.') &&
  Object.hasOwn(contract, method) &&
  contract[method as MethodName].effect === 'write';
