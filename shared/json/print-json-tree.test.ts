import { expect, it } from 'vitest';
import { readJsonTree } from './json-tree';
import { printJsonLine, printJsonTree } from './print-json-tree';
import { writeJson } from './write-json';

const text =
  '{ "b": 1000.00, "a\\n": [1e3, [], {}, "x\\u00e9\\"", null, [true]], "c": {"d": {"e": 12345678901234567890}} }';
const tree = readJsonTree(text)!;
const line = '{"b":1000.00,"a\\n":[1e3,[],{},"xé\\"",null,[true]],"c":{"d":{"e":12345678901234567890}}}';

it('prints over lines, numbers as they were written', () => {
  expect(printJsonTree(tree).split('\n')).toEqual([
    '{',
    '  "b": 1000.00,',
    '  "a\\n": [',
    '    1e3,',
    '    [],',
    '    {},',
    '    "xé\\"",',
    '    null,',
    '    [',
    '      true',
    '    ]',
    '  ],',
    '  "c": {',
    '    "d": {',
    '      "e": 12345678901234567890',
    '    }',
    '  }',
    '}',
  ]);
});

it('prints on one line, numbers as they were written', () => expect(printJsonLine(tree)).toBe(line));

it('writes as it prints on one line, each text but the names changed where asked', () => {
  expect(writeJson(tree)).toBe(line);
  expect(writeJson(readJsonTree('{"a":["b",1,{"c":"d"}]}')!, (one) => one.toUpperCase())).toBe(
    '{"a":["B",1,{"c":"D"}]}',
  );
});
