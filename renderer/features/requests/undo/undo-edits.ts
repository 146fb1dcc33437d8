import { useBodyLink } from '../editor/body-link';
import { readInsight } from '../requests-selectors';
import { findTab, updateTab, type OpenTab } from '../requests-store';
import { followRequest } from '../tree/follow-request';
import { useAppStatus } from '../../../session/app-status';
import { EditHistory, type EditPlace, type Restored } from './edit-history';

const histories = new Map<string, EditHistory>();

/** Sets the text of a tab's file as it was edited somewhere; Ctrl+Z takes it back, wherever it is pressed. */
export function setEditedText(
  tab: OpenTab,
  text: string,
  place: EditPlace,
  change: Partial<OpenTab> = {},
): void {
  const history = histories.get(tab.id) ?? new EditHistory(tab.text);
  histories.set(tab.id, history);
  history.record(tab.text, text, place, performance.now());
  updateTab(tab.id, { ...change, text, isSendDoubted: false });
}

/** Takes the last edit of a tab back, and shows where that was. */
export function undoEdit(id: string): void {
  const tab = findTab(id);
  if (tab?.state === 'ready') restore(tab, histories.get(id)?.undo(tab.text) ?? null);
}

/** Makes the edit again that was taken back last. */
export function redoEdit(id: string): void {
  const tab = findTab(id);
  if (tab?.state === 'ready') restore(tab, histories.get(id)?.redo(tab.text) ?? null);
}

export function forgetEdits(id: string): void {
  histories.delete(id);
}

function restore(tab: OpenTab, restored: Restored | null): void {
  if (restored === null) return;
  const { text, place } = restored;
  const { part, detail } = place;
  const subTab = part === 'address' ? tab.subTab : part === 'form' ? 'body' : part;
  const isFormShown = part === 'form';
  // What has the focus goes with its part: until the place of this step has it, the next key is heard here.
  if (subTab !== tab.subTab || isFormShown !== tab.isFormShown) focusRequest();
  updateTab(tab.id, { ...followRequest(tab, text), text, subTab, isFormShown, isSendDoubted: false });
  if (part === 'body') showInBody(tab.id, restored);
  else requestAnimationFrame(() => focusPlace(part, detail));
}

function showInBody(id: string, { start, end }: Restored): void {
  const tab = findTab(id);
  const block = tab && readInsight(tab, useAppStatus.getState().status?.environment ?? null).block;
  if (!block || end < block.bodyStart || start > block.bodyEnd) return;
  const pending = { tabId: id, start: Math.max(0, start - block.bodyStart), end: end - block.bodyStart };
  useBodyLink.setState({ pending });
}

/** The field that a step was made in; where it is gone, the first one beside which it stood. */
function focusPlace(part: string, detail: string): void {
  const exact = document.querySelector<HTMLElement>(`[data-edit="${CSS.escape(`${part} ${detail}`)}"]`);
  const near = exact ?? document.querySelector<HTMLElement>(`[data-edit^="${CSS.escape(part)} "]`);
  // What had the focus may have gone with the step.
  if (near === null) focusRequest();
  else near.focus();
}

/** Gives the focus to the request as a whole, which takes Ctrl+Z wherever in it that is pressed. */
function focusRequest(): void {
  document.querySelector<HTMLElement>('[data-edit="request"]')?.focus({ preventScroll: true });
}
