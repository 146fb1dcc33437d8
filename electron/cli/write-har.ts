import type { CommandContext } from './command';
import { toPlainJson } from './plain-text';
import { readVersion } from './read-version';

/** Prints an HTTP Archive, an entry a line. @source HAR 1.2 */
export async function printArchive(
  context: Pick<CommandContext, 'print'>,
  entries: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<void> {
  const head = { version: '1.2', creator: { name: 'Countersign', version: readVersion() } };
  context.print(`${JSON.stringify({ log: head }).slice(0, -2)},"entries":[`);
  let separator = '';
  for await (const entry of entries) {
    context.print(`${separator}${toPlainJson(entry)}`);
    separator = ',';
  }
  context.print(']}}');
}
