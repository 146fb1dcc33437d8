import {
  replaceBody,
  replaceHeaders,
  replaceRequestLine,
  setAnnotations,
} from '@shared/http-file/edit-http-file';
import type { HttpFile, HttpRequestBlock } from '@shared/http-file/http-file';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { useAppStatus } from '../../../session/app-status';
import type { BodyProblem } from './inspect-request';
import { readInsight } from '../requests-selectors';
import { findTab, updateTab } from '../requests-store';

type Edit = (file: HttpFile, block: HttpRequestBlock) => string;

/** Changes one request of a tab's file; everything else in the file stays byte for byte. */
function editRequest(id: string, edit: Edit): void {
  const tab = findTab(id);
  if (!tab || tab.state !== 'ready') return;
  const environment = useAppStatus.getState().status?.environment ?? null;
  const { file, block } = readInsight(tab, environment);
  if (!block) return;
  updateTab(id, { text: edit(file, block), isSendDoubted: false });
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

/** Sets the body as edited, variables unresolved. */
export function editBody(id: string, body: string): void {
  editRequest(id, (file, block) => replaceBody(file, block, trimLineBreaks(body)));
}

/** Sets method, address or both. */
export function editRequestLine(id: string, change: { method?: string; url?: string }): void {
  editRequest(id, (file, block) => replaceRequestLine(file, block, change));
}

/** Sets all headers, in order. */
export function editHeaders(id: string, headers: readonly (readonly [string, string])[]): void {
  editRequest(id, (file, block) => replaceHeaders(file, block, headers));
}

/** Sets the `# @expect` lines. */
export function editExpectations(id: string, lines: readonly string[]): void {
  editRequest(id, (file, block) => setAnnotations(file, block, 'expect', lines));
}

/** Puts another request in the place of one, its name and expectations apart: it was made from a command. */
export function replaceRequest(id: string, next: HttpRequestBlock): void {
  const headers = next.headers.map(({ name, value }) => [name, value] as const);
  // What it does is read from the new address.
  editRequest(id, (file, block) => setAnnotations(file, block, 'operation', []));
  editRequest(id, (file, block) => replaceBody(file, block, null));
  editRequest(id, (file, block) => replaceRequestLine(file, block, { method: next.method, url: next.url }));
  editRequest(id, (file, block) => replaceHeaders(file, block, headers));
  editRequest(id, (file, block) => replaceBody(file, block, next.body));
}

/** Sets the whole file's text. */
export function editFile(id: string, text: string): void {
  const requestCount = parseHttpFile(text).requests.length;
  const requestIndex = Math.min(findTab(id)?.requestIndex ?? 0, Math.max(0, requestCount - 1));
  updateTab(id, { text, requestIndex, isSendDoubted: false });
}

/** Applies the fix of a warning to the body. */
export function applyFix(id: string, fix: NonNullable<BodyProblem['fix']>): void {
  editRequest(id, (file, block) => {
    const body = block.body ?? '';
    return replaceBody(file, block, body.slice(0, fix.start) + fix.replacement + body.slice(fix.end));
  });
}
