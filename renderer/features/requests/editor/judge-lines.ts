import { cutMasked } from '@shared/cut-masked';
import {
  expectCaptured,
  isSecretCapture,
  readCapture,
  takeCapture,
  type Capture,
} from '@shared/expect/captures';
import { isImmediate } from '@shared/expect/expectation';
import {
  judgeAnswer,
  readReceivedAnswer,
  type AnswerExpectation,
  type AnswerHelp,
  type ReceivedAnswer,
} from '@shared/expect/judge-answer';
import { findNode } from '@shared/expect/json-path';
import { readExpectation } from '@shared/expect/read-expectation';
import type { Fill } from '@shared/expect/verdict';
import { showNode } from '@shared/expect/write-json';
import { maskSecrets } from '@shared/mask-secrets';
import { hasMask, maskSecret } from '@shared/secrets';
import type { OpenTab } from '../requests-store';

/** What the last answer says of a line. */
export interface LineVerdict {
  tone: 'held' | 'failed' | 'fault' | 'open';
  text: string;
}

/** What lines are judged by here; `why` says why there is nothing. */
export interface LastAnswer {
  answer: ReceivedAnswer | null;
  why: string;
}

const mostChars = 300;

/** Only the run itself has what these are judged by. */
const ofRuns: ReadonlySet<string> = new Set(['signature', 'same']);

/** Of a long answer the screen has only the beginning: nothing can be said of it here. */
export function readAnswer({ exchange }: Pick<OpenTab, 'exchange'>): LastAnswer {
  if (exchange?.response?.isBodyShortened === true)
    return { answer: null, why: 'The last answer is too long to be judged here: a run judges it' };
  const answer = exchange === null ? null : readReceivedAnswer(exchange);
  return { answer, why: 'No answer has come yet' };
}

const helpWith = (fill: Fill): AnswerHelp => ({ fill, readExample: () => ({ fault: '', advice: '' }) });

const showReceived = (received: string): string => `Received ${cutMasked(received, maskSecrets, mostChars)}`;

const masked = 'A secret in it is masked here: judged in a run';

/** Gives a text with its variables filled in, as far as they have values here. */
export type FillLine = (text: string) => { filled: string; unresolved: readonly string[] };

/** What a line looks at of the answer, as it is shown. */
function readSubject(expectation: AnswerExpectation, { headers, body, tree }: ReceivedAnswer): string {
  if (expectation.kind === 'schema') return body;
  if (expectation.kind === 'header') {
    const { name } = expectation;
    const values = headers.filter(([one]) => one.toLowerCase() === name.toLowerCase());
    return values.map(([, value]) => value).join('\n');
  }
  if (expectation.kind !== 'body') return '';
  if (expectation.path === null) return body;
  const { keys } = expectation.path;
  const found = findNode(tree, { keys });
  if (found !== null) return showNode(found);
  // What stands in a secret is masked with it.
  const above = keys.map((_, count) => findNode(tree, { keys: keys.slice(0, count) })).findLast(Boolean);
  return above?.kind === 'string' ? above.text : '';
}

/** Tells whether what is masked may be another thing in a run; that something stands there, it shows. */
function isOfMasked(expectation: AnswerExpectation, answer: ReceivedAnswer): boolean {
  const subject = readSubject(expectation, answer);
  if (!hasMask(subject)) return false;
  if (!('comparison' in expectation)) return true;
  const { operator } = expectation.comparison;
  if (expectation.kind !== 'body' || expectation.path === null) return operator !== 'exists';
  const found = findNode(answer.tree, expectation.path);
  const isStructure = found?.kind === 'object' || found?.kind === 'array';
  return found === null || (operator !== 'exists' && !(operator === 'is' && isStructure));
}

export function judgeLine(line: string, { answer, why }: LastAnswer, fillLine: FillLine): LineVerdict {
  const read = readExpectation(line);
  if ('fault' in read) return { tone: 'fault', text: read.fault.message };
  const { expectation } = read;
  if (!isImmediate(expectation) || ofRuns.has(expectation.kind))
    return { tone: 'open', text: 'Judged in a run' };
  if (answer === null) return { tone: 'open', text: why };
  const { filled, unresolved } = fillLine(line);
  const [missing] = unresolved;
  if (missing !== undefined)
    return { tone: 'open', text: `{{${missing}}} has no value here: judged in a run that gives it one` };
  const isCompared = hasMask(filled) && !hasMask(line);
  if (isCompared || isOfMasked(expectation as AnswerExpectation, answer))
    return { tone: 'open', text: masked };
  const help = helpWith((text) => fillLine(text).filled);
  const { isHeld, received } = judgeAnswer(expectation as AnswerExpectation, answer, help);
  return { tone: isHeld ? 'held' : 'failed', text: isHeld ? 'Holds' : showReceived(received) };
}

/**
 * Says what a line of captures would take from the last answer; one that is secret shows its ends at most.
 *
 * @param given - values that were set for this run: what is captured by their names is used by nobody
 */
export function judgeCapture(
  line: string,
  last: LastAnswer,
  given: Readonly<Record<string, string>> = {},
): LineVerdict {
  const read = readCapture(line);
  if ('fault' in read) return { tone: 'fault', text: read.fault.message };
  const { capture } = read;
  const verdict = judgeTaken(capture, last);
  if (!Object.hasOwn(given, capture.name)) return verdict;
  const hides = `but {{${capture.name}}} stays the value for this run, which is set in Environments`;
  return { tone: verdict.tone === 'held' ? 'open' : verdict.tone, text: `${verdict.text}, ${hides}` };
}

function judgeTaken(capture: Capture, { answer, why }: LastAnswer): LineVerdict {
  if (capture.source.kind === 'webhook') return { tone: 'open', text: 'Taken in a run, from its webhook' };
  if (answer === null) return { tone: 'open', text: why };
  const { headers, tree } = answer;
  const taken = takeCapture(capture, { headers, body: tree, webhooks: [] });
  if (taken === null) {
    const { received, advice } = judgeAnswer(
      expectCaptured(capture, 0) as AnswerExpectation,
      answer,
      helpWith((text) => text),
    );
    return {
      tone: 'failed',
      text: `Finds nothing: ${cutMasked(advice ?? received, maskSecrets, mostChars)}`,
    };
  }
  if (taken === '') return { tone: 'held', text: 'Takes an empty text' };
  const shown = isSecretCapture(capture) ? maskSecret(taken) : cutMasked(taken, maskSecrets, mostChars);
  return { tone: 'held', text: `Takes ${shown}` };
}
