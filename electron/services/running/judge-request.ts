import { isImmediate } from '@shared/expect/expectation';
import { takeCapture, type Capture } from '@shared/expect/captures';
import {
  judgeAnswer,
  type AnswerExpectation,
  type ExampleText,
  type ReceivedAnswer,
} from '@shared/expect/judge-answer';
import type { ExpectationVerdict, Fill } from '@shared/expect/verdict';
import { fillVariables } from '@shared/http-file/resolve-request';
import type { PlacedExpectation } from '@shared/run/read-directives';
import type { RunRequest } from '@shared/run/plan-run';
import type { ExpectationResult } from '@shared/run/run-result';
import { findSecrets } from '@shared/mask-secrets';
import { isSecretName } from '@shared/secrets';
import { describeUnresolved } from './describe-unresolved';
import { readExample } from './read-example';
import { listUsable } from './run-facts';
import type { ArrivedWebhook } from './webhook-hub';
import type { RunContext, RunTurn } from './run-context';

/** Fills in the variables of expected values: those of the call and the run, of the file, of the environment. */
export function createFill({ block }: RunRequest, { options }: RunContext, turn: RunTurn): Fill {
  return (text) => {
    const { filled, unresolved } = fillVariables(text, block.fileVariables, {
      variables: options.environment.variables,
      given: turn.values,
    });
    const [first] = unresolved;
    if (first === undefined) return filled;
    throw describeUnresolved([first], turn);
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
  const read = (name: string): ExampleText => {
    const example = readExample(request.directory, request.file, name);
    turn.secrets.push(...listUsable(findSecrets('text' in example ? example.text : '')));
    return example;
  };
  const help = { fill, readExample: read };
  return request.directives.expectations
    .filter(({ expectation }) => isImmediate(expectation))
    .map((placed) => toResult(placed, judgeAnswer(placed.expectation as AnswerExpectation, answer, help)));
}

/** Why a capture got nothing, for the request that asks for its value. */
function describeMissed(
  { name, file }: RunRequest,
  { name: variable, source }: Capture,
  answer: ReceivedAnswer | null,
): string {
  const what = source.kind === 'header' ? `header ${source.header}` : `${source.kind} ${source.path.typed}`;
  const why =
    source.kind === 'webhook'
      ? 'no webhook brought that'
      : answer === null
        ? 'no answer came'
        : source.kind === 'body' && answer.whyUnread !== null
          ? `its answer is ${answer.whyUnread}`
          : 'its answer has none';
  return `'${name}' (${file}) was to capture ${variable} from ${what}, but ${why}.`;
}

/** Takes captures of one kind into the values of the turn; one that is not there leaves what was there before. */
export function takeCaptures(
  request: RunRequest,
  turn: RunTurn,
  sources: { answer: ReceivedAnswer | null; webhooks: readonly ArrivedWebhook[] },
): void {
  for (const capture of request.directives.captures) {
    const value = takeCapture(capture, {
      headers: sources.answer?.headers ?? [],
      body: sources.answer?.tree ?? null,
      webhooks: sources.webhooks.map(({ tree }) => tree),
    });
    if (value === null) {
      turn.missed.set(capture.name, describeMissed(request, capture, sources.answer));
      continue;
    }
    turn.values[capture.name] = value;
    const { source } = capture;
    const field = source.kind === 'header' ? source.header : (source.path.keys.at(-1) ?? '');
    if (isSecretName(capture.name) || isSecretName(field)) turn.secrets.push(...listUsable([value]));
  }
}
