import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBodyTree, type BodyValue } from './read-body-tree';

/** What was read, in short: the kind, `…` where it is not closed, its text, and its members where it is an object. */
function draw(text: string, value: BodyValue | null): unknown {
  if (value === null) return null;
  const { kind, start, end, members, isClosed } = value;
  const said = `${kind}${isClosed ? '' : '…'} ${text.slice(start, end)}`;
  if (members.length === 0) return said;
  return [
    said,
    ...members.map(({ key, keyStart, keyEnd, colonEnd, value: inner }) => [
      key,
      text.slice(keyStart, colonEnd ?? keyEnd),
      draw(text, inner),
    ]),
  ];
}
const drawAll = (text: string): unknown => draw(text, readBodyTree(text).root);

describe('what is read of a body', () => {
  it.each<[string, unknown]>([
    ['{"a":1}', ['object {"a":1}', ['a', '"a":', 'bare 1']]],
    [' [1, "x" ] ', 'array [1, "x" ]'],
    ['"x"', 'text "x"'],
    ['"', 'text… "'],
    ['"x', 'text… "x'],
    ['{{v}}', 'bare {{v}}'],
    ['{"a":{{v}}}', ['object {"a":{{v}}}', ['a', '"a":', 'bare {{v}}']]],
    ['{"a":x{{v}}y}', ['object {"a":x{{v}}y}', ['a', '"a":', 'bare x{{v}}y']]],
    ['{"a":"{{ f("x") }}"}', ['object {"a":"{{ f("x") }}"}', ['a', '"a":', 'text "{{ f("x") }}"']]],
    ['{"a":"{"}', ['object {"a":"{"}', ['a', '"a":', 'text "{"']]],
    ['{"a":"\\""}', ['object {"a":"\\""}', ['a', '"a":', 'text "\\""']]],
    ['{"a"', ['object… {"a"', ['a', '"a"', null]]],
    ['{"a":', ['object… {"a":', ['a', '"a":', null]]],
    ['{"a":,"b":2}', ['object {"a":,"b":2}', ['a', '"a":', null], ['b', '"b":', 'bare 2']]],
    [
      '{"a" 1,"b":2}',
      ['object {"a" 1,"b":2}', ['a', '"a"', null], ['1', '1', null], ['b', '"b":', 'bare 2']],
    ],
    ['{a:1}', ['object {a:1}', ['a', 'a:', 'bare 1']]],
    ['{"a":1 "b":2}', ['object {"a":1 "b":2}', ['a', '"a":', 'bare 1'], ['b', '"b":', 'bare 2']]],
    ['{"a":"x\n,"b":2}', ['object {"a":"x\n,"b":2}', ['a', '"a":', 'text… "x'], ['b', '"b":', 'bare 2']]],
    ['{"a":"x\r\n}', ['object {"a":"x\r\n}', ['a', '"a":', 'text… "x']]],
    ['{"a"::1}', ['object {"a"::1}', ['a', '"a":', 'bare 1']]],
    ['{"a":1 2}', ['object {"a":1 2}', ['a', '"a":', 'bare 1'], ['2', '2', null]]],
    ['{"a":[{"b":1}]}', ['object {"a":[{"b":1}]}', ['a', '"a":', 'array [{"b":1}]']]],
    ['{"a":[1', ['object… {"a":[1', ['a', '"a":', 'array… [1']]],
    [
      '{"a":{"b":{"c":{"d":1}}}}',
      [
        'object {"a":{"b":{"c":{"d":1}}}}',
        [
          'a',
          '"a":',
          [
            'object {"b":{"c":{"d":1}}}',
            ['b', '"b":', ['object {"c":{"d":1}}', ['c', '"c":', 'object {"d":1}']]],
          ],
        ],
      ],
    ],
    [
      '{"a":{"b":{"c":{"d":1',
      [
        'object… {"a":{"b":{"c":{"d":1',
        [
          'a',
          '"a":',
          [
            'object… {"b":{"c":{"d":1',
            ['b', '"b":', ['object… {"c":{"d":1', ['c', '"c":', 'object… {"d":1']]],
          ],
        ],
      ],
    ],
    [
      '{"a":{"b":{"c":[[1]],"e":2}}}',
      [
        'object {"a":{"b":{"c":[[1]],"e":2}}}',
        [
          'a',
          '"a":',
          [
            'object {"b":{"c":[[1]],"e":2}}',
            [
              'b',
              '"b":',
              ['object {"c":[[1]],"e":2}', ['c', '"c":', 'array [[1]]'], ['e', '"e":', 'bare 2']],
            ],
          ],
        ],
      ],
    ],
    ['{"a":1} {"b":2}', ['object {"a":1}', ['a', '"a":', 'bare 1']]],
    ['{"a":1]', ['object… {"a":1]', ['a', '"a":', 'bare 1']]],
    ['', null],
  ])('of %j', (text, wanted) => {
    expect(drawAll(text)).toEqual(wanted);
  });
});

describe('where a body stops being JSON with variables', () => {
  it.each<[string, number | null]>([
    ['{"a":1,"b":[true,false,null,-1.5e+3,0,"x"],"c":{}}', null],
    ['[]', null],
    ['\t[1.25,\t2e10,3E5]', null],
    ['[1,{{v}},x{{v}}]', null],
    ['{{v}}', null],
    ['"{{ f("q") }}"', null],
    ['{"a" 1}', 5],
    ['{"a":1 "b":2}', 7],
    ['{"a":1 2}', 7],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['[,1]', 1],
    ['[1,,2]', 3],
    ['[[] []]', 4],
    ['{,}', 1],
    ['{a:1}', 1],
    ['{"a":}', 5],
    ['{"a"}', 4],
    ['{"a",1}', 4],
    ['{"a":1:2}', 6],
    ['[1:2]', 2],
    ['{"a":1]', 6],
    ['[1}', 2],
    ['}', 0],
    [']', 0],
    [':', 0],
    [',', 0],
    ['{"a":1}}', 7],
    ['1 2', 2],
    ['{} []', 3],
    ['1,2', 1],
    ['01', 0],
    ['1.', 0],
    ['+1', 0],
    ['tru', 0],
    ['truer', 0],
    ['xtrue', 0],
    ['"a\nb"', 2],
    ['"a\rb"', 2],
    ['"a', 2],
    ['"\\"', 3],
    ['{"a":1', 6],
    ['{"a":[1', 7],
    ['{{v', 1],
    [`[${'1'.repeat(1001)}]`, null],
  ])('is told of %j', (text, fault) => {
    expect(readBodyTree(text).fault).toBe(fault);
  });

  it('is as JSON has it, where there are no variables: the same texts are sound, with the same members', () => {
    const bits = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b c"',
      '1',
      '-2.5',
      'true',
      'null',
      ' ',
      '\n',
      '"',
      'x',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 14 }), (parts) => {
        const text = parts.join('').replaceAll('{{', '{ {');
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          expect(readBodyTree(text).fault, text).not.toBeNull();
          return;
        }
        const { fault, root } = readBodyTree(text);
        expect(fault, text).toBeNull();
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
        expect(new Set(root!.members.map(({ key }) => key))).toEqual(
          new Set(isObject ? Object.keys(value as object) : []),
        );
        expect(text.slice(root!.start, root!.end)).toBe(text.trim());
      }),
      { numRuns: 300 },
    );
  });
});

it('keeps two thousand members, and says that there are more', () => {
  const members = (count: number): string =>
    `{${Array.from({ length: count }, (_, at) => `"k${at}":{"a":1}`).join(',')}}`;
  expect(readBodyTree(members(1000))).toMatchObject({
    isCut: false,
    fault: null,
  });
  const tree = readBodyTree(members(1001));
  expect(tree).toMatchObject({
    isCut: true,
    fault: null,
    root: { isClosed: true },
  });
  expect(tree.root!.members).toHaveLength(1000);
  expect(tree.root!.members.flatMap(({ value }) => value?.members ?? [])).toHaveLength(1000);
});
