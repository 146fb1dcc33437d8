import { AppError } from '@shared/errors';
import type { ReceiverScenario, ScenarioResult } from '@shared/receiver-check/receiver-scenarios';
import { expectListening } from '../../platform/http/connect-to';
import { plays, signedScenarios } from './play-scenarios';
import { ReceiverFault, Stage, type StageOptions } from './stage';

/**
 * Plays scenarios against a webhook receiver, one after the other, and tells of each what it showed.
 *
 * Each makes up payments of its own, so that what one did cannot hide what another does.
 * @throws {AppError} `sending.*` where nobody is there at the start
 */
export async function* checkReceiver(
  scenarios: readonly ReceiverScenario[],
  options: StageOptions,
): AsyncGenerator<ScenarioResult> {
  await expectSomebody(options);
  for (const scenario of scenarios) yield await play(scenario, options);
}

/** Nothing is sent yet: a receiver that is not there has done nothing wrong. */
async function expectSomebody({ url, timeoutMs, state }: StageOptions): Promise<void> {
  await expectListening(url, timeoutMs);
  await state?.read();
}

async function play(scenario: ReceiverScenario, options: StageOptions): Promise<ScenarioResult> {
  if (options.secret === null && signedScenarios.has(scenario)) {
    const reason = 'Not judged: without --secret webhooks are not signed, as the interface has it.';
    return { scenario, verdict: 'pass', reason, elapsedMs: 0, isSkipped: true };
  }
  const stage = new Stage(options);
  const fault = await plays[scenario](stage).then(() => null, readFault);
  const elapsedMs = stage.slowestMs;
  const reason =
    fault ?? [`As it should be; the slowest answer took ${elapsedMs} ms.`, ...stage.remarks].join(' ');
  return { scenario, verdict: fault === null ? 'pass' : 'fail', reason, elapsedMs, isSkipped: false };
}

/** A state that cannot be read any more is the receiver's fault, too; anything else is ours. */
function readFault(error: unknown): string {
  if (error instanceof ReceiverFault || error instanceof AppError) return error.message;
  throw error;
}
