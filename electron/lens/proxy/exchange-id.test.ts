import { expect, it } from 'vitest';
import { makeExchangeId } from './exchange-id';

it('makes ids of which no two are the same, beyond what is drawn at once', () => {
  const ids = Array.from({ length: 10_000 }, makeExchangeId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^px_[\da-f]{16}$/.test(id))).toBe(true);
});
