import { create } from 'zustand';
import { findTab, useRequestsStore } from '../requests-store';
import { isDirty } from '../requests-selectors';
import { showTab } from './show-tab';
import { closeTab, saveTab } from '../tree/collection-actions';

/** Tabs that are to be closed and hold what is not saved: each is asked about in turn. */
export const useClosing = create<{ ids: readonly string[] }>(() => ({ ids: [] }));

/** Closes tabs; those that hold what is not saved are asked about first. */
export function requestClose(ids: readonly string[]): void {
  const open = ids.flatMap((id) => findTab(id) ?? []);
  for (const tab of open) if (!isDirty(tab)) closeTab(tab.id);
  useClosing.setState({ ids: open.filter(isDirty).map(({ id }) => id) });
}

/** Saves the tab that is asked about, and closes it where that worked: a conflict or an error is shown in it. */
export async function saveAndClose(id: string): Promise<void> {
  await saveTab(id);
  const tab = findTab(id);
  if (tab !== undefined && !isDirty(tab)) closeTab(id);
  else showTab(id);
  askAboutNext();
}

/** Closes the tab that is asked about; what was typed in it since it was saved goes. */
export function discardAndClose(id: string): void {
  closeTab(id);
  askAboutNext();
}

/** Leaves the tab that is asked about open, and those after it. */
export function keepOpen(): void {
  useClosing.setState({ ids: [] });
}

function askAboutNext(): void {
  useClosing.setState(({ ids }) => ({ ids: ids.slice(1) }));
}

/** Shows the tab so many places further, round at the ends. */
export function stepTab(step: 1 | -1): void {
  const { tabs, activeId } = useRequestsStore.getState();
  if (tabs.length === 0) return;
  const at = tabs.findIndex(({ id }) => id === activeId);
  showTab(tabs[(at + step + tabs.length) % tabs.length]!.id);
}
