import { isHeaderName } from '../find-header';
import { parseDecimal } from '../payments/decimal';
import { operations, type OperationName } from '../payments/tables/operations';
import { paymentStates } from '../payments/tables/states';
import type {
  Comparison,
  Expectation,
  ExpectationFault,
  ExpectedValue,
  JsonPath,
  WebhookCondition,
} from './expectation';
import { isOfSeveral, noPathFault, ofSeveralFault, readJsonPath } from './json-path';
import { isOperator, readComparison, splitList } from './read-comparison';
import { LineFault, TextReader } from './text-reader';

const longestWaitMs = 24 * 3_600_000;
const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

function readDuration(reader: TextReader): number {
  const start = reader.offset;
  const word = reader.take('A time such as 10s');
  const [, number = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m)$/.exec(word) ?? [];
  const ms = Number(number) * (unitsMs[unit] ?? Number.NaN);
  if (ms > longestWaitMs)
    reader.fail('Nothing is waited for longer than 24 hours.', start, start + word.length);
  if (!(ms >= 0) || number === '') {
    reader.fail(`'${word.slice(0, 30)}' is no time: write 500ms, 10s or 2m.`, start, start + word.length);
  }
  return ms;
}

function readWithin(reader: TextReader, word: 'within' | 'for'): number {
  if (!reader.skip(word)) {
    reader.fail(
      `Say how long: '${word} 10s'.`,
      reader.offset,
      reader.offset + Math.max(1, reader.peek().length),
    );
  }
  return readDuration(reader);
}

function readPath(reader: TextReader): JsonPath {
  const start = reader.offset;
  const word = reader.take('A path such as data.payment_uuid');
  const path = readJsonPath(word);
  // It would find nothing whatever comes, and 'not exists' would always hold.
  if (path !== null && isOfSeveral(path)) reader.fail(ofSeveralFault, start, start + word.length);
  if (path !== null) return path;
  return reader.fail(noPathFault(word), start, start + word.length);
}

const valuesOf = (comparison: Comparison): readonly ExpectedValue[] =>
  'values' in comparison ? comparison.values : 'value' in comparison ? [comparison.value] : [];

/** `201`, `in 200,201`, `< 300`. */
function readStatus(reader: TextReader): Expectation {
  const start = reader.offset;
  const isShort = !isOperator(reader.peek()) && reader.peek() !== '=';
  const comparison: Comparison = isShort
    ? {
        operator: '==',
        isNegated: false,
        value: { text: reader.take('An HTTP status such as 201'), isQuoted: false },
      }
    : readComparison(reader);
  for (const { text } of valuesOf(comparison)) {
    if (comparison.operator === 'matches' || text.includes('{{') || /^[1-5]\d\d$/.test(text)) continue;
    reader.fail(`'${text.slice(0, 30)}' is no HTTP status: write one from 100 to 599.`, start);
  }
  return { kind: 'status', comparison };
}

function readHeader(reader: TextReader): Expectation {
  const start = reader.offset;
  const name = reader.take("A header's name");
  if (!isHeaderName(name)) {
    reader.fail(`'${name.slice(0, 60)}' is no header name.`, start, start + name.length);
  }
  return { kind: 'header', name, comparison: readComparison(reader) };
}

function readBody(reader: TextReader): Expectation {
  // Without a path it is the whole text.
  const path = isOperator(reader.peek()) ? null : readPath(reader);
  return { kind: 'body', path, comparison: readComparison(reader) };
}

function readTime(reader: TextReader): Expectation {
  const word = reader.peek();
  const operator = (['<=', '>=', '<', '>'] as const).find((one) => word.startsWith(one));
  if (operator === undefined) {
    reader.fail("Write 'time < 500ms'.", reader.offset, reader.offset + Math.max(1, word.length));
  }
  reader.move(operator.length);
  const start = reader.offset;
  const limitMs = readDuration(reader);
  if (limitMs === 0 && operator.startsWith('<'))
    reader.fail("No answer comes in no time: write 'time < 500ms'.", start, reader.offset);
  return { kind: 'time', operator, limitMs };
}

function readSchema(reader: TextReader): Expectation {
  const start = reader.offset;
  const word = reader.take('An operation');
  if (!Object.hasOwn(operations, word)) {
    const names = Object.keys(operations).join(', ');
    reader.fail(`There is no operation '${word.slice(0, 30)}': use ${names}.`, start, start + word.length);
  }
  return { kind: 'schema', operation: word as OperationName };
}

function readSignature(reader: TextReader): Expectation {
  if (!reader.skip('valid')) reader.fail("Write 'signature valid'.");
  return { kind: 'signature' };
}

/** One of `[count == 1] [status == SUCCESS] [body path op value]`; the brackets may be left out. */
function readClause(reader: TextReader, isBracketed: boolean): WebhookCondition | { count: Comparison } {
  const start = reader.offset;
  const word = reader.take('count, status or body');
  // A value runs to the end of the line, but for those that are one word.
  const takeWord = (): string => {
    const quoted = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\])/.exec(
      reader.rest(),
    )?.[0];
    return reader.move((quoted ?? reader.peek()).length);
  };
  const takeText = isBracketed ? undefined : takeWord;
  if (word === 'status') return { subject: 'status', comparison: readComparison(reader, takeText) };
  if (word === 'body') return { subject: readPath(reader), comparison: readComparison(reader) };
  if (word !== 'count') {
    reader.fail(
      `'${word.slice(0, 30)}' is not known here: use count, status or body.`,
      start,
      start + word.length,
    );
  }
  const at = reader.offset;
  const count = readComparison(reader, takeText);
  const numbers = valuesOf(count);
  if (numbers.length === 0 || numbers.some(({ text }) => !/^\d{1,6}$/.test(text))) {
    reader.fail('A count is a whole number.', at);
  }
  return { count };
}

/** Tells whether two conditions on the status can never hold both. */
function excludes(left: WebhookCondition, right: WebhookCondition): boolean {
  const wanted = [left, right].flatMap(({ subject, comparison }) =>
    subject === 'status' && comparison.operator === '==' && !comparison.isNegated
      ? [comparison.value.text]
      : [],
  );
  return wanted.length === 2 && wanted[0] !== wanted[1] && !wanted.some((text) => text.includes('{{'));
}

function readWebhook(reader: TextReader): Expectation {
  const start = reader.offset;
  const withinMs = readWithin(reader, 'within');
  if (withinMs === 0)
    reader.fail("Nothing comes within no time: write 'webhook within 10s'.", start, reader.offset);
  let count: Comparison | null = null;
  const conditions: WebhookCondition[] = [];
  const add = (clause: WebhookCondition | { count: Comparison }, start: number, end: number): void => {
    if (!('count' in clause)) {
      if (conditions.some((other) => excludes(other, clause)))
        reader.fail("No webhook has two statuses: write 'status in A,B'.", start, end);
      conditions.push(clause);
      return;
    }
    if (count !== null)
      reader.fail(
        "One count is judged: write the other on a '# @expect webhook' line of its own.",
        start,
        end,
      );
    count = clause.count;
  };
  while (!reader.isAtEnd()) {
    if (reader.peek().startsWith('[')) {
      const start = reader.offset;
      // Up to the bracket that ends the line or stands before the next part: a value may hold brackets.
      const found = /^\[(.*?)\](?=\s*$|\s+(?:\[|(?:count|status|body)\s))/.exec(reader.rest());
      if (found === null) reader.fail("This '[' is never closed.", start, start + 1);
      const clause = readPart(found[1] ?? '', start + 1, (part) => readClause(part, true));
      add(clause, start, start + found[0].length);
      reader.move(found[0].length);
    } else {
      const start = reader.offset;
      add(readClause(reader, false), start, reader.offset);
    }
  }
  return { kind: 'webhook', withinMs, count, conditions };
}

/** Reads a part of a line; its faults stand where they are in the line. */
function readPart<T>(text: string, offset: number, read: (reader: TextReader) => T): T {
  try {
    const reader = new TextReader(text);
    const found = read(reader);
    reader.requireEnd();
    return found;
  } catch (error) {
    if (!(error instanceof LineFault)) throw error;
    const { message, start, end } = error.fault;
    throw new LineFault({ message, start: start + offset, end: end + offset });
  }
}

function readNo(reader: TextReader): Expectation {
  if (!reader.skip('webhook')) reader.fail("Write 'no webhook for 5s'.");
  return { kind: 'no_webhook', forMs: readWithin(reader, 'for') };
}

function readState(reader: TextReader): Expectation {
  const withinMs = readWithin(reader, 'within');
  let at = reader.offset + (/^(?:not\s+)?(?:[<>=!]+|\w+)\s*/.exec(reader.rest())?.[0].length ?? 0);
  const comparison = readComparison(reader);
  if (!['==', '!=', 'in'].includes(comparison.operator)) return { kind: 'state', withinMs, comparison };
  for (const { text } of valuesOf(comparison)) {
    // Not found where it is written with escapes.
    at = Math.max(at, reader.text.indexOf(text, at));
    if (!text.includes('{{') && !paymentStates.some((state) => state === text)) {
      const names = paymentStates.join(', ');
      reader.fail(`There is no state '${text.slice(0, 30)}': use ${names}.`, at, at + text.length);
    }
    at += text.length;
  }
  return { kind: 'state', withinMs, comparison };
}

function readBalance(reader: TextReader): Expectation {
  if (!reader.skip('changes') || !reader.skip('by')) {
    reader.fail("Write 'balance changes by -1515 within 10s'.");
  }
  const start = reader.offset;
  const word = reader.take('An amount');
  const change = word.replace(/^\+/, '');
  if (!change.includes('{{') && parseDecimal(change) === null) {
    reader.fail(`'${word.slice(0, 40)}' is no amount: write -1515 or 20.50.`, start, start + word.length);
  }
  return { kind: 'balance', change, withinMs: readWithin(reader, 'within') };
}

function readSame(reader: TextReader): Expectation {
  if (!reader.skip('as') || !reader.skip('example')) reader.fail("Write 'same as example NAME'.");
  const start = reader.offset;
  const given = reader.move(reader.rest().length);
  const quoted = /^"[^"]*"(?=$|\s+ignoring(?:\s|$))/.exec(given)?.[0] ?? '';
  const mark = /(?:(?<!\s)\s+|^)ignoring(?:\s+|$)/.exec(given.slice(quoted.length));
  const end = quoted.length + (mark?.index ?? given.length);
  const name = given.slice(0, end);
  const example = name.replace(/^"(.*)"$/, '$1').trim();
  if (example === '') {
    const advice = mark === null ? '' : ' One that begins with this word is written in quotes.';
    reader.fail(`The name of the example is missing.${advice}`, start);
  }
  const paths = mark === null ? [] : splitList(given.slice(end + mark[0].length)).filter(Boolean);
  if (mark !== null && paths.length === 0)
    reader.fail(
      "Say what is ignored: 'ignoring request_id, data.id'.",
      start + given.indexOf('ignoring', end),
    );
  const ignoring = paths.map((typed) => {
    const path = readJsonPath(typed);
    return path ?? reader.fail(`'${typed.slice(0, 60)}' is no path.`, start + name.length);
  });
  return { kind: 'same', example, ignoring };
}

/** Every form by its first word: how it is read, and how it is written. The editor completes from the same table. */
export const expectationForms: Readonly<
  Record<string, { readonly read: (reader: TextReader) => Expectation; readonly forms: readonly string[] }>
> = {
  status: { read: readStatus, forms: ['status 201', 'status in 200,201'] },
  header: { read: readHeader, forms: ['header Content-Type contains json'] },
  body: {
    read: readBody,
    forms: ['body status == 200.100', 'body data.payment_uuid exists', 'body data.payment_uuid is string'],
  },
  time: { read: readTime, forms: ['time < 500ms'] },
  schema: { read: readSchema, forms: Object.keys(operations).map((name) => `schema ${name}`) },
  signature: { read: readSignature, forms: ['signature valid'] },
  webhook: {
    read: readWebhook,
    forms: ['webhook within 10s', 'webhook within 10s status == SUCCESS', 'webhook within 10s count == 1'],
  },
  no: { read: readNo, forms: ['no webhook for 5s'] },
  state: { read: readState, forms: ['state within 30s == succeeded'] },
  balance: { read: readBalance, forms: ['balance changes by -1515 within 10s'] },
  same: { read: readSame, forms: ['same as example NAME', 'same as example NAME ignoring request_id'] },
};

/**
 * Reads what stands behind `# @expect`.
 *
 * @param text - one line, blanks around it apart; `{{variables}}` are left as they are
 * @returns the expectation, or what is wrong with the line and where
 */
export function readExpectation(text: string): { expectation: Expectation } | { fault: ExpectationFault } {
  const reader = new TextReader(text);
  try {
    const word = reader.take('What is expected');
    if (!Object.hasOwn(expectationForms, word)) {
      const names = Object.keys(expectationForms).join(', ');
      reader.fail(`There is no expectation '${word.slice(0, 30)}': begin with ${names}.`, 0, word.length);
    }
    const expectation = expectationForms[word]!.read(reader);
    reader.requireEnd();
    return { expectation };
  } catch (error) {
    if (error instanceof LineFault) return { fault: error.fault };
    throw error;
  }
}
