import type { TextEdit } from '@shared/body/edit-body';

const byteOrderMark = 0xfeff;
const carriageReturn = 13;
const lineFeed = 10;

/**
 * The editor knows `\n` alone and no byte order mark. The text it edits may have others, and bytes are the truth: these
 * functions go between the two, so that what nobody touched stays byte for byte.
 */
export function toEditorText(source: string): string {
  const bare = source.charCodeAt(0) === byteOrderMark ? source.slice(1) : source;
  return bare.includes('\r') ? bare.replace(/\r\n?/g, '\n') : bare;
}

let lastSource = '';
let isLastPlain = true;

/** Tells whether source and editor have the same text. Asked for each mark of the same source: the answer is kept. */
function isPlain(source: string): boolean {
  if (source !== lastSource) {
    lastSource = source;
    isLastPlain = source.charCodeAt(0) !== byteOrderMark && !source.includes('\r');
  }
  return isLastPlain;
}

/** Gives for each wanted offset of the editor (ascending) the offset in the source. */
function mapAscending(source: string, wanted: readonly number[]): number[] {
  if (isPlain(source)) return [...wanted];
  const mapped: number[] = [];
  let at = source.charCodeAt(0) === byteOrderMark ? 1 : 0;
  let editorAt = 0;
  for (const offset of wanted) {
    while (editorAt < offset && at < source.length) {
      const isPair = source.charCodeAt(at) === carriageReturn && source.charCodeAt(at + 1) === lineFeed;
      at += isPair ? 2 : 1;
      editorAt += 1;
    }
    mapped.push(at);
  }
  return mapped;
}

/** From an offset of the editor's text to one of the source. */
export function toSourceOffset(source: string, offset: number): number {
  return mapAscending(source, [offset])[0] ?? offset;
}

/** From an offset of the source to one of the editor's text. */
export function toEditorOffset(source: string, offset: number): number {
  if (isPlain(source)) return offset;
  return toEditorText(source.slice(0, offset)).length;
}

/**
 * Applies the editor's changes (all told in offsets before any of them) to the source.
 *
 * New line breaks take the form of the source's first one.
 */
export function applyEditorChanges(source: string, changes: readonly TextEdit[]): string {
  const ordered = [...changes].sort((a, b) => a.start - b.start || a.end - b.end);
  const offsets = mapAscending(
    source,
    ordered.flatMap(({ start, end }) => [start, end]),
  );
  let result = '';
  let copied = 0;
  ordered.forEach((change, index) => {
    const start = offsets[index * 2] ?? source.length;
    const end = offsets[index * 2 + 1] ?? source.length;
    result = join(join(result, source.slice(copied, start)), endLines(change.text, source));
    copied = end;
  });
  const changed = join(result, source.slice(copied));
  if (isPlain(source) && changes.every(({ text }) => !/[\r\ufeff]/.test(text))) {
    lastSource = changed;
    isLastPlain = true;
  }
  return changed;
}

/** Writes the line breaks of a text as the source's first one is. A megabyte is not searched for a letter that is typed. */
function endLines(text: string, source: string): string {
  if (!/[\r\n]/.test(text)) return text;
  return text.replace(/\r\n?|\n/g, () => /\r\n?|\n/.exec(source)?.[0] ?? '\n');
}

/** Puts two texts together so that a break at the end of one and one at the beginning of the other stay two. */
function join(before: string, after: string): string {
  const wouldJoin = before.endsWith('\r') && after.startsWith('\n');
  return before + (wouldJoin ? '\n' : '') + after;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code < 0xe000;

/** The smallest single change that makes one text of another, surrogate pairs kept whole; null where they are the same. */
export function findChange(before: string, after: string): TextEdit | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  if (start > 0 && isHighSurrogate(before.charCodeAt(start - 1))) start -= 1;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1;
  }
  if (tail > 0 && isLowSurrogate(before.charCodeAt(before.length - tail))) tail -= 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}
