import { AppError } from '@shared/errors';
import {
  effectScenarios,
  type ReceiverScenario,
  type ScenarioResult,
} from '@shared/receiver-check/receiver-scenarios';
import { expectListening } from '../../platform/http/connect-to';
import { HandlerDiagnosis } from './diagnose-handler';
import { OwnEffects } from './own-effects';
import { plays, signedScenarios } from './play-scenarios';
import { createPayment, reportPayment } from './played-webhook';
import { isTaken, ReceiverFault, Stage, type StageOptions } from './stage';

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
  const effects = new OwnEffects();
  const diagnosis = new HandlerDiagnosis(options);
  // A state that cannot be read any more is told by the first scenario that needs it.
  if (scenarios.some((one) => effectScenarios.has(one))) await learnPace(options, effects).catch(readFault);
  for (const scenario of scenarios) {
    if (options.signal?.aborted === true) return;
    yield await play(scenario, options, effects, diagnosis);
  }
}

/** Nothing is sent yet: a receiver that is not there has done nothing wrong. */
async function expectSomebody({ url, timeoutMs, state }: StageOptions): Promise<void> {
  await expectListening(url, timeoutMs, { aftermath: 'webhook' });
  await state?.read();
}

/** One webhook shows how long after its answer the handler works on. */
async function learnPace(options: StageOptions, effects: OwnEffects): Promise<void> {
  const { state, signal } = options;
  if (state === null) return;
  const before = await state.read();
  if (isTaken(await new Stage(options, effects).send(reportPayment(createPayment()))))
    await state.learnPace(before, signal);
}

const RESTLESS =
  'The state kept changing for five seconds, so a change of it need not come from these webhooks: let nothing else work on the handler, or give a state that counts webhooks alone.';

const NO_STATE = 'A state address lets the check see what the webhooks did, and judge that, too.';

const UNMOVED =
  'The state that was given did not change with the first webhook, so it cannot show the effect of another: give one that shows what the handler did.';

const DISTURBED =
  'Meanwhile something of another payment came or changed in the state, each time it was played, so that may be its cause: let nothing else work on the handler, and the handler itself not for longer than five seconds after its answer.';

/** A scenario is played so often at most until nothing else works on the handler. */
const MOST_TRIES = 3;

type Fault = Pick<ReceiverFault, 'message' | 'refused'>;

async function playUndisturbed(
  scenario: ReceiverScenario,
  options: StageOptions,
  effects: OwnEffects,
): Promise<{ stage: Stage; fault: Fault | null }> {
  for (let tries = 1; ; tries += 1) {
    effects.begin();
    const stage = new Stage(options, effects);
    const fault = await plays[scenario](stage).then(() => null, readFault);
    const isClear = !stage.isDisturbed || !effectScenarios.has(scenario) || options.signal?.aborted === true;
    if (isClear || tries === MOST_TRIES) return { stage, fault };
  }
}

async function play(
  scenario: ReceiverScenario,
  options: StageOptions,
  effects: OwnEffects,
  diagnosis: HandlerDiagnosis,
): Promise<ScenarioResult> {
  if (options.secret === null && signedScenarios.has(scenario)) {
    const reason = 'Not judged: without a webhook secret webhooks are not signed, as the interface has it.';
    return { scenario, verdict: 'pass', reason, elapsedMs: 0, isSkipped: true, isAnswerOnly: false };
  }
  const { stage, fault } = await playUndisturbed(scenario, options, effects);
  if (stage.hasTakenRight) diagnosis.noteTaken();
  const elapsedMs = stage.slowestMs;
  const isBlind = !stage.hasState || stage.isUnmoved;
  const isAnswerOnly = fault === null && isBlind && effectScenarios.has(scenario);
  const praise = isAnswerOnly
    ? `Only the answers were judged: they are as they should be, the slowest took ${elapsedMs} ms. ${stage.hasState ? UNMOVED : NO_STATE}`
    : `As it should be; the slowest answer took ${elapsedMs} ms.`;
  const why = fault === null || fault.refused === null ? '' : await diagnosis.describe(fault.refused);
  const told = fault === null ? praise : fault.message + why;
  const reason = [
    told,
    ...(stage.isRestless ? [RESTLESS] : []),
    ...(fault !== null && stage.isDisturbed ? [DISTURBED] : []),
  ].join(' ');
  const verdict = fault === null ? 'pass' : 'fail';
  return { scenario, verdict, reason, elapsedMs, isSkipped: false, isAnswerOnly };
}

/** A state that cannot be read any more is the receiver's fault, too; anything else is ours. */
function readFault(error: unknown): Fault {
  if (error instanceof ReceiverFault) return error;
  if (error instanceof AppError) return { message: error.message, refused: null };
  throw error;
}
