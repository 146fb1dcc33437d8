import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../../test/support/processor-time';
import { compilePattern, PatternFault } from './compile-pattern';

const texts = [
  '',
  'a',
  'aaaa',
  'abc',
  'ABC',
  'a.b',
  'foo bar',
  'x1y22',
  '2030-01-31',
  'line one\nline two',
  'naïve ✓ 😀',
  '550e8400-e29b-41d4-a716-446655440000',
  'a-b_c',
  ']',
];
const patterns: [source: string, flags: string][] = [
  ['', ''],
  ['a', ''],
  ['^a+$', ''],
  ['^a*?b', ''],
  ['^(?:a|b)c?', ''],
  ['[a-c]{2,3}', ''],
  ['^[^a-c]', ''],
  ['\\d{4}-\\d\\d-\\d\\d', ''],
  ['^\\w+\\s\\w+$', ''],
  ['\\bbar\\b', ''],
  ['o\\B', ''],
  ['^abc$', 'i'],
  ['^line two$', 'm'],
  ['one.line', 's'],
  ['one.line', ''],
  ['(?<year>\\d+)', ''],
  ['\\u{1F600}|\\x41', 'u'],
  ['^[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}$', ''],
  ['(a|aa)*$', ''],
  ['^(?:(?:x)|(?:\\d{0,2}y?))+$', ''],
  ['a\\.b|[\\]]', ''],
  ['^.$', 'u'],
  ['[-a]+', ''],
  ['x{0}y', ''],
];

describe('a pattern', () => {
  it.each(patterns)('/%s/%s finds what the engine finds', (source, flags) => {
    const native = new RegExp(source, flags);
    const own = compilePattern(source, flags);
    for (const text of texts) expect([text, own.test(text)]).toEqual([text, native.test(text)]);
  });

  it.each(['(a+)+$', '(a|a)*b', '(.*a){20}$', '([a-z]+)*#', '^(\\w+\\s?)*$'])(
    '/%s/ ends soon over a text that the engine would never end',
    (source) => {
      const processorMs = countProcessorMs();
      expect(compilePattern(source, '').test(`${'a'.repeat(30_000)}!`)).toBe(false);
      expect(processorMs()).toBeLessThan(3000);
    },
  );

  it('says that a text is too long for it', () => {
    expect(compilePattern('(?:a{0,100}){15}b', '').test('a'.repeat(200_000))).toBeNull();
  });

  it.each([
    ['(', 0, /never closed/],
    ['a)', 1, /closes nothing/],
    ['[a', 0, /never closed/],
    ['*a', 0, /Nothing to repeat/],
    ['a**', 2, /Nothing to repeat/],
    ['(?=a)', 0, /Look-around/],
    ['(a)\\1', 4, /Back references/],
    ['a{2,1}', 6, /smaller/],
    ['\\q', 1, /no '\\q'/],
    ['[z-a]', 4, /backwards/],
    ['(?:(?:a{900}){900})', 0, /repeats too much/],
    ['x'.repeat(501), 0, /at most 500/],
  ])('refuses %s', (source, offset, words) => {
    let fault: unknown;
    try {
      compilePattern(source, '');
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(PatternFault);
    expect((fault as PatternFault).message).toMatch(words);
    expect((fault as PatternFault).offset).toBe(offset);
  });
});
