import { expect, it } from 'vitest';
import type { KeptState, KeptTab } from './drafts';
import { gatherDrafts } from './gather-drafts';

const tab = (path: string, text: string | null): KeptTab => ({
  collectionId: 'c',
  path,
  requestIndex: 0,
  subTab: 'body',
  draft: text === null ? null : { text, version: 'v1', base: 'b' },
});
const state = (...tabs: KeptTab[]): KeptState => ({
  slot: 's',
  savedAt: 1,
  activePath: null,
  activeCollectionId: null,
  collapsed: [],
  tabs,
});

it('puts what was typed in all windows together, and two texts of one file beside each other', () => {
  const newest = state(tab('a.http', 'mine'), tab('b.http', null));
  const older = state(
    tab('a.http', 'theirs'),
    tab('b.http', 'typed'),
    tab('c.http', null),
    tab('d.http', 'new'),
  );
  const oldest = state(tab('a.http', 'third'), tab('b.http', 'typed'), tab('a.http', 'mine'));
  const { tabs } = gatherDrafts([newest, older, oldest]);
  expect(tabs.map(({ path, draft }) => [path, draft?.text, draft?.version])).toEqual([
    ['a.http', 'mine', 'v1'],
    ['b.http', 'typed', 'v1'],
    ['a (other window).http', 'theirs', null],
    ['d.http', 'new', 'v1'],
    ['a (other window 2).http', 'third', null],
  ]);
});
