import { describe, expect, it } from 'vitest';
import type { AppError } from '../../errors';
import type { Filter } from './filter-fields';
import { MAX_FILTER_LENGTH, parseFilter } from './parse-filter';

/** A filter with all its brackets. */
function write(filter: Filter): string {
  switch (filter.is) {
    case 'word':
      return filter.word;
    case 'not':
      return `not(${write(filter.inner)})`;
    case 'and':
    case 'or':
      return `(${write(filter.left)} ${filter.is} ${write(filter.right)})`;
    case 'condition': {
      const { target, operator, value, isQuoted } = filter;
      const name = target.of === 'body' ? `body[${target.path.join('|')}]` : target.name;
      return `${name} ${operator} ${isQuoted ? JSON.stringify(value) : value}`;
    }
  }
}

function refuse(text: string): { message: string; details: unknown } {
  try {
    parseFilter(text);
  } catch (error) {
    const { code, message, details } = error as AppError;
    expect(code).toBe('inbox.bad_filter');
    return { message, details };
  }
  throw new Error(`'${text}' was read`);
}

describe('a filter', () => {
  it.each([
    ['', 'all'],
    ['  all ', 'all'],
    ['unread', 'unread'],
    ['failed', 'failed'],
    ['status == FAILED', 'status == FAILED'],
    ['status==FAILED', 'status == FAILED'],
    ['body.amount>=2000', 'body[amount] >= 2000'],
    ['body./a~1b == x', 'body[a/b] == x'],
    ['body./a~01/0 == x', 'body[a~1|0] == x'],
    ['body.a.b.0 != ""', 'body[a|b|0] != ""'],
    ['body."a b"."c.d" == 1', 'body[a b|c.d] == 1'],
    ['header.X-Trace contains abc', 'x-trace contains abc'],
    ['path == /hooks?a=b', 'path == /hooks?a=b'],
    [String.raw`reference == "a \"b\" \\ c"`, String.raw`reference == "a \"b\" \\ c"`],
    ["status == 'and'", 'status == "and"'],
    ['status == and', 'status == and'],
    ['not unread and failed or all', '((not(unread) and failed) or all)'],
    ['not (unread or failed)', 'not((unread or failed))'],
    ['(unread)and(failed)', '(unread and failed)'],
    ['NOT unread AND failed', '(not(unread) and failed)'],
    ['not not unread', 'not(not(unread))'],
    ['age <= 10m', 'age <= 10m'],
    ['received_at >= 2026-03-01T12:00:00Z', 'received_at >= 2026-03-01T12:00:00Z'],
  ])('%s', (text, expected) => expect(write(parseFilter(text))).toBe(expected));
});

describe('a filter that cannot be read is said in one sentence, with its place:', () => {
  it.each([
    ['status = FAILED', 8, "'=' alone says nothing"],
    ['status == ', 11, 'a value is missing after =='],
    ['status', 7, 'the text ends where one of'],
    ['stat == X', 1, "there is no field 'stat'"],
    ['status == A unread', 13, "'unread' stands where 'and', 'or' or the end is expected"],
    ['(status == A', 1, "this '(' is never closed"],
    ['(unread failed)', 9, "'failed' stands where 'and', 'or' or ')' is expected"],
    ['status == "A', 11, 'this quote is never closed'],
    ['unread and', 11, 'the text ends where a field'],
    ['not', 4, 'the text ends where a field'],
    [')', 1, "')' stands where a field"],
    ['body == 1', 1, "'body' needs a dot and a name"],
    ['body. == 1', 6, "a name is expected after 'body.'"],
    ['body./a~2 == 1', 8, "0 or 1 behind the '~'"],
    ['meta.a == 1', 1, "'meta.' is not known"],
    ['verdict == invlid', 12, "'invlid' is none of valid, invalid"],
    ['body.amount > many', 15, "'many' is no number"],
    ['age < soon', 7, "'soon' is no span of time"],
    ['received_at < now', 15, "'now' is no moment"],
    ['received_at contains 2026', 22, "'contains' looks into text"],
  ])('%s', (text, character, what) => {
    const { message, details } = refuse(text);
    expect(message).toContain(`at character ${character}: `);
    expect(message).toContain(what);
    expect(message).toMatch(/^The filter .*\.$/);
    expect(details).toMatchObject({ offset: character - 1 });
  });

  it('one that is too long', () => {
    expect(refuse(`status == ${'x'.repeat(MAX_FILTER_LENGTH)}`).message).toContain('longer than 2000');
  });

  it.each([['('.repeat(500)], ['not '.repeat(400)], [`${'('.repeat(33)}all${')'.repeat(33)}`]])(
    'one that nests too deep: %.20s',
    (text) => expect(refuse(text).message).toContain('more than 32 brackets'),
  );

  it('and 32 levels are read', () => {
    expect(write(parseFilter(`${'('.repeat(32)}all${')'.repeat(32)}`))).toBe('all');
  });
});
