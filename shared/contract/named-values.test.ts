import { expect, it } from 'vitest';
import { z } from 'zod';
import { namedValues } from './named-values';

const texts = namedValues(z.string(), z.string().max(12));
const read = (json: string): unknown => texts.parse(JSON.parse(json));

it('keeps each member, whatever it is called', () => {
  const json = '{"a":"1","__proto__":"2","constructor":"3"}';
  expect(JSON.stringify(read(json))).toBe(json);
  expect(read('{}')).toEqual({});
});

it.each(['[]', 'null', '"x"', '{"a":1}', '{"__proto__":1}', '{"a name that is too long":"1"}'])(
  'refuses %s',
  (json) => {
    expect(texts.safeParse(JSON.parse(json)).success).toBe(false);
  },
);

it('says where the fault is by the name that was given', () => {
  const { error } = texts.safeParse(JSON.parse('{"a":1}'));
  expect(error?.issues.map(({ path }) => path)).toEqual([['a']]);
});
