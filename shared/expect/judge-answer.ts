import type { HeaderList, Operation } from '../contract/common';
import type { Exchange, Reading } from '../contract/sending';
import { assertNever } from '../errors';
import type { JsonNode } from '../json/json-tree';
import { findWhyUnread, type AnswerSize } from '../payments/unread-answer';
import { compareDecimals, parseDecimal } from '../payments/decimal';
import { adviseStatus } from './advise-status';
import { compareValue, describeComparison } from './compare-values';
import type { Comparison, Expectation } from './expectation';
import { describeNeighbours, findNode, nameFirst } from './json-path';
import { findSchemaFault } from './match-schema';
import { splitList } from './read-comparison';
import { readJudged } from './read-judged';
import { findDifference } from './same-json';
import { failed, held, judgeFilled, type Fill, type ExpectationVerdict } from './verdict';
import { showNode } from './write-json';

/** What is known once the answer is there. */
export interface ReceivedAnswer {
  readonly operation: Operation;
  readonly httpStatus: number;
  readonly headers: HeaderList;
  readonly body: string;
  /** The body as JSON; null: there is none to judge. */
  readonly tree: JsonNode | null;
  /** Why there is none ('not JSON'); null: there is one. */
  readonly whyUnread: string | null;
  /** `body` is not all that the service said, or not what it said: nothing of it is judged. */
  readonly isUnread: boolean;
  readonly totalMs: number;
  /** What the answer means, in one line. */
  readonly summary: string;
  /** The same as a word; null: nobody read it. */
  readonly outcome: Reading['outcome'] | null;
  /** Whether the signature that went out verifies; null: nobody looked. */
  readonly signature: { readonly valid: boolean; readonly reason: string } | null;
}

/** What an example of that name says, or why it cannot be compared with. */
export type ExampleText = { readonly text: string } | { readonly fault: string; readonly advice: string };

/** What stands outside of the answer. */
export interface AnswerHelp {
  readonly fill: Fill;
  readExample(name: string): ExampleText;
}

export type AnswerExpectation = Extract<
  Expectation,
  { kind: 'status' | 'header' | 'body' | 'time' | 'schema' | 'signature' | 'same' }
>;

/** Says what an answer says of itself: its title, and its description where that is another. */
export function summarizeReading(reading: Exchange['reading']): string {
  const said = [reading?.title, reading?.description].filter((text) => (text ?? '') !== '');
  return [...new Set(said)].join(': ');
}

/** Takes what expectations look at from an exchange; null: no answer came. */
export function readReceivedAnswer({
  operation,
  response,
  reading,
  timings,
}: Exchange): ReceivedAnswer | null {
  if (response === null) return null;
  const { httpStatus, headers, body } = response;
  return {
    operation,
    httpStatus,
    headers,
    ...readAnswerBody(body, response),
    totalMs: timings?.totalMs ?? 0,
    summary: summarizeReading(reading),
    outcome: reading?.outcome ?? null,
    signature: null,
  };
}

/** Reads the body of an answer for expectations. */
export function readAnswerBody(
  body: string,
  size: AnswerSize,
): Pick<ReceivedAnswer, 'body' | 'tree' | 'whyUnread' | 'isUnread'> {
  const whyUnread = findWhyUnread(size);
  return whyUnread === null
    ? { body, ...readJudged(body), isUnread: false }
    : { body, tree: null, whyUnread, isUnread: true };
}

/** Judges an expectation that the answer alone decides. */
export function judgeAnswer(
  expectation: AnswerExpectation,
  facts: ReceivedAnswer,
  help: AnswerHelp,
): ExpectationVerdict {
  switch (expectation.kind) {
    case 'status':
      return judgeFilled(expectation.comparison, help.fill, (filled) => judgeStatus(filled, facts));
    case 'header':
      return judgeFilled(expectation.comparison, help.fill, (filled) =>
        judgeHeader(expectation.name, filled, facts),
      );
    case 'body':
      return judgeFilled(expectation.comparison, help.fill, (filled) =>
        judgeBody(expectation.path, filled, facts),
      );
    case 'time':
      return judgeTime(expectation, facts);
    case 'schema':
      return judgeSchema(expectation, facts);
    case 'signature':
      return judgeSignature(facts);
    case 'same':
      return judgeSame(expectation, facts, help);
    default:
      return assertNever(expectation);
  }
}

const literal = (text: string): JsonNode => ({ kind: 'number', text });

function judgeStatus(comparison: Comparison, facts: ReceivedAnswer): ExpectationVerdict {
  const { httpStatus, summary } = facts;
  const expected = `status ${describeComparison(comparison)}`;
  const received = `${httpStatus}${summary === '' ? '' : ` ${summary}`}`;
  if (compareValue(literal(String(httpStatus)), comparison).isHeld) return held(expected, received);
  return failed(expected, received, adviseStatus(facts));
}

function judgeHeader(name: string, comparison: Comparison, { headers }: ReceivedAnswer): ExpectationVerdict {
  const expected = `header ${name} ${describeComparison(comparison)}`;
  const values = headers
    .filter(([one]) => one.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value);
  const nodes: (JsonNode | null)[] = values.length === 0 ? [null] : values.map(toHeaderNode(comparison));
  const received = values.length === 0 ? 'no such header' : values.join(', ');
  // Of a header that is there several times, one that fits is enough; what is denied, all must.
  const isDenial = comparison.isNegated || comparison.operator === '!=';
  const isHeld = (node: JsonNode | null): boolean => compareValue(node, comparison).isHeld;
  if (isDenial ? nodes.every(isHeld) : nodes.some(isHeld)) return held(expected, received);
  const names = [...new Set(headers.map(([one]) => one))];
  return failed(
    expected,
    received,
    values.length === 0
      ? `The answer has ${names.length === 0 ? 'no headers' : `these headers: ${nameFirst(names, 20)}`}.`
      : 'Correct the expectation, or ask the service.',
  );
}

/** A header is text, whatever is in it; it is a number, too, where it can be read as one. */
const toHeaderNode =
  (comparison: Comparison) =>
  (text: string): JsonNode => {
    const asksForNumber = comparison.operator === 'is' && comparison.valueKind === 'number';
    return { kind: asksForNumber && parseDecimal(text) !== null ? 'number' : 'string', text };
  };

function judgeBody(
  path: Extract<Expectation, { kind: 'body' }>['path'],
  comparison: Comparison,
  facts: ReceivedAnswer,
): ExpectationVerdict {
  const { body, tree } = facts;
  const expected = `body ${path === null ? '' : `${path.typed} `}${describeComparison(comparison)}`;
  // That there is one, its beginning shows.
  const asksForAny = path === null && comparison.operator === 'exists';
  if (facts.isUnread && !asksForAny) return failUnread(expected, facts);
  const node: JsonNode | null = path === null ? wholeBody(body, tree, comparison) : findNode(tree, path);
  const { isHeld, problem } = compareValue(node, comparison);
  const received = showNode(node);
  if (isHeld) return held(expected, received);
  const why = problem === '' ? '' : `${problem[0]?.toUpperCase() ?? ''}${problem.slice(1)}. `;
  if (path === null) return failed(expected, received, `${why}Compare the body with what is expected.`);
  const neighbours = node === null ? ` Here ${describeNeighbours(tree, path, facts.whyUnread)}.` : '';
  return failed(expected, received, `${why}Look at ${path.typed} in the answer.${neighbours}`);
}

/** Nothing is said of a text that is not what the service said: neither that it holds nor that it does not. */
function failUnread(expected: string, { whyUnread }: ReceivedAnswer): ExpectationVerdict {
  return failed(
    expected,
    `an answer that is ${whyUnread ?? 'not read'}`,
    'Its status and headers alone are judged: ask the service for an answer that can be read.',
  );
}

/** The body as text, but where it is compared with JSON or asked for its kind. */
function wholeBody(body: string, tree: JsonNode | null, comparison: Comparison): JsonNode | null {
  if (comparison.operator === 'exists') return body === '' ? null : { kind: 'string', text: body };
  const isStructure = tree?.kind === 'object' || tree?.kind === 'array';
  const wantsJson =
    comparison.operator === 'is' ||
    ('value' in comparison && ['==', '!='].includes(comparison.operator) && isStructure);
  return wantsJson && tree !== null ? tree : { kind: 'string', text: body };
}

function judgeTime(
  { operator, limitMs }: Extract<Expectation, { kind: 'time' }>,
  { totalMs }: ReceivedAnswer,
): ExpectationVerdict {
  const took = parseDecimal(totalMs.toFixed(3))!;
  const order = compareDecimals(took, parseDecimal(String(limitMs))!);
  const isHeld = order === 0 ? operator.length === 2 : order < 0 === operator.startsWith('<');
  const expected = `time ${operator} ${limitMs} ms`;
  const received = `${totalMs.toFixed(1)} ms`;
  return isHeld
    ? held(expected, received)
    : failed(expected, received, 'Look at the phases of the exchange: connecting, first byte, download.');
}

function judgeSchema(
  { operation }: Extract<Expectation, { kind: 'schema' }>,
  facts: ReceivedAnswer,
): ExpectationVerdict {
  const { tree, httpStatus, whyUnread } = facts;
  const expected = `an answer of ${operation} as the interface has it`;
  if (facts.isUnread) return failUnread(expected, facts);
  const fault =
    tree === null ? `the body is ${whyUnread ?? 'not read'}` : findSchemaFault(tree, httpStatus, operation);
  if (fault === null) return held(expected, `${httpStatus} in that form`);
  return failed(expected, fault, 'Compare the answer with the interface; the sandbox answers in its forms.');
}

function judgeSignature({ signature }: ReceivedAnswer): ExpectationVerdict {
  const expected = 'a signature that verifies';
  if (signature?.valid === true) return held(expected, 'it verifies');
  return failed(
    expected,
    signature?.reason ?? 'no signature',
    'Look at the string to sign; `countersign doctor` says what a signature did sign.',
  );
}

function judgeSame(
  { example, ignoring }: Extract<Expectation, { kind: 'same' }>,
  facts: ReceivedAnswer,
  help: AnswerHelp,
): ExpectationVerdict {
  const { tree, body } = facts;
  const expected = `the same as example ${example}`;
  if (facts.isUnread) return failUnread(expected, facts);
  const found = help.readExample(example);
  if ('fault' in found) return failed(expected, found.fault, found.advice);
  const { text } = found;
  const { tree: wanted, whyUnread } = readJudged(text);
  if (wanted === null || tree === null) {
    if (text.trim() === body.trim()) return held(expected, 'the same text');
    const which =
      wanted === null ? `the example is ${whyUnread ?? ''}` : `the answer is ${facts.whyUnread ?? ''}`;
    return failed(expected, which, 'Compare the two texts.');
  }
  const difference = findDifference(tree, wanted, { ignoring });
  if (difference === null) return held(expected, 'the same');
  const place = difference.place === '' ? 'the whole' : difference.place;
  return failed(
    `${expected}: ${difference.expected === null ? `no ${place}` : `${place} ${difference.expected}`}`,
    difference.received,
    difference.isOfWriting
      ? 'The same number, written in another way: correct the example, or compare this value by itself.'
      : adviseIgnoring(difference.place),
  );
}

/** Advises to leave a place out where a line can name it. */
function adviseIgnoring(place: string): string {
  const isNamed = place !== '' && !place.includes('{{') && splitList(place)[0] === place;
  if (!isNamed) return 'Correct the example, or compare parts of the answer with `body`.';
  return `Correct the example, or add 'ignoring ${place}' where it changes each time.`;
}
