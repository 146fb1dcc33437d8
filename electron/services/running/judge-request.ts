import { isImmediate } from '@shared/expect/expectation';
import { takeCapture } from '@shared/expect/captures';
import { judgeAnswer, type AnswerExpectation, type ReceivedAnswer } from '@shared/expect/judge-answer';
import type { ExpectationVerdict, Fill } from '@shared/expect/verdict';
import { fillVariables } from '@shared/http-file/resolve-request';
import { AppError } from '@shared/errors';
import type { PlacedExpectation } from '@shared/run/read-directives';
import type { RunRequest } from '@shared/run/plan-run';
import type { ExpectationResult } from '@shared/run/run-result';
import { findSecrets } from '@shared/mask-secrets';
import { isSecretName } from '@shared/secrets';
import { readExample } from './read-example';
import { listUsable } from './run-facts';
import type { ArrivedWebhook } from './webhook-hub';
import type { RunContext, RunTurn } from './run-context';

/** Fills in the variables of expected values: those of the call and the run, of the file, of the environment. */
export function createFill({ block }: RunRequest, { options }: RunContext, { values }: RunTurn): Fill {
  return (text) => {
    const { filled, unresolved } = fillVariables(text, block.fileVariables, {
      variables: options.environment.variables,
      given: values,
    });
    const [first] = unresolved;
    if (first === undefined) return filled;
    throw new AppError(
      'sending.unresolved',
      `Nobody gave {{${first}}}. Set it in the environment, in the file (@${first} = …), with --var ${first}=VALUE, or capture it from an earlier request.`,
    );
  };
}

/** Writes an outcome down beside the line that asked for it. */
export function toResult(
  { text, line }: PlacedExpectation,
  verdict: ExpectationVerdict | null,
): ExpectationResult {
  if (verdict === null) {
    return {
      text,
      line,
      outcome: 'unfinished',
      expected: text,
      received: 'the run ended before',
      advice: null,
    };
  }
  const { isHeld, expected, received, advice } = verdict;
  return { text, line, outcome: isHeld ? 'held' : 'failed', expected, received, advice };
}

/** Judges all that the answer alone decides, in the order of the file. */
export function judgeImmediate(
  request: RunRequest,
  answer: ReceivedAnswer,
  fill: Fill,
  turn: RunTurn,
): ExpectationResult[] {
  const read = (name: string): string | null => {
    const example = readExample(request.directory, request.file, name);
    turn.secrets.push(...listUsable(findSecrets(example ?? '')));
    return example;
  };
  const help = { fill, readExample: read };
  return request.directives.expectations
    .filter(({ expectation }) => isImmediate(expectation))
    .map((placed) => toResult(placed, judgeAnswer(placed.expectation as AnswerExpectation, answer, help)));
}

/** Takes captures of one kind into the values of the turn; one that is not there leaves what was there before. */
export function takeCaptures(
  { directives }: RunRequest,
  context: RunContext,
  turn: RunTurn,
  sources: { answer: ReceivedAnswer | null; webhooks: readonly ArrivedWebhook[] },
): void {
  for (const capture of directives.captures) {
    const value = takeCapture(capture, {
      headers: sources.answer?.headers ?? [],
      body: sources.answer?.tree ?? null,
      webhooks: sources.webhooks.map(({ tree }) => tree),
    });
    if (value === null) continue;
    turn.values[capture.name] = value;
    const { source } = capture;
    const field = source.kind === 'header' ? source.header : (source.path.keys.at(-1) ?? '');
    if (isSecretName(capture.name) || isSecretName(field)) turn.secrets.push(...listUsable([value]));
  }
}
