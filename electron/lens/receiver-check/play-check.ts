import type { ReceiverScenario, ScenarioResult } from '@shared/receiver-check/receiver-scenarios';
import { createHttpClient } from '../../platform/http/http-client';
import { retrySchedules } from '../../sandbox/webhooks/webhook-schedules';
import { checkReceiver } from './check-receiver';
import { ReceiverState } from './receiver-state';

/** A check as it was asked for; addresses are absolute. */
export interface PlannedCheck {
  readonly url: string;
  readonly secret: string | null;
  readonly stateUrl: string | null;
  readonly timeoutMs: number;
  readonly scenarios: readonly ReceiverScenario[];
}

type Tell = (...told: ['playing', ReceiverScenario] | ['verdict', ScenarioResult]) => void;

/**
 * Plays a check to its end, or until it is canceled: what was under way then is cut and has no verdict.
 *
 * @throws {AppError} `sending.*` where nobody is there, `receiver.bad_state`
 */
export async function playCheck(
  { url, secret, stateUrl, timeoutMs, scenarios }: PlannedCheck,
  tell: Tell,
  signal: AbortSignal,
): Promise<void> {
  const state = stateUrl === null ? null : new ReceiverState(stateUrl, createHttpClient(), timeoutMs);
  const stage = { url: new URL(url), secret, state, timeoutMs, retryWaitsMs: retrySchedules.fast, signal };
  if (scenarios[0] !== undefined) tell('playing', scenarios[0]);
  let played = 0;
  for await (const result of checkReceiver(scenarios, stage)) {
    if (signal.aborted) return;
    played += 1;
    tell('verdict', result);
    const next = scenarios[played];
    if (next !== undefined) tell('playing', next);
  }
}
