import { expect, it } from 'vitest';
import { describeLater } from './describe-later';

it.each([
  ['nothing where nothing told of it', [], [], null],
  ['a webhook in the words of a state', [], ['FAILED'], 'failed'],
  ['once what a webhook and the status query told', ['succeeded'], ['SUCCESS', 'SUCCESS'], 'succeeded'],
  ['a state on the way before its end', ['processing'], ['SUCCESS'], 'processing, succeeded'],
  ['both where they contradict each other', ['succeeded'], ['FAILED'], 'failed, succeeded'],
  ['a status that is no state as it came', [], ['PAUSED'], 'PAUSED'],
  ['nothing of a webhook without a status', [], [null, ''], null],
  ['nothing of a query that told no state', ['Not found'], [], null],
  ['the last where there are many', [], ['A', 'B', 'C', 'D', 'E'], 'B, C, D, E'],
])('tells %s', (_what, asked, statuses, line) => expect(describeLater(asked, statuses)).toBe(line));
