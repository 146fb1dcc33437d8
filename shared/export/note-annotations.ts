import type { HttpRequestBlock } from '../http-file/http-file';
import type { ExportNote } from './export-source';

/** Comments of ours that do something here and nothing elsewhere. */
const ours = ['expect', 'capture', 'tag', 'depends-on', 'skip', 'only'];

/**
 * Says once for all requests which of our comments mean nothing to the other tool.
 *
 * @param where - the collection
 * @param fate - what becomes of them: 'are not taken along'
 */
export function noteAnnotations(
  requests: readonly Pick<HttpRequestBlock, 'annotations'>[],
  where: string,
  fate: string,
  notes: ExportNote[],
): void {
  for (const name of ours) {
    const count = requests.filter(({ annotations }) => annotations.some((one) => one.name === name)).length;
    if (count === 0) continue;
    notes.push({ where, what: `Lines \`# @${name}\` ${fate} (${sayCount(count)}).` });
  }
}

/** Says in brackets of how many requests something is said. */
export const sayCount = (count: number): string => (count === 1 ? 'one request' : `${count} requests`);
