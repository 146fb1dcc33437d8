import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../../test/support/processor-time';
import { compileIRegexp, compilePattern, PatternFault, type SafePattern } from './compile-pattern';

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
  ['^(?:a|b|c){2}$', ''],
  ['^(?:)$', ''],
  ['^(?:|b)$', ''],
  ['^a{2,}$', ''],
  ['^a{3,4}$', ''],
  ['^a{0}$', ''],
  ['^a??a$', ''],
  ['a{,2}|a{', ''],
  ['^[^]$', ''],
  ['[]|é', ''],
  ['^\\D+$', ''],
  ['^\\W$', ''],
  ['^\\S+$', ''],
  ['[\\w-c]$', ''],
  ['[a-]$', ''],
  ['^[\\]\\-]', ''],
  ['[\\b]', ''],
  ['^\\n$|^\\r$|^\\t$|^\\v$|^\\f$|^\\0$', ''],
  ['^\\u0041|^\\x62', ''],
  ['\\/', ''],
  ['^.$', ''],
  ['^.$', 's'],
  ['^$', 'm'],
  ['^b', ''],
  ['^b', 'm'],
  ['a$', ''],
  ['a$', 'm'],
  ['\\B', ''],
  ['^\\w$', 'i'],
  ['^[^a-c]+$', 'i'],
  ['^[A-C]', 'i'],
  ['^a', 'i'],
  ['^é$', 'i'],
  ['^[à-ÿ]$', 'i'],
  ['^ß$', 'i'],
  ['^[ſK]$', 'i'],
  ['^s$|^k$|^S$|^i$', 'i'],
  ['^\\p{Lu}$', 'u'],
  ['^\\P{Lu}$', 'u'],
  ['^\\p{L}+$', 'u'],
  ['^\\p{Nd}+$', 'u'],
  ['^[^\\p{L}]$', 'u'],
  ['^\\u{1f600}$', 'u'],
  ['(?<$year>a)', ''],
];
/** Characters by themselves: letters of one, two and three cases, ends of lines, controls, what classes begin and end with. */
const characters = [
  ...'azAZkKsSiI09_`{@[/:-éÉßẞſKİıﬁ/😀𐐀𐐨',
  '\n',
  '\r',
  '\u2028',
  '\u2029',
  '\t',
  '\v',
  '\f',
  '\b',
  '\0',
  '\u00a0',
];
const pairs = [
  'a\nb',
  'a\rb',
  'a\u2028b',
  'a\u2029b',
  'a ',
  ' a',
  '\n\n',
  'aa',
  'aaa',
  'aaaaa',
  'ab',
  'ba',
  'a😀',
  'a{',
  'a{,2}',
  'É!',
  'Bc',
];

/** Without `u` the engine takes a character above U+FFFF for two, and a pattern here for one. */
const isOfUnits = (source: string, flags: string): boolean =>
  !flags.includes('u') && /^\^(?:\.|\[\^.*\]|\\W)\$$/.test(source);

const refusalOf = (make: () => SafePattern): unknown => {
  try {
    return make().test('');
  } catch (error) {
    return error;
  }
};

describe('a pattern', () => {
  it.each(patterns)('/%s/%s finds what the engine finds', (source, flags) => {
    const native = new RegExp(source, flags);
    const own = compilePattern(source, flags);
    const judged = (pattern: RegExp | SafePattern) =>
      [...texts, ...pairs, ...(isOfUnits(source, flags) ? [] : characters)].map((text) => [
        text,
        pattern.test(text),
      ]);
    expect(judged(own)).toEqual(judged(native));
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
    ['ab(?!a)', 2, /Look-around/],
    ['(?<=a)', 0, /Look-around/],
    ['(?<!a)b', 0, /Look-around/],
    ['(?i)abc', 0, /no such group/],
    ['a(?<1>b)', 1, /no such group/],
    ['{2}', 0, /Nothing to repeat/],
    ['a|+', 2, /Nothing to repeat/],
    ['a{2}{3}', 4, /Nothing to repeat/],
    ['^*', 2, /A place cannot be repeated/],
    ['\\b{2}', 5, /A place cannot be repeated/],
    ['a{1001}', 7, /counts to 1000/],
    ['a{1,1001}', 9, /counts to 1000/],
    ['a{1234567}', 10, /counts to 1000/],
    [`a{${'9'.repeat(30)},}`, 34, /counts to 1000/],
    ['a\\', 1, /at the end stands for nothing/],
    ['\\k<a>', 1, /Back references/],
    ['\\xg1', 1, /no '\\x'/],
    ['\\u{110000}', 10, /no such character/],
    ['\\p{Latin}', 0, /category/],
    ['\\pL', 0, /category/],
    ['\\p{Lx}', 0, /category/],
    ['[a-\\d]', 5, /ends with a character/],
    ['[a\\]', 0, /never closed/],
    ['[^', 0, /never closed/],
    ['a(b(c)', 1, /never closed/],
    [`${'('.repeat(51)}${')'.repeat(51)}`, 50, /nested too deeply/],
    ['(?:a{1000}){4}b', 0, /repeats too much/],
    ['[a-c]{1000}'.repeat(4) + '$', 0, /repeats too much/],
    ['(?:a?){1000}|(?:a*){1000}', 0, /repeats too much/],
  ])('refuses %s', (source, offset, words) => {
    const fault = refusalOf(() => compilePattern(source, ''));
    expect(fault).toBeInstanceOf(PatternFault);
    expect((fault as PatternFault).message).toMatch(words);
    expect((fault as PatternFault).offset).toBe(offset);
  });

  it.each([
    '(?:a{1000}){4}',
    `${'('.repeat(50)}${')'.repeat(50)}`,
    '(a)'.repeat(100),
    'a{1000,}',
    'x'.repeat(500),
    `(?<${'a'.repeat(100)}>b)`,
    '\\u{10FFFF}',
  ])('takes %s', (source) => {
    expect(refusalOf(() => compilePattern(source, 'i'))).not.toBeInstanceOf(Error);
  });

  it.each([
    ['\\p{Lu}', 'a', true],
    ['\\p{Lu}', '1', false],
    ['\\P{Lu}', 'A', true],
    ['[^\\p{Ll}]', 'A', false],
  ])('/%s/iu takes %s in either case: %s', (source, text, found) => {
    expect(compilePattern(source, 'iu').test(text)).toBe(found);
  });

  it('refuses a flag that it does not have, behind the pattern', () => {
    expect(refusalOf(() => compilePattern('abc', 'ig'))).toMatchObject({
      message: expect.stringContaining("'g'"),
      offset: 3,
    });
  });

  it('counts what its searches have cost', () => {
    const pattern = compilePattern('a', '');
    const made = pattern.work;
    pattern.test('b'.repeat(100));
    expect([made, pattern.work - made]).toEqual([2, 101]);
    pattern.test('b'.repeat(100));
    expect(pattern.work - made).toBe(202);
  });
});

describe("a pattern of JSONPath's match and search", () => {
  it.each<[source: string, text: string, match: boolean, search: boolean]>([
    ['b', 'abc', false, true],
    ['abc', 'abc', true, true],
    ['a|abc', 'abc', true, true],
    ['b', 'a\nb', false, true],
    ['a.b', 'a\nb', false, false],
    ['a.b', 'a\rb', false, false],
    ['a.b', 'a\u2028b', true, true],
    ['^b$', 'a\nb', false, false],
    ['ABC', 'abc', false, false],
    ['', '', true, true],
    ['', 'a', false, true],
    ['\\p{Lu}+', 'ÄB', true, true],
  ])('%s in %j: match %s, search %s', (source, text, match, search) => {
    expect([compileIRegexp(source, true).test(text), compileIRegexp(source, false).test(text)]).toEqual([
      match,
      search,
    ]);
  });
});
