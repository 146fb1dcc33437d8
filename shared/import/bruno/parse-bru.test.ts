import { describe, expect, it } from 'vitest';
import { parseBru } from './parse-bru';

const pairs = (inner: string): [string, string, boolean][] =>
  parseBru(`headers {\n${inner}\n}`, 'a.bru')[0]!.pairs.map(({ name, value, isEnabled }) => [
    name,
    value,
    isEnabled,
  ]);

describe('a pair of a block', () => {
  it.each([
    ['  A: b', [['A', 'b', true]]],
    ['  ~A: b', [['A', 'b', false]]],
    ['  A:b:c ', [['A', 'b:c', true]]],
    ['  A : b', [['A', 'b', true]]],
    ['  A: "b": c', [['A', '"b": c', true]]],
    ['  A: b@c.test', [['A', 'b@c.test', true]]],
    ['  A:', [['A', '', true]]],
    ['  "a b": c', [['a b', 'c', true]]],
    ['  "a" : b c', [['a', 'b c', true]]],
    ['  "a":bc', [['a', 'bc', true]]],
    ['  a\\"b: c', [['a\\"b', 'c', true]]],
    ['  ~"a \\"b\\": c": d', [['a "b": c', 'd', false]]],
    ['  no pair', []],
    ['', []],
    ['  A: b\r\n  C: d\r', [['A', 'b', true], ['C', 'd', true]]], // prettier-ignore
    ['  @description(\'\'\'x: y\'\'\')\n  A: b', [['A', 'b', true]]], // prettier-ignore
    ["  @description('''\n    Host: where\n    \"a\": b\n  ''')\n  @number\n  A: b", [['A', 'b', true]]],
    ["  @description('''one\n    C: d''')\r\n  A: b", [['A', 'b', true]]],
    ["  @description('''\n    never: ends", []],
    ['  @[: b\n  @:c\n  @(x): d', [['@[', 'b', true], ['@', 'c', true], ['@(x)', 'd', true]]], // prettier-ignore
    ["  @number\n  @description('it')\n  @odata.type: b\n  @a(x): c", [['@odata.type', 'b', true], ['@a(x)', 'c', true]]], // prettier-ignore
    ['  @at: b', [['@at', 'b', true]]],
    ["  A: '''one''' ", [['A', 'one', true]]],
    ["  A: ''' one '''", [['A', 'one', true]]],
    ["  A: x '''one'''", [['A', "x '''one'''", true]]],
    ["  A: '''one''' @contentType(x)", [['A', 'one @contentType(x)', true]]],
    ["  A: '''\n    one\n      two\n  '''\n  B: c", [['A', 'one\n  two', true], ['B', 'c', true]]], // prettier-ignore
    ["  A: '''first\n    second ''' @contentType(x)", [['A', 'first\nsecond @contentType(x)', true]]],
    ["  A: '''\n    one\n  ''' @contentType(x) \r", [['A', 'one @contentType(x)', true]]],
    ["  A: '''\n    one\n  ''' \r", [['A', 'one', true]]],
    ["  A: '''\n    never ends", [['A', "'''", true]]],
    ["  A: '''x\n  B: c", [['A', "'''x", true], ['B', 'c', true]]], // prettier-ignore
    ['  "~a b": c\n  ~"~d": e', [['a b', 'c', false], ['~d', 'e', false]]], // prettier-ignore
  ])('%j is read', (inner, read) => {
    expect(pairs(inner)).toEqual(read);
  });
});

describe('a block', () => {
  it('is a text, a list or pairs, with the line that it begins on', () => {
    const text = [
      'meta {',
      '  name: A',
      '}',
      '',
      'body:json {',
      '',
      '  {',
      '    "a": 1',
      '  }',
      '}',
      'vars:secret [',
      '  one,',
      '  ~two',
      ']',
      'vars:secret [ a, b ]',
      'tags [',
      '  @description(of it, too)',
      "  @description('''",
      '    it: that, and that',
      "  ''')",
      '  team: pay',
      '  ]',
      'between: nothing',
      'script:pre-request {',
      '  bru.x({',
      '  });',
      '}',
    ].join('\n');
    expect(parseBru(text, 'a.bru')).toEqual([
      { name: 'meta', pairs: [{ name: 'name', value: 'A', isEnabled: true }], text: '', names: [], line: 1 },
      { name: 'body:json', pairs: [], text: '{\n  "a": 1\n}', names: [], line: 5 },
      { name: 'vars:secret', pairs: [], text: '', names: ['one', '~two'], line: 11 },
      { name: 'vars:secret', pairs: [], text: '', names: ['a', 'b'], line: 15 },
      { name: 'tags', pairs: [], text: '', names: ['team: pay'], line: 16 },
      { name: 'script:pre-request', pairs: [], text: 'bru.x({\n});', names: [], line: 24 },
    ]);
  });

  it.each(['body', 'body:text', 'body:xml', 'body:graphql:vars', 'script:post-response', 'tests', 'docs', 'example'])(
    'of a text is %s',
    (name) => {
      expect(parseBru(`${name} {\n  a: b\n}`, 'a.bru')).toMatchObject([{ text: 'a: b', pairs: [] }]);
    },
  ); // prettier-ignore

  it.each(['body:form-urlencoded', 'my-tests', 'docs:more', 'params:path'])('of pairs is %s', (name) => {
    expect(parseBru(`${name} {\n  a: b\n}`, 'a.bru')).toMatchObject([{ text: '', pairs: [{ name: 'a' }] }]);
  });

  it.each(['meta { name: A }', 'meta {name: A}', 'meta { name: A }  ', 'meta{\n  name: A\n}'])(
    'of pairs may be written as %j',
    (text) => {
      expect(parseBru(text, 'a.bru')).toMatchObject([{ pairs: [{ name: 'name', value: 'A' }] }]);
    },
  );

  it('is none behind another sign', () => {
    expect(parseBru('# meta {\n  name: A\n}', 'a.bru')).toEqual([]);
  });

  it.each([
    ['blank lines before it', 'docs {\r\n\r\n  a\r\n}', 'a'],
    ['no blanks before its lines', 'docs {\na  b\n}', 'a  b'],
  ])('has its text with %s', (_what, written, text) => {
    expect(parseBru(written, 'a.bru')).toMatchObject([{ text }]);
  });

  it('may be empty, and have line ends of Windows', () => {
    expect(parseBru('docs {\r\n\r\n}\r\n', 'a.bru')).toMatchObject([{ text: '' }]);
    expect(parseBru('body:text {\r\n  a\r\n\r\n  b\r\n}\r\n', 'a.bru')).toMatchObject([{ text: 'a\n\nb' }]);
  });

  it.each(['{', '['])('that does not end is refused with its line: %s', (bracket) => {
    expect(() => parseBru(`meta {\n}\n\nvars:secret ${bracket}\n  a`, 'dir/a.bru')).toThrow(
      "dir/a.bru, line 4: the block 'vars:secret' does not end.",
    );
  });
});
