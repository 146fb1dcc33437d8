import { describe, expect, it } from 'vitest';
import { splitCmd } from './split-cmd';

/** The words of each command; nothing is ever said, and nothing comes from below. */
const split = (text: string): string[][] =>
  splitCmd(text).map(({ words, input, notes }) => {
    expect([input, notes]).toEqual([null, []]);
    return words;
  });

describe('lines of the command prompt', () => {
  it.each<[string, string[][]]>([
    ['', []],
    [' \t\r\n\r\n', []],
    ['curl a  b\tc', [['curl', 'a', 'b', 'c']]],
    [
      'curl a\ncurl b\r\ncurl c',
      [
        ['curl', 'a'],
        ['curl', 'b'],
        ['curl', 'c'],
      ],
    ],
    ['curl a&curl b && curl c | curl d || curl e', 'abcde'.split('').map((one) => ['curl', one])],
    ['curl "a & b | c"', [['curl', 'a & b | c']]],
    [
      'curl "never closed\ncurl b&curl c',
      [
        ['curl', 'never closed'],
        ['curl', 'b'],
        ['curl', 'c'],
      ],
    ],
    ['@echo off\ncurl a', [['curl', 'a']]],
    ['  echo   off\ncurl a', [['curl', 'a']]],
    ['ECHO OFF', []],
    ['echo on', [['echo', 'on']]],
    ['rem curl b\n@REM\tcurl c\nRem\n  rem\ncurl a', [['curl', 'a']]],
    ['remove it', [['remove', 'it']]],
    [
      '@rem a & curl b | curl c\n:: d & curl e\ncurl a & curl b',
      [
        ['curl', 'a'],
        ['curl', 'b'],
      ],
    ],
    ['rem & curl a', [['curl', 'a']]],
    [
      'remove a & curl b',
      [
        ['remove', 'a'],
        ['curl', 'b'],
      ],
    ],
    [':: curl b\n:label\n  :end\ncurl a:b', [['curl', 'a:b']]],
    ['@curl a', [['curl', 'a']]],
    ['  @curl @a', [['curl', '@a']]],
  ])('of %j are %j', (text, words) => {
    expect(split(text)).toEqual(words);
  });
});

describe('carets', () => {
  it.each<[string, string[]]>([
    ['curl ^\n  a ^\r\n  b', ['curl', 'a', 'b']],
    ['curl a^\nb', ['curl', 'ab']],
    ['curl a^&b^|c^^d', ['curl', 'a&b|c^d']],
    ['curl "a^b"', ['curl', 'a^b']],
    // As Chrome copies a text over several lines.
    ['curl ^"a^\n\nb^"', ['curl', 'a\nb']],
    ['curl ^"{^\\^"a^\\^":1}^"', ['curl', '{"a":1}']],
    ['curl a^', ['curl', 'a']],
  ])('of %j go: %j', (text, words) => {
    expect(split(text)).toEqual([words]);
  });
});

/** By the table of Microsoft's C library. */
describe('words', () => {
  it.each<[string, string[]]>([
    ['"a b c" d e', ['a b c', 'd', 'e']],
    [String.raw`"ab\"c" "\\" d`, ['ab"c', '\\', 'd']],
    [String.raw`a\\\b d"e f"g h`, [String.raw`a\\\b`, 'de fg', 'h']],
    [String.raw`a\\\"b c d`, [String.raw`a\"b`, 'c', 'd']],
    [String.raw`a\\\\"b c" d e`, [String.raw`a\\b c`, 'd', 'e']],
    ['a"b"" c d', ['ab" c d']],
    ['"a""b"', ['a"b']],
    ['a "" b', ['a', '', 'b']],
    ['a""b', ['ab']],
    ['C:\\tools\\curl.exe', ['C:\\tools\\curl.exe']],
    ['a\\', ['a\\']],
    ['\\\\a', ['\\\\a']],
  ])('of %s are %j', (text, words) => {
    expect(split(text)).toEqual([words]);
  });
});

describe('where output goes to, and input comes from', () => {
  it.each<[string, string[]]>([
    ['curl a > out.txt b', ['curl', 'a', 'b']],
    ['curl a >out.txt b', ['curl', 'a', 'b']],
    ['curl a >> "out 1.txt" b', ['curl', 'a', 'b']],
    ['curl a>out.txt b', ['curl', 'a', 'b']],
    ['curl a 2>nul b', ['curl', 'a', 'b']],
    ['curl a 1> nul b', ['curl', 'a', 'b']],
    ['curl a >nul 2>&1', ['curl', 'a']],
    ['curl a 2>&1 b', ['curl', 'a', 'b']],
    ['curl a 1>&2', ['curl', 'a']],
    ['curl a <&0 b', ['curl', 'a', 'b']],
    ['curl a < in.txt b', ['curl', 'a', 'b']],
    ['curl a12>x', ['curl', 'a12']],
    ['curl a 3>x', ['curl', 'a', '3']],
    ['curl "a > b"', ['curl', 'a > b']],
    ['curl a >', ['curl', 'a']],
  ])('are left out of %j', (text, words) => {
    expect(split(text)).toEqual([words]);
  });
});

describe('variables', () => {
  it.each<[string, string[]]>([
    ['curl %BASE%/a/%id_2%', ['curl', '{{BASE}}/a/{{id_2}}']],
    ['curl "%BASE%"', ['curl', '{{BASE}}']],
    ['curl a%20b%20c', ['curl', 'a%20b%20c']],
    ['curl a%2Fb%3Dc', ['curl', 'a%2Fb%3Dc']],
    ['curl %C3%A9t%C3%A9', ['curl', '%C3%A9t%C3%A9']],
    ['curl %e2%82%ac%BASE%', ['curl', '%e2%82%ac{{BASE}}']],
    ['curl %AC%/%DEV%', ['curl', '{{AC}}/{{DEV}}']],
    // In a batch file two stand for one.
    ['curl a%%20b', ['curl', 'a%20b']],
    ['curl 100%', ['curl', '100%']],
    ['curl ^"a^%^C3^%^A9^%^20b^"', ['curl', 'a%C3%A9%20b']],
    ['set ID=17', ['set', 'ID=17']],
    ['SET  ID=a b ', ['SET', 'ID=a b']],
    ['set "ID=a b"  ', ['set', 'ID=a b']],
    ['set\tID=%OTHER% "q"', ['set', 'ID={{OTHER}} "q"']],
    ['set ID=', ['set', 'ID=']],
    ['set /p ID=Which one', ['set', '/p', 'ID=Which', 'one']],
    ['settle ID=a b', ['settle', 'ID=a', 'b']],
    ['my set ID=a b', ['my', 'set', 'ID=a', 'b']],
    ['set "ID=a" b', ['set', 'ID=a', 'b']],
  ])('of %j are %j', (text, words) => {
    expect(split(text)).toEqual([words]);
  });

  it.each<[string, string[], string[]]>([
    [
      'curl a/%1',
      ['curl', 'a/{{argument_1}}'],
      ["'%1' is what its batch file is called with: give {{argument_1}} that value."],
    ],
    [
      'curl "a/%~2?b=%~nx3&c=%1"',
      ['curl', 'a/{{argument_2}}?b={{argument_3}}&c={{argument_1}}'],
      [
        "'%~2' is what its batch file is called with: give {{argument_2}} that value.",
        "'%~nx3' is what its batch file is called with: give {{argument_3}} that value.",
        "'%1' is what its batch file is called with: give {{argument_1}} that value.",
      ],
    ],
    [
      'curl %*',
      ['curl', '{{arguments}}'],
      ["'%*' is what its batch file is called with: give {{arguments}} that value."],
    ],
    [
      'curl a?b=%DATE:~0,4% -H "X: %A:x=y%"',
      ['curl', 'a?b={{DATE}}', '-H', 'X: {{A}}'],
      [
        "What the command prompt makes of '%DATE:~0,4%' is not made here: {{DATE}} stands in its place as it is.",
        "What the command prompt makes of '%A:x=y%' is not made here: {{A}} stands in its place as it is.",
      ],
    ],
    [
      'curl a%1fb%20c%0A%5',
      ['curl', 'a%1fb%20c%0A{{argument_5}}'],
      ["'%5' is what its batch file is called with: give {{argument_5}} that value."],
    ],
    ['curl h%AC:80/%20', ['curl', 'h%AC:80/%20'], []],
  ])('that a batch file alone knows are told: %j', (text, words, notes) => {
    expect(splitCmd(`curl z\n${text}`)).toEqual([
      { words: ['curl', 'z'], input: null, notes: [] },
      { words, input: null, notes },
    ]);
  });
});

/** As Chrome copies what a page sent (cURL, cmd). */
const copyAsChrome = (text: string): string =>
  `^"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[^\w\s\-:=+~'/.,?;()*`]/g, '^$&')
    .replace(/\r?\n/g, '^\n\n')}^"`;

describe('backslashes that Chrome doubled', () => {
  it.each<[string, boolean]>([
    [String.raw`{"a":"one\ntwo"}`, true],
    [String.raw`["\u00e9","C:\\x"]`, true],
    [String.raw`{"a":"one\ntwo \"three\""}`, true],
    ['{"a":"\\""}', false],
    ['{"a":1}', false],
    [String.raw`a\nb`, false],
  ])('are told of %s: %j', (body, isTold) => {
    const [command] = splitCmd(`curl ^"https://a.test/^" ^\n  --data-raw ${copyAsChrome(body)}`);
    expect(command!.notes).toEqual(
      isTold ? [expect.stringContaining('Browsers write each backslash twice')] : [],
    );
    // What curl sends is what is imported.
    expect(command!.words.at(-1)).toBe(body.replace(/\\(?!")/g, '\\\\'));
  });

  it.each([
    String.raw`curl https://a.test/ -d "{\"a\":\"one\\ntwo\"}"`,
    String.raw`curl ^"https://a.test/^" -d ^"{\^"a\^":\^"one\ntwo\^"}^"`,
  ])('are not told of what somebody typed: %s', (text) => {
    expect(splitCmd(text)[0]!.notes).toEqual([]);
  });
});
