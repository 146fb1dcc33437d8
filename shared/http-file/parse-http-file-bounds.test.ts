import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../../test/support/processor-time';
import { parseHttpFile } from './parse-http-file';

const many = 60_000;
const blanks = ' '.repeat(many);
const form = 'Content-Type: application/x-www-form-urlencoded\n\n';
const json = 'Content-Type: application/json\n\n';
const text = 'Content-Type: text/plain\n\n';

/** What stands behind the request line. */
const hostile: readonly (readonly [what: string, rest: string])[] = [
  ['scripts that never end', `${text}a\n${'{{\n'.repeat(many)}`],
  ['scripts that never end, before the body', '{{\n'.repeat(many)],
  ['scripts of one line after another', `${text}a\n${'{{\n}}\n'.repeat(many)}b`],
  ['ends of scripts that never began', `${text}a\n${'}}\n'.repeat(many)}`],
  ['braces before the end of a script', `${text}a\n${' {{'.repeat(many)}\n}}`],
  ['braces in one long line', `${json}${'{{a'.repeat(many * 10)}`],
  ['blanks before braces', `${text}a\n${blanks}${'{{}}'.repeat(many)}\n}}`],
  ['files, a line each', `${text}${'< a\n'.repeat(many)}`],
  ['a file with blanks in its name', `${text}< a${blanks}b`],
  ['blank lines in a form', `${form}a${' \n'.repeat(many)}b`],
  ['lines of a form, more than a call takes arguments', `${form}a${'\n&b'.repeat(many * 3)}`],
  ['separators in a form', `${form}a${'\n & '.repeat(many)}b`],
  ['comments under a long line', `${json}{"a":"${'x'.repeat(many * 100)}"}\n${'#\n'.repeat(many)}`],
  ['variables under a long line', `${json}{"a":"${'x'.repeat(many * 100)}"}\n${'@a = 1\n'.repeat(many)}`],
  ['assertions between lines', `${text}${'?? a\nb\n'.repeat(many)}`],
  ['what looks like response handlers', `${text}${'> a.\n'.repeat(many)}`],
  ['response handlers', `${text}${'> {% %}\n'.repeat(many)}`],
  ['response handlers that never end', `${text}${'> {%\n'.repeat(many)}`],
  ['lines of a multipart body', `Content-Type: multipart/form-data; boundary=b\n\n${'\n'.repeat(many)}b`],
  ['conflicts of a merge', `${text}${'<<<<<<<\n=======\n>>>>>>>\n'.repeat(many)}`],
  ['conflicts that do not end', `${text}${'<<<<<<<\n=======\n'.repeat(many)}`],
  ['headers', 'A: b\n'.repeat(many)],
  ['parts of the address', '  ?a=b\n'.repeat(many)],
  ['lines that are no headers', 'a\n'.repeat(many)],
  ['annotations', '# @expect status 201\n'.repeat(many)],
  ['blanks in every place', `A:${blanks}b${blanks}\n\n${'\n>'.repeat(many)}`],
  ['handlers with dots', `> ${'a.'.repeat(many)}/\n`],
];

it.each([
  ['variables as other clients name them', '@1=\n'],
  ['lines that are none', '###\nx\n'],
])('tells of so many lines that cannot be read, and that there are more: %s', (_what, lines) => {
  expect(parseHttpFile(lines.repeat(1000)).faults).toHaveLength(1000);
  const { faults } = parseHttpFile(lines.repeat(many));
  expect(faults).toHaveLength(1001);
  expect(faults.at(-1)?.message).toContain('More of this file cannot be read than is told');
});

describe('a file is read in time that grows with its length', () => {
  it.each(hostile)('whatever it holds: %s', (_what, rest) => {
    const processorMs = countProcessorMs();
    parseHttpFile(`POST http://h/a\n${rest}`);
    expect(processorMs()).toBeLessThan(2_000);
  });

  it.each([
    ['empty blocks', '###\n'],
    ['requests', '###\nGET http://a\n'],
    ['variables', '@a = {{a}}\n'],
    ['scripts before the request', '{{\n'],
    ['lines that are none', 'what\n'],
    ['variables as other clients name them', '@1 = 1\n'],
    ['conflicts of a merge', '###\n<<<<<<<\n=======\n>>>>>>>\n'],
    ['requests in a conflict', '###\nGET http://a\n<<<<<<<\n'],
  ])('and of whatever it consists: %s', (_what, block) => {
    const processorMs = countProcessorMs();
    parseHttpFile(block.repeat(many));
    expect(processorMs()).toBeLessThan(2_000);
  });

  it('takes no longer for a request where many follow it', () => {
    const block = `### p\nPOST http://a/b\n\n{"a":"${'x'.repeat(500)}"}\n\n`;
    const readMs = (count: number): number => {
      const text = block.repeat(count);
      const processorMs = countProcessorMs();
      parseHttpFile(text);
      return processorMs() / count;
    };
    readMs(1000);
    expect(readMs(16_000) / readMs(1000)).toBeLessThan(6);
  });
});
