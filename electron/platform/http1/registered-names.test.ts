import { METHODS, STATUS_CODES } from 'node:http';
import { expect, it } from 'vitest';
import { knownMethods, statusTexts } from './registered-names';

it('knows the methods that Node knows, but for CONNECT', () => {
  // The first Node 20.19 knows no QUERY yet.
  const known = new Set([...METHODS, 'QUERY']);
  expect([...knownMethods, 'CONNECT'].sort()).toEqual([...known].sort());
});

it('says of each status what Node says', () => {
  expect(statusTexts).toEqual(STATUS_CODES);
});
