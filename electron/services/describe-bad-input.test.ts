import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeBadInput } from './describe-bad-input';

const input = z.object({
  search: z.string().max(5).optional(),
  name: z.string().min(1).optional(),
  secret: z.string().min(8).optional(),
  limit: z.number().int().min(1).max(500).optional(),
  rate: z.number().max(2.5).optional(),
  ids: z.array(z.string().max(3)).min(1).max(2).optional(),
  setup: z.object({ proxyUrl: z.string().max(4) }).optional(),
});

it.each([
  [{ search: 'abcdef' }, "'search' is too long: it may have 5 characters. Shorten it."],
  [{ setup: { proxyUrl: 'abcde' } }, "'setup.proxyUrl' is too long: it may have 4 characters. Shorten it."],
  [{ ids: ['a', 'abcd'] }, "'ids.1' is too long: it may have 3 characters. Shorten it."],
  [{ ids: ['a', 'b', 'c'] }, "'ids' has too many entries: it may have 2. Take fewer."],
  [{ ids: [] }, "'ids' is empty. Give it a value."],
  [{ name: '' }, "'name' is empty. Give it a value."],
  [{ secret: 'short' }, "'secret' is too short: it has to have 8 at least."],
  [{ limit: 501 }, "'limit' is too large: it may be 500 at most."],
  [{ limit: 0 }, "'limit' is too small: it has to be 1 at least."],
  [{ rate: 3 }, "'rate' is too large: it may be 2.5 at most."],
  [{ limit: 'ten' }, /^inbox\.list was called with something it cannot use: 'limit': .*\.$/],
  [3, /^inbox\.list was called with something it cannot use: .*\.$/],
])('says of %j what to do about it', (value, said) => {
  const parsed = input.safeParse(value);
  const error = describeBadInput('inbox.list', parsed.error!.issues);
  expect(error.code).toBe('app.bad_input');
  if (typeof said === 'string') expect(error.message).toBe(said);
  else expect(error.message).toMatch(said);
  expect(error.details).toEqual({
    fields: parsed.error!.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
  });
});
