import { requestExtension } from '@shared/http-file/example-file';
import type { KeptState, KeptTab } from './drafts';

/**
 * Puts what several windows have kept together: the tabs of the newest, and beside them what was typed in the others. Where
 * two have typed in one file, each text has a tab of its own.
 */
export function gatherDrafts([newest, ...older]: readonly [KeptState, ...KeptState[]]): KeptState {
  const tabs = [...newest.tabs];
  for (const tab of older.flatMap((state) => state.tabs)) {
    if (tab.draft === null) continue;
    const at = tabs.findIndex((one) => isOfSameFile(one, tab));
    const known = tabs[at];
    if (known === undefined) tabs.push(tab);
    else if (known.draft === null) tabs[at] = tab;
    else if (tabs.every((one) => one.draft?.text !== tab.draft?.text)) tabs.push(putBeside(tab, tabs));
  }
  return { ...newest, tabs };
}

const isOfSameFile = (a: KeptTab, b: Pick<KeptTab, 'collectionId' | 'path'>): boolean =>
  a.collectionId === b.collectionId && a.path === b.path;

/** The same text as one that no file has yet. */
function putBeside(tab: KeptTab, tabs: readonly KeptTab[]): KeptTab {
  const stem = tab.path.replace(requestExtension, '');
  let path = '';
  for (let count = 1; path === '' || tabs.some((one) => isOfSameFile(one, { ...tab, path })); count += 1) {
    path = `${stem} (other window${count === 1 ? '' : ` ${count}`}).http`;
  }
  return { ...tab, path, draft: tab.draft && { text: tab.draft.text, version: null } };
}
