import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../../../test/support/processor-time';
import { cutPieces } from './cut-pieces';
import { diffStrings } from '../../ui/diff-strings';
import { joinWords, readBody } from './lab-selectors';
import { emptyInputs, isEmpty } from './lab-state';
import { showInvisibles } from './visible-text';

const drawn = (parts: { text: string; isDifferent: boolean }[]): string =>
  parts.map((part) => (part.isDifferent ? `<${part.text}>` : part.text)).join('');

describe('diffStrings', () => {
  it('marks what was put in', () => {
    const { expected, actual } = diffStrings('INV-11500KEMPESA', 'INV-1|1500|KEN|MPESA');
    expect(drawn(expected)).toBe('INV-11500KEMPESA');
    expect(drawn(actual)).toBe('INV-1<|>1500<|>KE<N|>MPESA');
  });

  it('marks what is missing, and equal strings not at all', () => {
    expect(drawn(diffStrings('abc', 'ac').expected)).toBe('a<b>c');
    expect(diffStrings('x', 'x').isEqual).toBe(true);
    expect(drawn(diffStrings('', 'x').actual)).toBe('<x>');
  });

  it('never cuts a character in two', () => {
    expect(drawn(diffStrings('a😀b', 'a😁b').actual)).toBe('a<😁>b');
  });

  it('marks the middle of long strings that have little in common as a whole, quickly', () => {
    const processorMs = countProcessorMs();
    const diff = diffStrings(`x${'ab'.repeat(100_000)}z`, `x${'cd'.repeat(100_000)}z`);
    expect(diff.actual.map(({ text, isDifferent }) => [text.length, isDifferent])).toEqual([
      [1, false],
      [200_000, true],
      [1, false],
    ]);
    expect(processorMs()).toBeLessThan(1000);
  });
});

describe('cutPieces', () => {
  it('gives each piece one hue and one mark', () => {
    const spans = [
      { field: 'reference', start: 0, end: 2 },
      { field: 'amount', start: 2, end: 4 },
    ] as const;
    const parts = [
      { text: 'abc', isDifferent: false },
      { text: 'd', isDifferent: true },
    ];
    expect(cutPieces(parts, spans)).toEqual([
      { text: 'ab', isDifferent: false, field: 'reference' },
      { text: 'c', isDifferent: false, field: 'amount' },
      { text: 'd', isDifferent: true, field: 'amount' },
    ]);
    expect(cutPieces(parts, [])).toHaveLength(2);
  });
});

describe('showInvisibles', () => {
  it('gives what cannot be seen a symbol and a name', () => {
    expect(showInvisibles('a\u200b \r\n')).toEqual([
      { text: 'a', name: null },
      { text: '[ZWSP]', name: 'zero width space' },
      { text: '␣', name: 'space' },
      { text: '␍', name: 'carriage return' },
      { text: '↵', name: 'line feed' },
    ]);
    expect(showInvisibles('\u0001')[0]?.name).toBe('U+0001');
    expect(showInvisibles('\ud800')[0]?.text).toBe('[U+D800]');
  });

  it('leaves ordinary text whole, emoji and Arabic included', () => {
    expect(showInvisibles('مرحبا😀')).toEqual([{ text: 'مرحبا😀', name: null }]);
  });
});

describe('readBody', () => {
  const body =
    '{"transaction":{"reference":"R","amount":10,"service_code":"S"},"originator":{"country":"KE"}}';

  it('reads the string to sign with its places in the body', () => {
    const reading = readBody(body);
    expect(reading).toMatchObject({ kind: 'read', string: { text: 'R10KES' } });
  });

  it('says why there is none', () => {
    expect(readBody('')).toBeNull();
    expect(readBody('{')).toMatchObject({ kind: 'refused', code: 'signing.not_json' });
    expect(readBody('{}')).toMatchObject({ kind: 'refused', code: 'signing.field_missing' });
  });

  it('joins words as people do', () => {
    expect(joinWords(['a', 'b', 'c'])).toBe('a, b and c');
  });
});

it('has something to clear as soon as one input is filled in, whichever', () => {
  expect(isEmpty(emptyInputs)).toBe(true);
  for (const name of ['body', 'signature', 'publicKeyPem', 'claimedString'])
    expect(isEmpty({ ...emptyInputs, [name]: 'x' })).toBe(false);
});
