import { expect, it } from 'vitest';
import { MOST_DIFFERENCES } from '../webhooks/compare-json';
import { describeStateChange } from './describe-change';

const payments = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { amount: 1000 }]));

it.each([
  ['a count', { note: 'x'.repeat(300), count: 1 }, { note: 'x'.repeat(300), count: 2 }, 'in the state /count 1 → 2'],
  ['the whole', 7, 8, 'in the state the whole 7 → 8'],
  ['a member that came', payments('a'), payments('a', 'b/c'), 'in the state /b~1c was added: {"amount":1000}'],
  ['a member that went', payments('a', 'b'), payments('a'), 'in the state /b was removed: {"amount":1000}'],
  ['an element', { list: [1] }, { list: [1, 2] }, 'in the state /list/1 was added: 2'],
  ['a text whose end differs', { log: `${'x'.repeat(300)}1` }, { log: `${'x'.repeat(300)}2` }, `in the state /log …${'x'.repeat(20)}1" → …${'x'.repeat(20)}2"`],
  ['a secret', { api_key: 'one-long-secret-1234' }, { api_key: 'two-long-secret-5678' }, 'in the state /api_key "one-…1234" → "two-…5678"'],
  ['what a secret name holds', { password: ['hunter2'] }, { password: ['hunter3'] }, 'in the state /password/0 changed (masked)'],
  ['a control', { note: 'a' }, { note: '\u202eb\u009b' }, 'in the state /note "a" → "\\u202eb\\x9b"'],
  ['four, and no more', [1, 2, 3, 4], [2, 3, 4, 5], 'in the state /0 1 → 2; /1 2 → 3; /2 3 → 4; /3 4 → 5'],
  ['what differs, not what only moved or is written otherwise', { a: 1, b: 1.0, c: 2 }, { b: 1, a: 1, c: 3 }, 'in the state /c 2 → 3'],
  ['a text that goes on', { log: 'x'.repeat(300) }, { log: `${'x'.repeat(300)}2` }, `in the state /log …${'x'.repeat(20)}" → …${'x'.repeat(20)}2"`],
  ['short texts whole', { log: 'x'.repeat(70) }, { log: `${'x'.repeat(70)}2` }, `in the state /log "${'x'.repeat(70)}" → "${'x'.repeat(70)}2"`],
  ['more than it counts', Array.from({ length: 2000 }, () => 1), Array.from({ length: 2000 }, () => 2), `in the state /0 1 → 2; /1 1 → 2; /2 1 → 2; /3 1 → 2; and at least ${MOST_DIFFERENCES - 4} more`],
  ['many', [1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 7], 'in the state /0 1 → 2; /1 2 → 3; /2 3 → 4; /3 4 → 5; and 2 more'],
])('%s', (_what, before, after, told) => expect(describeStateChange(before, after)).toBe(told)); // prettier-ignore

it('is bounded, whatever the state is made of', () => {
  const make = (value: string): unknown => {
    const members = Array.from({ length: 200 }, (_, at) => [`${'k'.repeat(900)}${at}`, value.repeat(2000)]);
    return Object.fromEntries(members);
  };
  expect(describeStateChange(make('a'), make('b')).length).toBeLessThan(1500);
});
