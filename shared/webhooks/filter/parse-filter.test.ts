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
    ['verdict contains val', 'verdict contains val'],
    ['body."a\\"b\\\\c" == 1', 'body[a"b\\c] == 1'],
    ['header."x-a b" == 1', 'x-a b == 1'],
    ['body.a[99999].k == 1', 'body[a|99999|k] == 1'],
    ['body.a[0][12]."b[1]"[2] == 1', 'body[a|0|12|b[1]|2] == 1'],
    ['body./a[0] == 1', 'body[a[0]] == 1'],
    ['status contains"x"', 'status contains "x"'],
    ['reference == "or" or (unread) or(failed)', '((reference == "or" or unread) or failed)'],
    ['(unread) and (failed) and (all)', '((unread and failed) and all)'],
    ['\tunread\n', 'unread'],
    ['body./ == 1', 'body[] == 1'],
    ['path == /ü/%c3?a=ä', 'path == /%C3%BC/%c3?a=%C3%A4'],
    ["path contains 'بح ث'", 'path contains "%D8%A8%D8%AD%20%D8%AB"'],
    ['method == put and note == ü', '(method == PUT and note == ü)'],
    ['amount == "2,00"', 'amount == "2,00"'],
    ['http_status contains 2x', 'http_status contains 2x'],
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
    ['body.a[x].k == 1', 7, 'a place such as [0], or the whole name in double quotes'],
    ['body.a[*] == 1', 7, 'a place such as [0]'],
    ['body.a[01] == 1', 7, 'a place such as [0]'],
    ['body.a[0 == 1', 7, 'a place such as [0]'],
    ['body.a]b == 1', 7, 'a place such as [0]'],
    ['header.x-a[0] == 1', 8, "'x-a[0]' is no name of a header"],
    ['body./a~2 == 1', 8, "0 or 1 behind the '~'"],
    ['meta.a == 1', 1, "'meta.' is not known"],
    ['verdict == invlid', 12, "'invlid' is none of valid, invalid"],
    ['body.amount > many', 15, "'many' is no number"],
    ['age < soon', 7, "'soon' is no span of time"],
    ['received_at < now', 15, "'now' is no moment"],
    ['received_at contains 2026', 22, "'contains' looks into text"],
    ['age contains 1', 14, "'contains' looks into text"],
    ['verdict > valid', 11, "'valid' is no number"],
    ['http_status == ok', 16, "'ok' is no number such as 200"],
    ['http_status != "2xx"', 16, "'2xx' is no number such as 200"],
    ['size == 1KiB', 9, "'1KiB' is no number such as 200"],
    ['amount == 2,00', 11, "'2,00' is no number such as 200"],
    ['size > many', 8, "'many' is no number"],
    ['body == 1', 1, 'such as body.amount'],
    ['header == 1', 1, 'such as header.x-trace'],
    ['sta == 1', 1, 'but status, reference, path'],
    ['sta == 1', 1, 'body.…, header.…'],
    ['status =!', 8, "'=' alone says nothing"],
    ['status !', 8, 'one of == != <= >= < > contains is expected'],
    ['status containsx', 8, "'containsx' stands here; one of"],
    ['unread == 1', 1, "there is no field 'unread'"],
    ['all.x == 1', 1, "'all.' is not known"],
    [`${'k'.repeat(41)} == 1`, 1, `there is no field '${'k'.repeat(40)}…'`],
    [`${'k'.repeat(40)} == 1`, 1, `there is no field '${'k'.repeat(40)}'`],
    ['header. == 1', 8, "a name is expected after 'header.'"],
    ['"a" == 1', 1, `'"a"' stands where a field`],
    ['unread )', 8, "')' stands where 'and', 'or' or the end is expected"],
    [String.raw`status == "a\"`, 11, 'this quote is never closed'],
  ])('%s', (text, character, what) => {
    const { message, details } = refuse(text);
    expect(message).toContain(`at character ${character}: `);
    expect(message).toContain(what);
    expect(message).toMatch(/^The filter .*\.$/);
    expect(details).toMatchObject({ offset: character - 1 });
  });

  it('with as many characters as are wrong', () => {
    expect(refuse('stat == X').details).toEqual({ offset: 0, length: 4 });
    expect(refuse('meta.a  == X').details).toEqual({ offset: 0, length: 6 });
    expect(refuse('age < soon').details).toEqual({ offset: 6, length: 4 });
    expect(refuse('unread failed').details).toEqual({ offset: 7, length: 6 });
    expect(refuse('status == ').details).toEqual({ offset: 10, length: 1 });
  });

  it('one that is too long', () => {
    expect(write(parseFilter(`status == ${'x'.repeat(MAX_FILTER_LENGTH - 10)}`))).toMatch(/^status == x+$/);
    expect(refuse(`status == ${'x'.repeat(MAX_FILTER_LENGTH)}`).message).toContain('longer than 2000');
  });

  it.each([['('.repeat(500)], ['not '.repeat(400)], [`${'('.repeat(33)}all${')'.repeat(33)}`]])(
    'one that nests too deep: %.20s',
    (text) => expect(refuse(text).message).toContain('more than 32 brackets'),
  );

  it('and 32 levels are read', () => {
    expect(write(parseFilter(Array.from({ length: 40 }, () => '(all)').join(' or ')))).toContain('or all)');
    expect(write(parseFilter(`${'('.repeat(32)}all${')'.repeat(32)}`))).toBe('all');
  });
});
