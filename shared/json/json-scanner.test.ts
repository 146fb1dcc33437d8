import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors';
import { decodeJsonString, scanJson } from './json-scanner';
import { JSON_NUMBER, JSON_STRING } from './json-sink';

interface Token {
  kind: number;
  text: string;
  value: string;
}

function scan(text: string, levels = 1000): Token[] {
  const tokens: Token[] = [];
  scanJson(text, {
    levels,
    key: (start, end, hasEscape) =>
      tokens.push({
        kind: 0,
        text: text.slice(start, end),
        value: decodeJsonString(text, start, end, hasEscape),
      }),
    scalar: (kind, start, end, hasEscape) =>
      tokens.push({
        kind,
        text: text.slice(start, end),
        value: kind === JSON_STRING ? decodeJsonString(text, start, end, hasEscape) : text.slice(start, end),
      }),
    open: (kind) => tokens.push({ kind, text: '', value: '' }),
    close: () => tokens.push({ kind: -1, text: '', value: '' }),
  });
  return tokens;
}

function isAccepted(text: string): boolean {
  try {
    scan(text);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'signing.not_json') return false;
    throw error;
  }
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const ACCEPTED = [
  'null', 'true', 'false', '0', '-0', '1', '-1', '10', '0.5', '1e3', '1E+3', '1e-3', '-0.0e-0', '1.0e00',
  '123456789012345678901234567890', '""', '"a"', '"\\""', '"\\\\"', '"\\/"', '"\\b\\f\\n\\r\\t"', '"\\u0000"',
  '"\\ud83d\\ude00"', '"\\ud800"', '"\u007f"', '"\u2028\u2029"', '"é€😀"', '"\ud800"', '[]', '[ ]', '{}', '{ }',
  '[1]', '[1,2]', '[[[]]]', '{"a":1}', '{"":0}', '{"a":1,"a":2}', '{"a":{"b":[{}]}}', ' \t\r\n[ \t\r\n1 , 2 ] \n',
]; // prettier-ignore

const REJECTED = [
  '', ' ', '\n', 'nul', 'nulll', 'True', 'NaN', 'Infinity', '-', '+1', '01', '-01', '1.', '.5', '1e', '1e+', '0x1', '1_0',
  '--1', '1 2', '"', '"a', '"\\"', '"\\x"', '"\\u12"', '"\\u12G4"', '"\n"', '"\t"', '"\u0000"', '"\u001f"', "'a'", 'a',
  '[', ']', '[1', '[1,', '[,]', '[1,]', '[1 2]', '{', '}', '{"a"}', '{"a":}', '{"a":1,}', '{a:1}', '{1:1}', '{"a" 1}',
  '{"a":1 "b":2}', '{,}', '[}', '{]', '[1}', '{"a":1]', '//c\n1', '/*c*/1', '1//c', '\ufeff1', '1\ufeff', '\u00a01',
  '1\u00a0', '\u20281', '\v1', '\f1', '\u00001', '1\u0000', '[1]]', '{}{}', '"a""b"', 'nullnull', '[true,fals]', '\\u0031',
  '"\ud83d', '{"é":"', '["é", "😀" 1]', '{{x}}', '{"a":{{x}}}',
]; // prettier-ignore

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

  it('gives literals as slices and decodes strings as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const tokens = scan(text);
        const values: unknown[] = [];
        JSON.parse(text, (_key, value: unknown) => {
          if (typeof value === 'string') values.push(value);
          else if (typeof value === 'number') values.push(value);
          return value;
        });
        // A reviver sees own keys in its own order, and the last of equal ones; as multisets they agree.
        const scanned = tokens
          .filter(({ kind }) => kind === JSON_STRING || kind === JSON_NUMBER)
          .map(({ kind, value }) => (kind === JSON_STRING ? value : Number(value)));
        for (const value of values) expect(scanned).toContain(value);
      }),
      { numRuns: 2000 },
    );
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

describe('scanJson against JSON.parse', () => {
  const seeds = [
    '{"transaction":{"reference":"INV-1","amount":1500.00},"originator":{"country":"KE"},"meta":[1,-2e3,null,true,"\\u00e9 é😀"]}',
    ...ACCEPTED,
    ...REJECTED,
  ];
  const alphabet = '{}[]:,"\\/ \t\r\n0123456789+-.eEtrufalsn\u0000\u001f\u007f\u00a0\ufeffé€\ud83d\ude00bx';

  it('agrees on 100,000 mutated texts, and its literals are slices of the input', () => {
    // A small linear generator: the same texts on every run.
    let state = 12345;
    const next = (limit: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    for (let run = 0; run < 100_000; run += 1) {
      let text = seeds[next(seeds.length)]!;
      for (let edits = next(4); edits >= 0; edits -= 1) {
        const at = next(text.length + 1);
        const piece = alphabet[next(alphabet.length)]!;
        text = text.slice(0, at) + (next(3) === 0 ? '' : piece) + text.slice(at + next(2));
      }
      const isGood = isParsed(text);
      if (isAccepted(text) !== isGood) expect.fail(`disagrees on ${JSON.stringify(text)}`);
      if (!isGood) continue;
      for (const token of scan(text)) {
        if (token.kind === JSON_NUMBER && !Object.is(Number(token.text), JSON.parse(token.text))) {
          expect.fail(`wrong literal ${token.text} in ${JSON.stringify(text)}`);
        }
        if (token.kind === JSON_STRING && JSON.parse(`"${token.text}"`) !== token.value) {
          expect.fail(`wrong string in ${JSON.stringify(text)}`);
        }
      }
    }
  }, 120_000);
});
