import { afterEach, expect, it, vi } from 'vitest';
import type { ForeignFix } from '@shared/http-file/foreign-variables';
import { readInsight } from '../requests-selectors';
import { findTab, useRequestsStore, type OpenTab } from '../requests-store';
import { undoEdit } from '../undo/undo-edits';
import { editFile, writeOwn } from './edit-actions';

const foreign =
  '### Pay\nPOST https://{{host}}/payments/v1/payouts\nAuthorization: Bearer {{token}}\n# X-Off: Bearer {{token}}\n\n{}\n';
const ours =
  '### Pay\nPOST {{base_url}}/payments/v1/payouts\nAuthorization: Bearer {{token.payout}}\n# X-Off: Bearer {{token}}\n\n{}\n';

afterEach(() => vi.unstubAllGlobals());

it('keeps the request on show where another is written before it in the file, and where that is taken back', () => {
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const [one, two, three] = ['one', 'two', 'three'].map((name) => `### ${name}\nGET http://h/${name}\n\n`);
  const tab: Partial<OpenTab> = {
    id: 'n',
    state: 'ready',
    text: `${one}${two}`,
    requestIndex: 1,
    lost: null,
  };
  useRequestsStore.setState({ tabs: [tab as OpenTab] });
  const shown = (): number => findTab('n')!.requestIndex;
  editFile('n', `${three}${one}${two}`);
  expect(shown()).toBe(2);
  undoEdit('n');
  expect([findTab('n')!.text, shown()]).toEqual([`${one}${two}`, 1]);
  editFile('n', one!);
  expect(shown()).toBe(0);
});

it('puts ours in the place of another client’s variables, and leaves what is off', () => {
  const tab: Partial<OpenTab> = {
    id: 't',
    collectionId: 'c',
    state: 'ready',
    text: foreign,
    requestIndex: 0,
    subTab: 'body',
    dynamicRound: 0,
    exchange: null,
  };
  useRequestsStore.setState({ tabs: [tab as OpenTab], treeNotice: null });
  const listFixes = (): ForeignFix[] =>
    readInsight(findTab('t')!, null).prepared!.foreign.flatMap(({ fix }) => fix ?? []);
  expect(listFixes().map(({ label }) => label)).toEqual(['Write {{base_url}}', 'Write {{token.payout}}']);
  for (const fix of listFixes()) writeOwn('t', fix);
  expect(findTab('t')!.text).toBe(ours);
});
