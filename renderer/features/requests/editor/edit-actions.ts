import { applyEdit, type BodyFix } from '@shared/body/edit-body';
import { replaceBody, replaceRequestLine, setAnnotations } from '@shared/http-file/edit-http-file';
import { readHeaderRows, replaceHeaderRows, replaceQuery, type PairRow } from '@shared/http-file/edit-rows';
import type { ForeignFix } from '@shared/http-file/foreign-variables';
import type { HttpFile, HttpRequestBlock } from '@shared/http-file/http-file';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { useAppStatus } from '../../../session/app-status';
import { readInsight } from '../requests-selectors';
import { toClientError } from '../../../transport/client-error';
import { findTab, useRequestsStore } from '../requests-store';
import type { EditPlace } from '../undo/edit-history';
import { followRequest } from '../tree/follow-request';
import { setEditedText } from '../undo/undo-edits';

type Edit = (file: HttpFile, block: HttpRequestBlock) => string;

/** Changes one request of a tab's file; everything else in the file stays byte for byte. */
export function editRequest(id: string, place: EditPlace, edit: Edit): void {
  const tab = findTab(id);
  if (!tab || tab.state !== 'ready') return;
  const environment = useAppStatus.getState().status?.environment ?? null;
  const { file, block } = readInsight(tab, environment);
  if (!block) return;
  setEditedText(tab, edit(file, block), place);
}

/** Line breaks around a body belong to the file, not to the body. */
export function trimLineBreaks(body: string): string {
  let start = 0;
  let end = body.length;
  while (start < end && isLineBreak(body.charCodeAt(start))) start += 1;
  while (end > start && isLineBreak(body.charCodeAt(end - 1))) end -= 1;
  return body.slice(start, end);
}

const isLineBreak = (code: number): boolean => code === 10 || code === 13;

const inBody: EditPlace = { part: 'body', detail: '' };

/** Sets the body as edited, variables unresolved. */
export function editBody(id: string, body: string, place: EditPlace = inBody): void {
  editRequest(id, place, (file, block) => replaceBody(file, block, trimLineBreaks(body)));
}

/** Sets method, address or both. */
export function editRequestLine(id: string, change: { method?: string; url?: string }): void {
  const place: EditPlace = { part: 'address', detail: change.url === undefined ? 'method' : 'url' };
  editRequest(id, place, (file, block) => replaceRequestLine(file, block, change));
}

/** Sets all headers, in order; `detail` names what was edited. */
export function editHeaderRows(id: string, rows: readonly PairRow[], detail: string): void {
  editRequest(id, { part: 'headers', detail }, (file, block) => replaceHeaderRows(file, block, rows));
}

/** Puts what we write in the place of another client's variable. */
export function writeOwn(id: string, { part, from, to }: ForeignFix): void {
  if (part === 'url') return editRequestLine(id, { url: to });
  editRequest(id, { part: 'headers', detail: 'foreign' }, (file, block) =>
    replaceHeaderRows(
      file,
      block,
      readHeaderRows(file, block).map((row) =>
        row.isEnabled && row.value === from ? { ...row, value: to } : row,
      ),
    ),
  );
}

/** Sets the query of the address; `detail` names what was edited. */
export function editQuery(id: string, rows: readonly PairRow[], detail: string): void {
  editRequest(id, { part: 'query', detail }, (file, block) => replaceQuery(file, block, rows));
}

/** Sets the `# @expect` lines. */
export function editExpectations(id: string, lines: readonly string[]): void {
  const place: EditPlace = { part: 'expect', detail: '' };
  editRequest(id, place, (file, block) => setAnnotations(file, block, 'expect', lines));
}

export function editFile(id: string, text: string): void {
  const tab = findTab(id);
  if (!tab) return;
  const followed = followRequest(tab, text);
  // Who deletes the request on show sees which one is in its place.
  const last = parseHttpFile(text).requests.length - 1;
  const change =
    followed.requestIndex === -1 && tab.requestIndex !== -1
      ? { requestIndex: Math.min(tab.requestIndex, Math.max(0, last)) }
      : followed;
  setEditedText(tab, text, { part: 'file', detail: '' }, change);
}

/** Applies the fix of a problem to the body that it was found in. */
export function applyFix(id: string, fix: BodyFix): void {
  const place: EditPlace = { part: 'body', detail: fix.label };
  editRequest(id, place, (file, block) => replaceBody(file, block, applyEdit(block.body ?? '', fix)));
}

/** Makes the request of a tab that of a command: what reads one comes on demand. */
export async function pasteCommand(tabId: string, text: string): Promise<void> {
  try {
    await (await import('./take-command')).takeCommand(tabId, text);
  } catch (error) {
    useRequestsStore.setState({ treeNotice: { message: '', error: toClientError(error), canUndo: false } });
  }
}
