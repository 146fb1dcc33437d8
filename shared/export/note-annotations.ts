import type { HttpRequestBlock } from '../http-file/http-file';
import type { ExportNote } from './export-source';

/** Comments of ours that do something here and nothing elsewhere; httpYac alone has `# @tag`, too. */
const ours = ['expect', 'capture', 'tag', 'depends-on', 'skip', 'only'];

type Annotated = Pick<HttpRequestBlock, 'annotations'>;

/**
 * Says once for all requests which of our comments mean nothing to the other tool.
 *
 * @param where - the collection
 * @param fate - what becomes of them: 'are not taken along'
 */
export function noteAnnotations(
  requests: readonly Annotated[],
  where: string,
  fate: string,
  notes: ExportNote[],
  names: readonly string[] = ours,
): void {
  for (const name of names) {
    const count = requests.filter(({ annotations }) => annotations.some((one) => one.name === name)).length;
    if (count > 0) notes.push({ where, what: `Lines \`# @${name}\` ${fate} (${sayCount(count)}).` });
  }
}

/** Says in brackets of how many requests something is said. */
export const sayCount = (count: number): string => (count === 1 ? 'one request' : `${count} requests`);

/** Says once for all requests which of our comments httpYac reads otherwise, or not at all. */
export function noteForHttpyac(requests: readonly Annotated[], where: string, notes: ExportNote[]): void {
  const others = ours.filter((name) => name !== 'tag');
  noteAnnotations(requests, where, 'stay, and httpYac does not act on them', notes, others);
  const { length } = requests.filter(({ annotations }) => {
    const tags = annotations.filter(({ name }) => name === 'tag');
    return tags.length > 1 || tags.some(({ value }) => /[^\s,]\s+[^\s,]/.test(value));
  });
  const what = `httpYac reads the last line \`# @tag\` of a request, its tags with commas between: write them so (${sayCount(length)}).`;
  if (length > 0) notes.push({ where, what });
}
