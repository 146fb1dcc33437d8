import { AppError } from '@shared/errors';
import type { PlannedRequest } from '@shared/run/plan-run';
import { prepareAttempt, type Attempt } from './prepare-attempt';
import type { RunContext, RunTurn } from './run-context';
import { keyOf } from './run-facts';
import { describeInput } from './send-attempts';

/** Times in it would no longer be now. */
const staleAfterMs = 1000;

/** The next request of a run, made ready while the service works on the one before it. */
export interface AheadRequest {
  /** Makes it ready once the one before it has left, where nothing of it depends on what is still to come. */
  prepareSoon(planned: PlannedRequest, turn: RunTurn): void;
  /** Gives what was made of this request; null: nothing, or too long ago. */
  take(planned: PlannedRequest, turn: RunTurn): Attempt | null;
}

/** Keeps at most one request made ready: the service's time is used, and no request waits long for its turn. */
export function createAhead(context: RunContext): AheadRequest {
  const { options, deps, coming } = context;
  const { clock } = deps.ports;
  let made: { planned: PlannedRequest; turn: RunTurn; attempt: Attempt; atMs: number } | null = null;
  const isFree = ({ request, dependsOn, waitsFor }: PlannedRequest, turn: RunTurn): boolean => {
    if (dependsOn.length > 0 || waitsFor.length > 0 || request.directives.skip !== null) return false;
    const key = keyOf(request, context, turn);
    const { resume } = options;
    return resume === null || (resume.findOutcome(key) ?? resume.findInFlight(key)) === null;
  };
  const prepare = (planned: PlannedRequest, turn: RunTurn): void => {
    const attempt = tryPrepare(planned, context, turn);
    if (attempt === null) return;
    const { product, prepared } = attempt;
    // Its token would be asked for before its turn.
    if (product !== null && !context.usedProducts.has(product)) return;
    if (Object.keys(prepared.variablesUsed).some((name) => coming.has(name))) return;
    const ready = deps.makeReady(describeInput(planned.request, attempt, context));
    // Told at its turn, when it is tried again.
    ready.catch(() => undefined);
    made = { planned, turn, attempt: { ...attempt, ready }, atMs: clock.monotonicMs() };
  };
  let soon: NodeJS.Immediate | undefined;
  return {
    prepareSoon(planned, turn) {
      // Where each is waited for, or follows after a pause, there is no time to be saved.
      if (options.jobs === 1 || options.delayMs > 0 || !isFree(planned, turn)) return;
      soon = setImmediate(() => prepare(planned, turn));
    },
    take(planned, turn) {
      clearImmediate(soon);
      const found = made;
      made = null;
      if (found === null || found.planned !== planned || found.turn !== turn) return null;
      return clock.monotonicMs() - found.atMs > staleAfterMs ? null : found.attempt;
    },
  };
}

/** What is wrong with a request is told at its turn. */
function tryPrepare({ request }: PlannedRequest, context: RunContext, turn: RunTurn): Attempt | null {
  try {
    return prepareAttempt(request, context, turn, null);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
