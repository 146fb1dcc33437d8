import { expect, it } from 'vitest';
import { rememberShort } from './remember-short';

function countWork() {
  const asked: string[] = [];
  const work = rememberShort((text) => {
    asked.push(text);
    return text.toUpperCase();
  });
  return { asked, work };
}

it('makes of a short text once what it is asked for again and again', () => {
  const { asked, work } = countWork();
  expect([work('a'), work('b'), work('a'), work('')]).toEqual(['A', 'B', 'A', '']);
  expect(asked).toEqual(['a', 'b', '']);
});

it('keeps no long text, and few of the short ones', () => {
  const { asked, work } = countWork();
  const long = 'x'.repeat(201);
  expect([work(long), work(long)]).toEqual(['X'.repeat(201), 'X'.repeat(201)]);
  expect(asked).toEqual([long, long]);
  asked.length = 0;
  for (let index = 0; index < 150; index += 1) work(`n${index}`);
  work('n0');
  expect(asked).toHaveLength(151);
});
