import { writeHarFrame } from '@shared/webhooks/export/webhook-export';
import { toPlainJson } from '@shared/plain-text';
import { readVersion } from './read-version';

/** Gives the lines of an HTTP Archive, one an entry; none where there is no first one to be had. @source HAR 1.2 */
export async function* writeArchive(
  entries: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string> {
  const frame = writeHarFrame(readVersion());
  let separator: string | null = null;
  for await (const entry of entries) {
    if (separator === null) yield frame.head;
    yield `${separator ?? ''}${toPlainJson(entry)}`;
    separator = frame.separator;
  }
  if (separator === null) yield frame.head;
  yield frame.tail;
}
