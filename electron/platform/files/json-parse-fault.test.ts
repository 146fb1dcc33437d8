import { parseTree, type ParseError } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { describeParseFault } from './json-parse-fault';

it.each([
  ['{\n  "a": x\n}', 2, 'what stands there is no value'],
  ['{\n"a": 1\n"b": 2 }', 3, 'a comma is missing'],
  ['{"a": 1', 1, 'a closing brace is missing'],
  ['{"a": "b\n}', 1, 'a text does not end'],
  ['{} {}', 1, 'more follows behind its end'],
  ['[]', 1, 'no object'],
  [
    'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n',
    1,
    'a pointer of Git LFS, and the file itself was not fetched: run git lfs pull',
  ],
  [
    '{\r\n  "a": {\r\n<<<<<<< HEAD\r\n    "b": "1"\r\n=======\r\n    "b": "2"\r\n>>>>>>> ann\r\n  }\r\n}',
    3,
    'two versions, as a merge leaves them: keep one',
  ],
  ['{\n"a": 1\n>>>>>>> ann\n}', 3, 'a line that a merge left: remove it'],
  ['{\n<<<<<<< HEAD\n"a": 1\n}', 2, 'a line that a merge left: remove it'],
  ['{\n  "a": "x <<<<<<< y", b\n}', 2, 'what stands there is no value'],
])('says of %j in line %s: %s', (text, line, what) => {
  const errors: ParseError[] = [];
  parseTree(text, errors, { allowTrailingComma: true });
  expect(describeParseFault(text, errors[0])).toEqual({ line, what });
});
