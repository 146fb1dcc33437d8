import { describe, expect, it, vi } from 'vitest';
import { Composer } from 'yaml';
import { writeJson } from '../json/write-json';
import { readDocument, readSourceDocument } from './read-document';

const read = (text: string): string => writeJson(readDocument(text));
const refusal = (text: string): unknown => {
  try {
    return read(text);
  } catch (error) {
    return error;
  }
};

describe('JSON', () => {
  it('keeps its numbers as they were written, blanks before it or not', () => {
    expect(read(' \n{"a": 1.00, "b": [12345678901234567890, null, "x"]}')).toBe(
      '{"a":1.00,"b":[12345678901234567890,null,"x"]}',
    );
    expect(read(' [1]')).toBe('[1]');
  });

  it('that is damaged is refused, with the place and what to do', () => {
    expect(refusal('{"a": 1,\n"b" 2}')).toMatchObject({
      code: 'import.not_readable',
      message: expect.stringMatching(
        /^The file cannot be read: [^.]*line 2[^.]*\. Export it again, and import that\.$/,
      ) as string,
    });
  });

  it('that is damaged has no word of it changed in what is said', () => {
    expect(refusal('{"a": .5}')).toMatchObject({
      message:
        "The file cannot be read: line 1, column 7: '.' stands here, expected a value. Export it again, and import that.",
    });
  });

  it('may be two hundred levels deep', () => {
    const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(read(nest(200))).toBe(nest(200));
    expect(refusal(nest(201))).toMatchObject({ code: 'import.too_deep' });
  });
});

describe('YAML', () => {
  it.each([
    ['a: 1.00', '{"a":1.00}'],
    ['a: 12345678901234567890', '{"a":12345678901234567890}'],
    ['a: 0x1F', '{"a":31}'],
    ['a: 1e3', '{"a":1e3}'],
    ['a: +1', '{"a":1}'],
    ['a: .inf', '{"a":"Infinity"}'],
    ['a: .nan', '{"a":"NaN"}'],
    ['a: yes', '{"a":"yes"}'],
    ['a: true\nb: False\nc: ~\nd:', '{"a":true,"b":false,"c":null,"d":null}'],
    ['a: "1"', '{"a":"1"}'],
    ['a: 2024-01-02', '{"a":"2024-01-02"}'],
    ['1.0: a\ntrue: b\n"c d": e', '{"1.0":"a","true":"b","c d":"e"}'],
    ['? [a]\n: b', '{"":"b"}'],
    ['- a\n- - 1\n  - b: c', '["a",[1,{"b":"c"}]]'],
    ['a: b\na: c', '{"a":"c"}'],
    ['plain', '"plain"'],
    ['# nothing', 'null'],
    ['x: &x {a: 1}\ny: *x\nz: [*x, *x]', '{"x":{"a":1},"y":{"a":1},"z":[{"a":1},{"a":1}]}'],
    ['x: &x 1.50\ny: *x', '{"x":1.50,"y":1.50}'],
    ['b: &b {a: 1, c: 2}\nd: {<<: *b, c: 3}', '{"b":{"a":1,"c":2},"d":{"a":1,"c":3}}'],
    ['d:\n  c: 3\n  <<: [{a: 1}, {a: 2, e: 4}, 7]', '{"d":{"a":1,"e":4,"c":3}}'],
    ['d: {<<: 7}', '{"d":{}}'],
    ['a[0]: 1\nb{c}: 2', '{"a[0]":1,"b{c}":2}'],
    ['a: |\n  x\n  y\nb: >-\n  x\n  y\nc: "x\\ny"', '{"a":"x\\ny\\n","b":"x y","c":"x\\ny"}'],
    ['a: !ours x\nb: !!str 5\nc: !!int "5"', '{"a":"x","b":"5","c":5}'],
    [
      '%YAML 1.1\n---\na: 2024-01-02\nb: yes\nc: !!binary aGk=\nd: 012\ne: 1_000',
      '{"a":"2024-01-02","b":true,"c":"aGk=","d":10,"e":1000}',
    ],
  ])('%j is read as %s', (text, json) => {
    expect(read(text)).toBe(json);
  });

  it('that is damaged is refused, with the place and what to do', () => {
    expect(refusal('a: 1\nb: "x')).toMatchObject({
      code: 'import.not_readable',
      message: expect.stringMatching(
        /^The file cannot be read: [^\n]*[^.:] at line 2, column \d+\. Export it again, and import that\.$/,
      ) as string,
    });
    expect(refusal(`a: *${'x'.repeat(50)}`)).toMatchObject({
      code: 'import.not_readable',
      message: `The file cannot be read: *${'x'.repeat(40)} stands for nothing. Export it again, and import that.`,
    });
    expect(refusal('a: 1\nb: ]')).toMatchObject({
      message:
        'The file cannot be read: Unexpected flow-seq-end token in YAML stream: "]" at line 2, column 4. Export it again, and import that.',
    });
    expect(refusal('a: &a [*a]')).toMatchObject({
      code: 'import.not_readable',
      message: 'The file cannot be read: *a stands for nothing. Export it again, and import that.',
    });
  });

  it('may be two hundred levels deep', () => {
    const nest = (levels: number): string => `a: ${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(refusal(nest(200))).toMatch(/^\{"a":\[/);
    expect(refusal(nest(201))).toMatchObject({
      code: 'import.too_deep',
      message: 'The file is nested deeper than 200 levels, which no collection is. Nothing was imported.',
    });
  });

  // A stack that ends within a regular expression which is still to be compiled ends the process.
  it.each(['[', '{', '- ', '?  ', '? - ', '{a: ', '- ? ', '[? '])(
    'of %s without end is too deep, and not damaged, before anything calls itself for each level',
    (opening) => {
      const compose = vi.spyOn(Composer.prototype, 'compose');
      // A comment before it: with a bracket at its start it is JSON.
      expect(refusal(`# a\n${opening.repeat(20_000)}1.5`)).toMatchObject({ code: 'import.too_deep' });
      expect(compose).not.toHaveBeenCalled();
      compose.mockRestore();
    },
  );

  it('may stand for two million values, and for no more', () => {
    const multiply = (times: number): string =>
      [
        'a0: &a0 [x,x,x,x,x,x,x,x,x]',
        ...Array.from({ length: times }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`),
      ].join('\n');
    expect(readDocument(multiply(5)).kind).toBe('object');
    expect(refusal(multiply(6))).toMatchObject({
      code: 'import.too_large',
      message: expect.stringContaining('stand for millions of values') as string,
    });
    // What stands in front of an anchor is none of what it stands for.
    const behind = `a: [${'1,'.repeat(5000)}1]\nb: &b 1\nc: [${'*b,'.repeat(500)}1]`;
    expect(readDocument(behind).kind).toBe('object');
  });

  it('may not be longer than anybody reads', () => {
    expect(refusal(`a: ${'x'.repeat(10 * 1024 * 1024)}`)).toMatchObject({
      code: 'import.too_large',
      message: 'YAML of more than 10 MiB is not read. Export it as JSON.',
    });
  });
});

it('reads a file of an import once, whoever asks for it', () => {
  const file = { path: 'a.yaml', text: 'a: 1' };
  const root = readSourceDocument(file);
  expect(root).toEqual(readDocument('a: 1'));
  expect(readSourceDocument(file)).toBe(root);
  expect(readSourceDocument({ ...file })).not.toBe(root);
});
