import { describe, expect, it } from 'vitest';
import { ACCEPTED, isAccepted, isParsed, REJECTED, scan } from './testing/scan';

describe('scanJson', () => {
  it.each(ACCEPTED)('accepts %j, as JSON.parse does', (text) => {
    expect(isParsed(text)).toBe(true);
    expect(isAccepted(text)).toBe(true);
  });

  it.each(REJECTED)('rejects %j, as JSON.parse does', (text) => {
    expect(isParsed(text)).toBe(false);
    expect(isAccepted(text)).toBe(false);
  });

  it('names line, column and offset of a fault, in UTF-16 units', () => {
    const text = '{\n  "é😀": [1, x]\n}';
    expect(() => scan(text)).toThrow(
      expect.objectContaining({
        code: 'signing.not_json',
        details: { line: 2, column: 14, offset: text.indexOf('x') },
        message: "The body is not JSON: line 2, column 14: 'x' stands here, expected a value.",
      }),
    );
  });

  it.each([
    ['{\n  "a": 1,\n}', 2, 9, "',' stands here, expected '}'"],
    ['[1, ]', 1, 3, "',' stands here, expected ']'"],
    ['{"a": [1, 2, }', 1, 14, "'}' stands here, expected a value"],
    ['{"a": 1, ]', 1, 10, "']' stands here, expected a key in double quotes"],
    ['{\n  "a": "x"\n  "b": 2\n}', 2, 11, 'a comma is missing'],
    ['[1 2]', 1, 3, 'a comma is missing'],
    ['{"a": 1 b}', 1, 9, "'b' stands here, expected ',' or '}'"],
    ['[,1]', 1, 2, "',' stands here, expected a value"],
    ['[1500n]', 1, 6, "'n' stands here, expected ',' or ']'"],
  ])('names the comma of %j where it is to be mended', (text, line, column, said) => {
    const message = `The body is not JSON: line ${line}, column ${column}: ${said}.`;
    expect(() => scan(text)).toThrow(expect.objectContaining({ message }));
  });

  it('says that a variable has no value where one is left over', () => {
    expect(() => scan('{"a": {{amount}} }')).toThrow(/\{\{amount\}\} has no value/);
  });

  it('nests to any depth', () => {
    const depth = 500_000;
    expect(isAccepted('['.repeat(depth) + ']'.repeat(depth))).toBe(true);
    expect(isAccepted('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))).toBe(true);
    expect(isAccepted('['.repeat(depth))).toBe(false);
    expect(isAccepted('['.repeat(300) + '}'.repeat(300))).toBe(false);
  });

  it('takes texts longer than any buffer that it keeps, beyond ASCII too', () => {
    for (const character of ['a', 'é', '€', '😀', '\ud800']) {
      const text = `["${character.repeat(100_000)}",1]`;
      expect(scan(text)[1]?.value).toBe(character.repeat(100_000));
      expect(scan(text)[2]?.text).toBe('1');
    }
  });

  it('tells no level deeper than was asked for', () => {
    expect(scan('{"a":{"b":[1,{"c":2}]},"d":3}', 1).map(({ text }) => text)).toEqual([
      '',
      'a',
      '',
      '',
      'd',
      '3',
      '',
    ]);
  });
});
