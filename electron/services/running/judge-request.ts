import { isImmediate } from '@shared/expect/expectation';
import { isSecretCapture, takeCapture, type Capture } from '@shared/expect/captures';
import {
  judgeAnswer,
  type AnswerExpectation,
  type ExampleText,
  type ReceivedAnswer,
} from '@shared/expect/judge-answer';
import type { ExpectationVerdict, Fill } from '@shared/expect/verdict';
import { findExpression } from '@shared/http-file/find-expression';
import { findTokenProduct } from '@shared/http-file/last-reference';
import { fillVariables } from '@shared/http-file/resolve-request';
import type { PlacedExpectation } from '@shared/run/read-directives';
import type { RunRequest } from '@shared/run/plan-run';
import type { ExpectationResult } from '@shared/run/run-result';
import { findSecrets, maskSecrets } from '@shared/mask-secrets';
import { maskKnownSecrets } from '../../platform/mask-known-secrets';
import { describeUnresolved } from './describe-unresolved';
import { giveValues } from './last-sent';
import { readExample } from './read-example';
import { isGiven, listUsable } from './run-facts';
import type { ArrivedWebhook } from './webhook-hub';
import type { RunContext, RunTurn } from './run-context';

/** Fills in the variables of expected values: those of the call and the run, of the file, of the environment. */
export function createFill({ block }: RunRequest, { options }: RunContext, turn: RunTurn): Fill {
  const product = findTokenProduct(block.headers);
  return (text) => {
    const values = giveValues(options, turn);
    const { filled, unresolved } = fillVariables(text, block.fileVariables, values, product);
    const [first] = unresolved;
    if (first === undefined) return filled;
    throw describeUnresolved([first], turn);
  };
}

/** Writes an outcome down beside the line that asked for it. */
export function toResult(
  { text, line, isCapture = false }: PlacedExpectation,
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
  const { isHeld, expected, advice } = verdict;
  if (isHeld && isCapture && findExpression(verdict.received, 0) !== null) {
    const what =
      'Nothing is captured: whoever answers must not choose what is filled in. Look at the answer.';
    return {
      text,
      line,
      outcome: 'failed',
      expected,
      received: 'a value with a {{variable}} in it',
      advice: what,
    };
  }
  const received = isHeld && isCapture ? 'a value' : verdict.received;
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
    for (const one of listUsable(findSecrets('text' in example ? example.text : ''))) turn.secrets.push(one);
    return example;
  };
  const help = { fill, readExample: read };
  return request.directives.expectations
    .filter(({ expectation }) => isImmediate(expectation))
    .map((placed) => toResult(placed, judgeAnswer(placed.expectation as AnswerExpectation, answer, help)));
}

/** Notes, for the requests that ask for its value, that a capture got nothing. */
function noteMissed(turn: RunTurn, { name, file }: RunRequest, capture: Capture, why: string): void {
  const { source } = capture;
  const what = source.kind === 'header' ? `header ${source.header}` : `${source.kind} ${source.path.typed}`;
  const told = `'${name}' (${file}) was to capture ${capture.name} from ${what}, but ${why}.`;
  turn.missed.set(capture.name, told);
}

/** Where captured values come from. */
export interface CaptureOrigin {
  /** The address that answered, where it is not of the service of the environment but a host that the file names. */
  readonly givenBy: string | null;
  /** What requests of this run were given of tokens and the vault: an answer may repeat it under any name. */
  readonly known: readonly string[];
}

/** Takes a value for those after it: as text, since whoever sent it could else ask for the secrets of others in it. */
function takeValue(
  request: RunRequest,
  turn: RunTurn,
  capture: Capture,
  value: string,
  origin: CaptureOrigin,
): void {
  if (findExpression(value, 0) === null) keepCaptured(turn, capture, value, origin);
  else
    noteMissed(turn, request, capture, 'what came has a variable in it, and none is filled in for a service');
}

function keepCaptured(turn: RunTurn, capture: Capture, value: string, origin: CaptureOrigin): void {
  const named = isSecretCapture(capture) ? [value] : findSecrets(value, [['', value]]);
  for (const one of listUsable(named)) turn.secrets.push(one);
  if (isGiven(turn, capture.name)) return;
  turn.values[capture.name] = value;
  turn.secretCaptures.delete(capture.name);
  if (named.length === 0 && !holdsKnown(value, origin.known)) return;
  turn.secretCaptures.set(capture.name, { givenBy: origin.givenBy });
}

/** Tells whether one of these stands in a text, in whatever writing. */
function holdsKnown(text: string, known: readonly string[]): boolean {
  return known.length > 0 && maskKnownSecrets(text, known) !== maskSecrets(text);
}

/** What a request captured, as far as a run that goes on with this one may read it in a file: no secret. */
export function listCaptured(
  { directives }: RunRequest,
  { values, given, secretCaptures }: RunTurn,
): Record<string, string> {
  const open = directives.captures.filter(
    (capture) =>
      !isSecretCapture(capture) && !secretCaptures.has(capture.name) && !isGiven({ given }, capture.name),
  );
  return Object.fromEntries(
    open.flatMap(({ name }) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}

/** Takes what the run before captured of a request; what it could not write down is missing. */
export function captureAgain(
  request: RunRequest,
  turn: RunTurn,
  before: Readonly<Record<string, string>>,
): void {
  for (const capture of request.directives.captures) {
    const value = before[capture.name];
    // No secret was written down.
    if (value !== undefined) keepCaptured(turn, capture, value, { givenBy: null, known: [] });
    else noteMissed(turn, request, capture, 'the run before, which sent it, did not keep that');
  }
}

/** Takes what an answer brings into the values of the turn; a value that is not there leaves what was there before. */
export function captureAnswer(
  request: RunRequest,
  turn: RunTurn,
  { headers, tree, whyUnread }: Pick<ReceivedAnswer, 'headers' | 'tree' | 'whyUnread'>,
  origin: CaptureOrigin,
): void {
  for (const capture of request.directives.captures) {
    const { kind } = capture.source;
    if (kind === 'webhook') continue;
    const value = takeCapture(capture, { headers, body: tree, webhooks: [] });
    const isUnread = kind === 'body' && whyUnread !== null;
    const why = isUnread ? `its answer is ${whyUnread}` : 'its answer has none';
    if (value === null) noteMissed(turn, request, capture, why);
    else takeValue(request, turn, capture, value, origin);
  }
}

/** Takes what the webhooks of a request brought. */
export function captureWebhooks(
  request: RunRequest,
  turn: RunTurn,
  webhooks: readonly Pick<ArrivedWebhook, 'tree'>[],
  known: CaptureOrigin['known'],
): void {
  const trees = webhooks.map(({ tree }) => tree);
  for (const capture of request.directives.captures) {
    if (capture.source.kind !== 'webhook') continue;
    const value = takeCapture(capture, { headers: [], body: null, webhooks: trees });
    if (value === null) noteMissed(turn, request, capture, 'no webhook brought that');
    else takeValue(request, turn, capture, value, { givenBy: null, known });
  }
}

/** Notes that nothing is captured of a request, and why. */
export function captureNothing(request: RunRequest, turn: RunTurn, why: string): void {
  for (const capture of request.directives.captures) noteMissed(turn, request, capture, why);
}
