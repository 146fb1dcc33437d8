import { expect, it } from 'vitest';
import { countProcessorMs } from '../../test/support/processor-time';
import { splitList } from './read-comparison';

it.each([
  ['a, b,,c', ['a', 'b', 'c']],
  [`'a,b', "c,\\",d" e`, [`'a,b'`, `"c,\\",d" e`]],
  [`"a, b'c, d`, ['"a', `b'c`, 'd']],
  [`"\\", "a,b"`, [`"\\", "a`, 'b"']],
  ['', []],
])('splits %j at commas that stand in no quotes', (text, parts) => {
  expect(splitList(text)).toEqual(parts);
});

it('looks for the end of each quote once', () => {
  const processorMs = countProcessorMs();
  for (const unit of ['\\"', "'", '"', `'",`]) splitList(unit.repeat(300_000));
  expect(processorMs()).toBeLessThan(2_000);
});
