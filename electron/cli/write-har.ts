import { writeHarFrame } from '@shared/webhooks/export/webhook-export';
import { toPlainJson } from '@shared/plain-text';
import { readVersion } from './read-version';

/** Gives the lines of an HTTP Archive, one an entry. @source HAR 1.2 */
export async function* writeArchive(
  entries: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string> {
  const frame = writeHarFrame(readVersion());
  yield frame.head;
  let separator = '';
  for await (const entry of entries) {
    yield `${separator}${toPlainJson(entry)}`;
    separator = frame.separator;
  }
  yield frame.tail;
}
