import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutJson, tokenizeDrawnLine, tokenizeJsonLine } from './json-tokens';

describe('tokenizeJsonLine', () => {
  it('tells keys, texts, numbers and words apart', () => {
    const line = '  "amount": 1500.00, "ok": true, "note": "a \\" b"';
    const kinds = tokenizeJsonLine(line)
      .filter((token) => line.slice(token.start, token.end).trim() && token.kind !== 'mark')
      .map((token) => [token.kind, line.slice(token.start, token.end)]);
    expect(kinds).toEqual([
      ['key', '"amount"'],
      ['number', '1500.00'],
      ['key', '"ok"'],
      ['word', 'true'],
      ['key', '"note"'],
      ['string', '"a \\" b"'],
    ]);
  });

  it('covers every character of any line exactly once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = text.replaceAll(/[\n\r\u2028\u2029]/g, '');
        expect(
          tokenizeJsonLine(line)
            .map((token) => line.slice(token.start, token.end))
            .join(''),
        ).toBe(line);
      }),
    );
  });

  it('cuts of a line of a megabyte what an editor draws of it, and leaves the rest whole', () => {
    const line = `[${'1,'.repeat(500_000)}1]`;
    const tokens = tokenizeDrawnLine(line);
    expect(tokens.length).toBeLessThan(10_010);
    expect(tokens.at(-1)).toEqual({ kind: 'plain', start: 10_000, end: line.length });
    expect(tokens.slice(0, 3)).toEqual(tokenizeJsonLine(line.slice(0, 3)));
    expect(tokenizeDrawnLine('{"a":1}')).toEqual(tokenizeJsonLine('{"a":1}'));
  });
});

describe('layOutJson', () => {
  it('keeps every literal as written', () => {
    expect(layOutJson('{"a":1500.00,"b":[1e3,{}],"c":"x, {y}: z"}')).toBe(
      '{\n  "a": 1500.00,\n  "b": [\n    1e3,\n    {}\n  ],\n  "c": "x, {y}: z"\n}',
    );
  });

  it('leaves text with line breaks and text that is not JSON alone', () => {
    expect(layOutJson('{\n"a":1}')).toBe('{\n"a":1}');
    expect(layOutJson('{"a":{\n    "b": 1\n  }}')).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
    expect(layOutJson('<html>')).toBe('<html>');
  });

  it('gives the same values for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(layOutJson(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('laying out a hostile text', () => {
  it('leaves nesting as it is where indents would outgrow the memory', () => {
    for (const text of ['{"a":'.repeat(100_000), `${'['.repeat(500)}${'1,'.repeat(500_000)}`]) {
      expect(layOutJson(text)).toBe(text);
    }
  });
});
