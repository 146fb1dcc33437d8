import { writeHarFrame } from '@shared/webhooks/export/webhook-export';
import type { CommandContext } from './command';
import { toPlainJson } from '@shared/plain-text';
import { readVersion } from './read-version';

/** Prints an HTTP Archive, an entry a line. @source HAR 1.2 */
export async function printArchive(
  context: Pick<CommandContext, 'print'>,
  entries: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<void> {
  const frame = writeHarFrame(readVersion());
  context.print(frame.head);
  let separator = '';
  for await (const entry of entries) {
    context.print(`${separator}${toPlainJson(entry)}`);
    separator = frame.separator;
  }
  context.print(frame.tail);
}
