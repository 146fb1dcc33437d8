import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasActingLine, isDrawn, listBraces } from './script-braces';
import { countProcessorMs } from '../../test/support/processor-time';

describe('listBraces', () => {
  it('finds what the pattern of httpYac finds, in any text', () => {
    const part = fc.constantFrom('{', '{{', '}', '}}', ' ', '\n', '\r', 'a', '$', '\u2028', '\u00a0');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        const matches = [...text.matchAll(/\{\{\s*(.+?)\s*\}\}/gu)];
        const wanted = matches.map(({ 0: { length }, 1: inner = '', index }) => ({
          start: index,
          end: index + length,
          inner,
        }));
        expect(listBraces(text)).toEqual(wanted.filter(({ inner }) => inner.trim() !== ''));
      }),
      { numRuns: 5000 },
    );
  });

  it.each(['{{', '{{ ', '{{\n', '{{ a', '{', '{{a\n}}'])('walks a long run of %j once', (part) => {
    const processorMs = countProcessorMs();
    listBraces(part.repeat(300_000));
    listBraces(`${part.repeat(300_000)}}}`);
    expect(processorMs()).toBeLessThan(2000);
  });
});

describe('a line that httpYac acts on', () => {
  it.each([
    '# @name x',
    '#@name x',
    '###  @name x',
    '// @name x',
    '///@name x',
    '  ?? status == 200',
    '@a := b',
    '\t@abc:=b',
    '@a\t:= b',
    '{{ open',
    ' {{',
    'first\n  {{\nlast',
    'first\n# @name x',
  ])('is %j', (body) => expect(hasActingLine(body)).toBe(true));

  it.each([
    'x # @name x',
    '# name',
    '/ @name x',
    '# x @name',
    'a ?? b',
    '? ?',
    '@a = b',
    '@a b := c',
    '@ := c',
    'x@a := b',
    '{{a}}',
    '  {{a}} {{b}}',
    'x {{',
    '',
  ])('is not %j', (body) => expect(hasActingLine(body)).toBe(false));

  it('draws a value where it names one that is drawn', () => {
    expect(['$uuid', '$randomInt 1 5', '$isoTimestamp', '$random.email'].map(isDrawn)).toEqual(
      Array(4).fill(true),
    );
    expect(['uuid', '$uuid;x', '$nothing', '$randomInt 5 1'].map(isDrawn)).toEqual(Array(4).fill(false));
  });
});
