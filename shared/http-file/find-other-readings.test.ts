import { describe, expect, it } from 'vitest';
import { findOtherReadings } from './find-other-readings';
import { parseHttpFile } from './parse-http-file';

const find = (text: string) =>
  findOtherReadings(parseHttpFile(text)).map(({ line, message }) => [line, message]);
const inBody = (line: string) => find(`POST http://h\nContent-Type: text/plain\n\nfirst\n${line}\nlast\n`);

describe('findOtherReadings', () => {
  it.each([
    '# a',
    '  // a',
    '@a = b',
    '{{',
    '{{ open',
    '> quoted',
    'a ===',
    'a === wait-for-server ',
    '@abc=b',
    '@abc  := b',
    '?? status',
    '\t?? status',
    '  > quoted',
    '  {{ open',
    'DELETE\t http://h/b',
    '=== wait-for-server',
    'GET http://h/b',
  ])('warns of the body line “%s”', (line) => {
    expect(inBody(line)).toEqual([
      [5, expect.stringMatching(/^This line (?:begins (?:with|like)|ends in) /)],
    ]);
  });

  it.each(['x {{a(1)}}', '{"a":"{{$=evil()}}"}', '{{process.env.HOME}}', '{{$uuid;evil()}}'])(
    'warns of what httpYac would run in the body line “%s”',
    (line) => expect(inBody(line)).toEqual([[5, expect.stringMatching(/runs it as JavaScript/)]]),
  );

  it.each([
    ['a=1\n&b=x y', 4],
    ['a=é', 3],
    ['a=1 &\n  b={{ v }}&c=%20+x', null],
    ['a=1\n< ./a b.txt', null],
    ['a=x y', null, 'text/plain'],
  ])(
    'warns of what httpYac would encode in the form %j',
    (body, line, type = 'application/x-www-form-urlencoded') => {
      const expected = line === null ? [] : [[line + 1, expect.stringMatching(/httpYac encodes them/)]];
      expect(find(`POST http://h\nContent-Type: ${type}\n\n${body}\n`)).toEqual(expected);
    },
  );

  it('warns of what httpYac would run in an address or a header', () => {
    expect(find('GET http://h/{{a(1)}}\n')).toEqual([[1, expect.stringMatching(/JavaScript/)]]);
    expect(find('GET http://h/\nX-A: {{a=1}}\n')).toEqual([[1, expect.stringMatching(/JavaScript/)]]);
    const fine =
      'GET http://h/{{%a}}/{{user-id}}/{{vault.a.b}}\nX-A: {{$uuid}} {{$randomInt 1 5}} {{my name}}\n';
    expect(find(fine)).toEqual([]);
  });

  it.each([
    'a # b',
    'http://x',
    'mail@x = y',
    'a ?? b',
    '{{value}}',
    '{{a}} and {{b}}',
    'a > b',
    '=== a',
    'a ==',
    'x # a',
    'x// a',
    'x@a = b',
    'x {{ open',
    'x> a',
    'x GET http://h/b',
    'GETS http://h/b',
    '@alone',
    'GET',
  ])('says nothing of the body line “%s”', (line) => {
    expect(inBody(line)).toEqual([]);
  });

  it('warns of methods that are not in capitals, URLs over lines, and CR and LF in bodies', () => {
    expect(find('Post http://h\n')).toEqual([[1, expect.stringContaining('capitals')]]);
    expect(find('\nGET http://h\n  ?a=1\n')).toEqual([[2, expect.stringContaining('one line')]]);
    expect(find('POST http://h\r\n\r\na\r\nb\r\n')).toEqual([[1, expect.stringContaining('CR and LF')]]);
    // Of what goes out without its line ends, no line end is told.
    const form = 'POST http://h\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\na=1\r\n&b=2\r\n';
    expect(find(form)).toEqual([]);
    expect(find('http://h\n')).toEqual([]);
    expect(find('POST http://h\r\n\r\na\r\n###\r\nGET http://h\r\n')).toEqual([]);
  });
});
