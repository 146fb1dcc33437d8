import { AppError } from '@shared/errors';
import { largestOf } from '@shared/largest-of';
import { isTerminalState } from '@shared/payments/tables/states';
import type { RunRequest } from '@shared/run/plan-run';
import { pause } from './limiter';
import type { Attempt } from './prepare-attempt';
import type { RunContext } from './run-context';
import { askStatus } from './send-attempts';

/** So long a payment that an earlier run sent is watched where no expectation says how long. */
const usualWindowMs = 30_000;

/** How the payment of a request stands that an earlier run had sent. */
export interface Resumed {
  /** Null: the status query did not tell. */
  readonly state: string | null;
  /** Null: the status query did not name it. */
  readonly paymentUuid: string | null;
}

function findWindow({ directives }: RunRequest): number {
  const windows = directives.expectations.map(({ expectation }) =>
    'withinMs' in expectation ? expectation.withinMs : 0,
  );
  return largestOf(windows, 0) || usualWindowMs;
}

/**
 * Finds out what became of a request that was in flight when an earlier run ended.
 *
 * @returns null: the service does not know its reference, so it may leave now, with the same bytes
 * @throws {AppError} `running.stopped` where the status query does not tell: nothing is sent then
 */
export async function resumeInFlight(
  request: RunRequest,
  attempt: Attempt,
  context: RunContext,
): Promise<Resumed | null> {
  const { clock } = context.deps.ports;
  const { stop, environment } = context.options;
  const end = clock.monotonicMs() + findWindow(request);
  let intervalMs = environment.isLoopback ? 250 : 1000;
  for (;;) {
    const { isFound, state, exchange } = await askStatus(attempt, context);
    if (isFound === false) return null;
    const isFinal = state !== null && isTerminalState(state);
    if (isFinal || clock.monotonicMs() > end || stop.aborted) {
      if (isFound) return { state, paymentUuid: exchange?.reading?.paymentUuid ?? null };
      throw new AppError(
        'running.stopped',
        `${attempt.reference ?? 'This request'} was in flight when the earlier run ended, and the service does not tell its status. Nothing was sent; resume again later.`,
      );
    }
    await pause(intervalMs, stop);
    intervalMs = Math.min(intervalMs * 1.5, 5000);
  }
}
