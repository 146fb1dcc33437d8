import { expect, it } from 'vitest';
import { suggestCommand } from './command-list';
import { findCloseWord } from '@shared/find-close-word';

it.each([
  [['snadbox'], 'sandbox'],
  [['statsu'], 'status'],
  [['lisen'], 'listen'],
  [['inbox', 'shwo'], 'inbox show'],
  [['kye'], 'key'],
  [['completi'], 'completion'],
  [['sand'], 'sandbox'],
  [['RUN'], 'run'],
  [['Inbox', 'List'], 'inbox'],
  [['inbox', 'LIST'], 'inbox list'],
  [['frobnicate'], null],
  [['x'.repeat(100_000)], null],
])('takes %j for %j', (typed, meant) => {
  expect(suggestCommand(typed)).toBe(meant);
});

it('names the nearest of several, and nothing for a letter or none', () => {
  expect(findCloseWord('sens', ['sends', 'send', 'sen'])).toBe('sends');
  expect(findCloseWord('s', ['send'])).toBeNull();
  expect(findCloseWord('enviroment', ['env', 'en', 'data'])).toBe('env');
  expect(findCloseWord('enviroment', ['en'])).toBeNull();
  expect(findCloseWord('', ['send'])).toBeNull();
});
