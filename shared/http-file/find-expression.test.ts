import { expect, it } from 'vitest';
import { findExpression, readExpression } from './find-expression';

it.each([
  ['{{a}}', ['a']],
  ['x{{ a }}y{{b}}', ['a', 'b']],
  ['{{{a}}}', ['a']],
  ['{{{{a}}', ['a']],
  ['{"a":{"b":{{c}}}}', ['c']],
  ['{{}} {{ }} {{a}}', ['a']],
  ['{{"a":{{b}}', ['b']],
  ['{{a\n}} {{b}}', ['b']],
  ['{{a\r}}', []],
  ['{{a', []],
  ['{a}} {{b', []],
  ['{{$uuid}}{{%a}}{{_b}}', ['$uuid', '%a', '_b']],
  ['{{%$uuid}} {{ %$datetime "DD MM" }}', ['%$uuid', '%$datetime "DD MM"']],
  ['{{1a}} {{-a}} {{"$a"}} {{ $ }} {{%}} {{%$}} {{$%a}}', []],
  [`{{${'a'.repeat(298)}}}`, ['a'.repeat(298)]],
  [`{{${'a'.repeat(299)}}}`, []],
])('%s stands for %j', (text, names) => {
  const found: string[] = [];
  for (let one = findExpression(text, 0); one !== null; one = findExpression(text, one.end)) {
    expect(text.slice(one.start, one.end)).toMatch(/^\{\{\s*[^\s{].*\}\}$/);
    found.push(one.name);
  }
  expect(found).toEqual(names);
});

it('is read where it begins, and nowhere else', () => {
  expect(readExpression('x{{a}}', 1)).toEqual({ start: 1, end: 6, name: 'a' });
  expect(readExpression('x{{a}}', 0)).toBeNull();
  expect(readExpression('xa}}', 0)).toBeNull();
});
