import { describe, expect, it } from 'vitest';
import { readAnsi, readEscapes } from './ansi-quotes';
import { findCurlArguments, readAssignments, readPrinted, type ShellCommand } from './shell-command';

const command = (words: string[], input: string | null = null): ShellCommand => ({ words, input, notes: [] });

describe('findCurlArguments', () => {
  it.each<[string[], string[] | null]>([
    [['curl', 'a'], ['a']],
    [['curl'], []],
    [['CURL.EXE', 'a'], ['a']],
    [
      ['/usr/bin/curl', 'a', 'curl'],
      ['a', 'curl'],
    ],
    [['C:\\tools\\curl.exe', 'a'], ['a']],
    [['sudo', 'time', 'X=1', '$', 'curl', 'a'], ['a']],
    [['echo', 'how', 'to', 'call', 'it:', 'curl', 'a'], null],
    [['libcurl', 'a'], null],
    [['curl-config', 'a'], null],
    [['curl.sh', 'a'], null],
    [['wget', 'a'], null],
    [[], null],
  ])('of %j are %j', (words, found) => {
    expect(findCurlArguments(command(words))).toEqual(found);
  });
});

describe('readAssignments', () => {
  it.each<[string[], [string, string] | null]>([
    [['A=b'], ['A', 'b']],
    [['_a1=b=c\nd'], ['_a1', 'b=c\nd']],
    [['A='], ['A', '']],
    [
      ['export', 'A=b'],
      ['A', 'b'],
    ],
    [
      ['readonly', 'A=b'],
      ['A', 'b'],
    ],
    [
      ['declare', 'A=b'],
      ['A', 'b'],
    ],
    [
      ['local', 'A=b'],
      ['A', 'b'],
    ],
    [
      ['SET', 'A=b'],
      ['A', 'b'],
    ],
    [['unset', 'A=b'], null],
    [['exports', 'A=b'], null],
    [['export', 'A'], null],
    [['A=b', 'run'], null],
    [['1A=b'], null],
    [['x-A=b'], null],
    [['run', 'A=b'], null],
    [[], null],
  ])('of %j is %j', (words, found) => {
    const assignments = readAssignments(command(words));
    expect(assignments?.map(({ name, value }) => [name, value]) ?? null).toEqual(
      found === null ? null : [found],
    );
  });

  it('are all that stand in one command', () => {
    const three = [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
      { name: 'C', value: '' },
    ];
    expect(readAssignments(command(['export', 'A=1', 'B=2', 'C=']))).toEqual(three);
    expect(readAssignments(command(['A=1', 'B=2', 'C=']))).toEqual(three);
    expect(readAssignments(command(['declare', '-rx', 'A=1']))).toEqual(three.slice(0, 1));
    expect(readAssignments(command(['export', 'A=1', 'B']))).toBeNull();
  });
});

describe('readPrinted', () => {
  it.each<[string[], string | null]>([
    [['cat'], 'input'],
    [['cat', '-'], 'input'],
    [['cat', 'file'], null],
    [['echo', 'a', 'b'], 'a b\n'],
    [['echo'], '\n'],
    [['echo', '-n', 'a'], 'a'],
    [['echo', '-e', 'a\\nb'], 'a\nb\n'],
    [['echo', '-ne', 'a\\nb'], 'a\nb'],
    [['echo', '-eE', 'a\\nb'], 'a\\nb\n'],
    [['echo', '-Ee', 'a\\tb'], 'a\tb\n'],
    [['echo', 'a\\nb'], 'a\\nb\n'],
    [['echo', '-x', 'a'], '-x a\n'],
    [['echo', '-n-', 'a'], '-n- a\n'],
    [['echo', 'x-n', 'a'], 'x-n a\n'],
    [['echo', '-e', "it's"], "it's\n"],
    [['printf', 'a'], 'a'],
    [['printf', 'a\\n'], 'a\n'],
    [['printf', '%s', 'a b'], 'a b'],
    [['printf', '%s-%s\\n', 'a\\n', '%s'], 'a\\n-%s\n'],
    [['printf', '100%%'], '100%'],
    [['printf', '%s%%', '5'], '5%'],
    [['printf', '%s'], null],
    [['printf', 'a', 'b'], null],
    [['printf', '%d', '5'], null],
    [['printf', '%s %d', '5'], null],
    [['printf'], ''],
    [['jq', '.'], null],
    [[], null],
  ])('of %j is %j', (words, printed) => {
    expect(readPrinted(command(words, 'input'))).toBe(printed);
  });
});

describe("what stands in $'…'", () => {
  it.each([
    [String.raw`a\n\t\r\a\b\e\E\f\v\\\'\"\?`, 'a\n\t\r\x07\b\x1b\x1b\f\v\\\'"?'],
    [String.raw`\x41\x4a\x4A`, 'AJJ'],
    [String.raw`\xe2\x82\xac \xE2\x82\xAC`, '€ €'],
    [String.raw`\101\7x\0601`, 'A\x07x01'],
    [String.raw`\342\202\254`, '€'],
    [String.raw`\501`, 'A'],
    [String.raw`\x4g`, '\x04g'],
    [String.raw`\xef\xbb\xbfa`, '\ufeffa'],
    [String.raw`\u20ac\ue9!`, '€é!'],
    [String.raw`\u20acf`, '€f'],
    [String.raw`\U0001F600\U1f600 \U41`, '😀😀 A'],
    [String.raw`\U10ffff \U110000`, '\u{10ffff} \ufffd'],
    [String.raw`\q\u\x\U`, String.raw`\q\u\x\U`],
    [String.raw`a\q\u0041`, String.raw`a\qA`],
    [String.raw`\8`, String.raw`\8`],
    ['plain', 'plain'],
    ['', ''],
    ['a\\', 'a\\'],
  ])('as %s is %j', (written, value) => {
    expect(readAnsi(`$'${written}`, 2).value).toBe(value);
    expect(readEscapes(written)).toBe(value);
  });

  it('ends at its quote', () => {
    expect(readAnsi(`$'a\\'b' c`, 2)).toEqual({ value: "a'b", end: 7 });
    expect(readAnsi(`'a`, 1)).toEqual({ value: 'a', end: 3 });
  });
});
