import type { Exchange } from '@shared/contract/sending';
import { findHeader } from '@shared/find-header';
import { readAnswerBytes } from '../../../session/whole-answer';
import { toClientError } from '../../../transport/client-error';
import { saveFile } from '../../../ui/save-file';
import { updateTab } from '../requests-store';

const endings: readonly (readonly [type: RegExp, ending: string])[] = [
  [/json/i, 'json'],
  [/html/i, 'html'],
  [/xml/i, 'xml'],
  [/^text\//i, 'txt'],
];

/** Offers the bytes of an answer as a file: as received, secrets masked. */
export async function saveAnswer(tabId: string, exchange: Exchange): Promise<void> {
  try {
    const bytes = await readAnswerBytes(exchange);
    const type = findHeader(exchange.response?.headers ?? [], 'content-type') ?? '';
    saveFile(nameAnswer(exchange, type), new Blob(bytes), 'application/octet-stream');
  } catch (error) {
    updateTab(tabId, { sendError: toClientError(error) });
  }
}

/** A title may hold anything; a file name must not. */
function nameAnswer({ title, response }: Exchange, type: string): string {
  const ending = endings.find(([pattern]) => pattern.test(type))?.[1] ?? 'bin';
  const name = title
    .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .trim()
    .slice(0, 80);
  return `${name === '' ? 'answer' : name} ${response?.httpStatus ?? ''}.${ending}`;
}
