import { describe, expect, it } from 'vitest';
import type { ImportedRequest } from '../imported';
import { readCurl } from './read-curl';

const read = (text: string) => {
  const { items, shared, notes } = readCurl({ name: 'given', files: [{ path: 'given', text }] });
  const requests = items as ImportedRequest[];
  return {
    sent: requests.map(
      ({ method, url, body }) => `${method} ${url}${body === null ? '' : ` ${body.parts.join('')}`}`,
    ),
    said: requests.flatMap((one) => one.notes),
    shared: shared.map(({ name, value }) => `${name}=${value}`),
    notes: notes.map(({ where, what }) => {
      expect(where).toBe('given');
      return what;
    }),
  };
};
const joined = 'Nothing joined its lines (\\ at their ends): they were read as one command.';
const unclosed = 'A quote in it is never closed, so that its end may be missing: copy the whole command.';
const page = 'Only its blocks of code were read, as it is a page of Markdown.';

describe('a script of PowerShell that calls curl, too', () => {
  it.each<[string, boolean]>([
    ['irm https://a/x\ncurl.exe https://a/y', true],
    ['irm https://a/x; & curl.exe -s https://a/y', true],
    ['$a = curl.exe https://a/y\r\nirm https://a/x', true],
    ['irm https://a/x -UserAgent "curl 8"', false],
    ['irm https://a/curl', false],
    ["irm https://a/x -Method GET -UserAgent @'\ncurl -s https://b\n'@", false],
    ['irm https://a/x\n# curl -s https://b', false],
    ['<#\ncurl -s https://b\n#>\nirm https://a/x', false],
    ["$note = @'\ncurl -s https://b\n'@\nirm https://a/x", false],
    ['foreach ($i in 1..2) { curl.exe -s https://b }\nirm https://a/x', true],
  ])('is told that those calls were not taken over: %j', (text, isSaid) => {
    const { sent, notes } = read(text);
    expect(sent).toEqual([expect.stringMatching(/^GET https:\/\/a\/(x|curl)$/)]);
    expect(notes.some((what) => what.includes('calls of curl were not taken over'))).toBe(isSaid);
  });
});

describe('the shell of a script', () => {
  it.each<[string, string[]]>([
    ['curl https://a/x ^\n  -d b', ['POST https://a/x b']],
    ['curl https://a/x ^ \t\r\n  -d b', ['POST https://a/x b']],
    ['curl ^"https://a/x^"', ['GET https://a/x']],
    ['@ECHO OFF\ncurl https://a/%B%', ['GET https://a/{{B}}']],
    ['  rem it\ncurl https://a/%B%', ['GET https://a/{{B}}']],
    ['\t:: it\ncurl https://a/%B%', ['GET https://a/{{B}}']],
    ["rem it's\ncurl https://a/%B%", ['GET https://a/{{B}}']],
    ['curl https://a/%B%', ['GET https://a/%B%']],
    ["curl https://a -d 'a^\nb'", ['POST https://a a^\nb']],
    ["curl https://a -d '^\"' -d '\n::'", ['POST https://a ^"&\n::']],
    ['curl https://a -d "x @echo off"', ['POST https://a x @echo off']],
    ['curl https://a/^x -d "theorem 1"', ['POST https://a/^x theorem 1']],
    ['remote=1\ncurl https://a/^x', ['GET https://a/^x']],
    ['curl https://a/x `\n  -d b', ['POST https://a/x b']],
    ['curl https://a/x ` \r\n-d b', ['POST https://a/x b']],
    ["curl https://a/x -d 'a`\n-b $c'", ['POST https://a/x a`\n-b $c']],
    ["curl https://a/x -H 'A: '\\''' -d 'a`\n-b \u2028c'", ['POST https://a/x a`\n-b \u2028c']],
    ["curl https://a/x -H \"A: it's\" `\n  -d 'b'", ['POST https://a/x b']],
    ['curl https://a/x \\\n  -d b', ['POST https://a/x b']],
    ['$ curl https://a/x \\\n> -d b', ['POST https://a/x b']],
    ['  $  curl https://a/x \\ \r\n  >-d b', ['POST https://a/x b']],
    ['curl https://a/x \\\n> out -d b', ['POST https://a/x b']],
    ["curl https://a/x -d 'b $ curl \\\n> c'", ['POST https://a/x b $ curl \\\n> c']],
    ['irm https://a/x', ['GET https://a/x']],
    ['$x=(Invoke-RestMethod https://a/x)', ['GET https://a/x']],
    ['$x|iwr https://a/x', ['GET https://a/x']],
    ['cd x;INVOKE-WEBREQUEST https://a/x', ['GET https://a/x']],
    ['curl https://a/firm -d "confirm it"', ['POST https://a/firm confirm it']],
  ])('of %j gives %j', (text, sent) => {
    expect(read(text)).toMatchObject({ sent, notes: [] });
  });

  it('is none where there is nothing', () => {
    expect(readCurl({ name: 'given', files: [] })).toMatchObject({ items: [], notes: [] });
  });
});

describe('a page of Markdown', () => {
  const fence = (text: string, mark = '```'): string => `Look:\n${mark}\n${text}\n${mark}\n`;

  it.each<[string, string[]]>([
    [fence('curl https://a/1') + fence('curl https://a/2', '~~~'), ['GET https://a/1', 'GET https://a/2']],
    [fence('irm https://a/1'), ['GET https://a/1']],
    [`1. one\n   \`\`\`sh\n   curl https://a/1\n   \`\`\`\n`, ['GET https://a/1']],
    [fence('curl https://a/1\n~~~\ncurl https://a/2'), ['GET https://a/1', 'GET https://a/2']],
    [`Use \`\`\`curl\`\`\`:\n${fence('curl https://a/1')}`, ['GET https://a/1']],
    [`Then curl and libcurl:\n${fence('curl https://a/1')}`, ['GET https://a/1']],
    [`| curl it | x |\n${fence('curl https://a/1')}`, ['GET https://a/1']],
  ])('%j has %j', (text, sent) => {
    expect(read(text)).toMatchObject({ sent, said: [] });
    expect(read(text).notes[0]).toBe(page);
  });

  it('has values in blocks of their own, and answers that are none', () => {
    expect(
      read(
        fence('  export  A_1=1') +
          fence('{ "curling": 1 }\n x-B=2') +
          fence('B=2') +
          fence('"C=3"') +
          fence('curl https://a/1'),
      ),
    ).toMatchObject({ sent: ['GET https://a/1'], shared: ['A_1=1', 'B=2'], notes: [page] });
  });

  it.each([
    'curl -s https://a/0',
    '  curl  https://a/0',
    '$  curl https://a/0',
    'curl.exe http://a/0',
    'curl "https://a/0"',
    "curl 'https://a/0'",
    'curl $URL',
    'curl {{base}}/0',
  ])('is none where %s stands outside of its blocks', (line) => {
    const { sent, notes } = read(`${line}\n${fence('curl https://a/1')}`);
    expect(sent).toHaveLength(2);
    expect(notes).not.toContain(page);
  });

  it('is none where a call of PowerShell stands outside of its blocks', () => {
    expect(read(`irm https://a/0\n${fence('curl https://a/1')}`).notes).not.toContain(page);
  });
});

describe('lines that nothing joined', () => {
  it.each<[string, string[]]>([
    ['curl https://a\n-d b\n--data c\n-X PUT', ['PUT https://a b&c']],
    ['curl -d @-\n--url https://a <<< b', ['POST https://a b\n']],
  ])('%j are one command', (text, sent) => {
    expect(read(text.replace('-d @-', '--data-binary @-'))).toMatchObject({
      sent,
      said: [joined],
      notes: [],
    });
  });

  it.each([
    ['echo a\n-d b\ncurl https://a', "The commands 'echo…', '-d…' are none of curl, and left out."],
    ['-d b\ncurl https://a', "The command '-d…' is none of curl, and left out."],
    ['curl https://a\n--\n', "The command '--' is none of curl, and left out."],
    ['curl https://a\nx-d b\n', "The command 'x-d…' is none of curl, and left out."],
  ])('%j are none of it', (text, note) => {
    expect(read(text)).toMatchObject({ sent: ['GET https://a'], said: [], notes: [note] });
  });
});

describe('other commands', () => {
  it('are named once each, twenty of them', () => {
    const names = (count: number): string =>
      Array.from({ length: count }, (_one, at) => `run${at} x\nrun${at} y\n`).join('');
    expect(read(`${names(20)}curl https://a`).notes).toEqual([
      `The commands ${Array.from({ length: 20 }, (_one, at) => `'run${at}…'`).join(', ')} are none of curl, and left out.`,
    ]);
    expect(read(`${names(23)}curl https://a`).notes[0]).toContain("'run19…' and 3 more are none of curl");
  });

  it('are no values that were asked for, and none that print what is sent', () => {
    expect(read('[ -n "$A" ] || A=1\necho b | curl -d @- https://a')).toEqual({
      sent: ['POST https://a b'],
      said: [],
      shared: ['A=1'],
      notes: [],
    });
  });

  it.each([
    ['jq . x | curl https://a', "The command 'jq…' is none of curl, and left out."],
    ['cat file | curl https://a', "The command 'cat…' is none of curl, and left out."],
    ['echo b | curl -d @- https://a <<< c', "The command 'echo…' is none of curl, and left out."],
  ])('%j is said to be left out where it does not', (text, note) => {
    expect(read(text).notes).toEqual([note]);
  });

  it.each([
    // What is given counts, else what stands behind the name.
    ['curl https://a/${ID:-7}', ['ID=7']],
    ['ID=9\ncurl https://a/${ID:-7}', ['ID=9']],
    ['B=${B:-https://a}\ncurl $B/1', ['B=https://a']],
    ['B=https://a\nB=$B/v1\ncurl $B/1', ['B=https://a/v1']],
    [': "${B:=https://a}"\ncurl $B/1', ['B=https://a']],
    ['export A=1 B=2\ncurl https://a/$A$B', ['A=1', 'B=2']],
  ])('in %j has the variables %j, and nothing is said', (text, shared) => {
    expect(read(text)).toMatchObject({ shared, notes: [] });
  });

  it('is told what the shell would make of a value', () => {
    expect(read('A=https://a/\nB=${A%/}\ncurl $B/1')).toMatchObject({
      shared: ['A=https://a/', 'B={{A}}'],
      notes: ["What the shell makes of '${A%/}' is not made here: {{A}} stands in its place as it is."],
    });
  });

  it('is told where a variable is made of what it was before', () => {
    expect(read('B=$B/v1\ncurl $B/1')).toMatchObject({
      shared: [],
      notes: ['B is made of the value that it had before, which is not known here: give it a value.'],
    });
  });

  it('give their words to what they are called with', () => {
    expect(read('A=$(jq .x y)\ncurl https://a/$A')).toMatchObject({
      sent: ['GET https://a/{{A}}'],
      shared: [],
      notes: [
        'A is what a command prints, which is not run: give it a value, or write `# @capture A = body …` in the request whose answer has it.',
      ],
    });
  });
});

describe('a command that was copied in part', () => {
  it.each([
    ['curl https://a/x -d \'{"a": 1', '{"a": 1'],
    ['curl https://a/x -d "{\\"a\\": 1', '{"a": 1'],
    ["curl https://a/x -d $'a\\nb", 'a\nb'],
    ["curl.exe https://a/x `\n  -d 'a b", 'a b'],
    ['curl.exe https://a/x `\r\n  -d "a b', 'a b'],
    ['curl.exe https://a/0 `\n -s -o x\ncurl.exe https://a/x `\n  -d "a b', 'a b'],
    ["irm https://a/x -Method POST -Body 'a b", 'a b'],
    ['irm https://a/x -Method POST -Body "a b', 'a b'],
    ["irm https://a/x -Method POST -Body @'\na b", 'a b'],
  ])('is read as far as it goes, and told that it may have no end: %j', (text, body) => {
    const { sent, said, notes } = read(text);
    expect(sent.at(-1)).toEqual(`POST https://a/x ${body}`);
    expect([...said, ...notes]).toEqual([unclosed]);
  });

  it.each([
    'curl https://a/x -d \'{"a": 1}\'',
    'curl https://a/x -d "{\\"a\\": 1}"',
    "curl https://a/x -d $'a\\nb'",
    "curl https://a/x -d 'it'\\''s'",
    "curl.exe https://a/x `\n  -d 'a b'",
    "irm https://a/x -Method POST -Body 'a b'",
    'irm https://a/x -Method POST -Body "a b"',
    "irm https://a/x -Method POST -Body @'\na b\n'@",
  ])('is told nothing where it is whole: %j', (text) => {
    const { said, notes } = read(text);
    expect([...said, ...notes]).not.toContain(unclosed);
  });
});
