import { nameExample, printExample } from '@shared/http-file/example-file';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import type { Exchange } from '@shared/contract/sending';
import { readWholeAnswer } from '../../../session/whole-answer';
import { call } from '../../../transport/client';
import { parentOf } from '../requests-selectors';
import { findTab } from '../requests-store';
import { loadNodes } from '../tree/load-tree';

/** What the answers of the interface are called by HTTP; others go by their number. */
const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

/** What an example of this answer is called where nobody says otherwise. */
export function suggestName({ response }: Exchange): string {
  const status = response?.httpStatus ?? 0;
  return `${status} ${reasons[status] ?? ''}`.trim();
}

/** Keeps the answer that a tab shows as a file beside its request; as history keeps it, secrets masked. @throws {ClientError} */
export async function saveExample(tabId: string, name: string): Promise<void> {
  const tab = findTab(tabId);
  const response = tab?.exchange?.response;
  if (!tab?.exchange || !response) return;
  const { request, sentAt, identity } = tab.exchange;
  const hasSeveral = parseHttpFile(tab.text).requests.length > 1;
  const text = printExample({
    block: hasSeveral ? (identity?.block ?? null) : null,
    receivedAt: sentAt + Math.round(tab.exchange.timings?.totalMs ?? 0),
    request: `${request.method} ${request.url}`,
    httpStatus: response.httpStatus,
    reason: reasons[response.httpStatus] ?? '',
    headers: response.headers,
    body: await readWholeAnswer(tab.exchange),
  });
  await call('collections.create', {
    collectionId: tab.collectionId,
    folder: parentOf(tab.path),
    name: nameExample(tab.path, name),
    kind: 'request',
    text,
  });
  await loadNodes(tab.collectionId);
}
