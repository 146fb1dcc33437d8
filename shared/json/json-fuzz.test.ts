import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JSON_NUMBER, JSON_STRING } from './json-sink';
import { ACCEPTED, isAccepted, isParsed, REJECTED, scan } from './testing/scan';
import { casesOf } from '../../test/support/effort';

describe('scanJson against JSON.parse', () => {
  const seeds = [
    '{"transaction":{"reference":"INV-1","amount":1500.00},"originator":{"country":"KE"},"meta":[1,-2e3,null,true,"\\u00e9 é😀"]}',
    ...ACCEPTED,
    ...REJECTED,
  ];
  const alphabet = '{}[]:,"\\/ \t\r\n0123456789+-.eEtrufalsn\u0000\u001f\u007f\u00a0\ufeffé€\ud83d\ude00bx';

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

  it('agrees on mutated texts, and its literals are slices of the input', () => {
    // A small linear generator: the same texts on every run.
    let state = 12345;
    const next = (limit: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    for (let run = 0; run < casesOf(20_000, 100_000); run += 1) {
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
