/** A piece of a line: plain, in the code face, strong, slanted, or a link. */
export interface TextPiece {
  kind: 'plain' | 'code' | 'strong' | 'slanted' | 'link';
  text: string;
  href?: string;
}

/** A part of a page, one under the other. */
export type PageBlock =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'list'; isNumbered: boolean; items: string[] }
  | { kind: 'table'; head: string[]; rows: string[][] };

const starts = {
  fence: /^\s*(```|~~~)/,
  heading: /^(#{1,6})\s+(.*)/,
  item: /^\s*(?:[-*]|(\d+)\.)\s+(.*)/,
  row: /^\s*\|(.*)\|\s*$/,
  /** Front matter, lines across, containers, pictures and tags: nothing to be read. */
  left: /^\s*(?::::|(?:-{3,}|!\[[^\]]*\]\([^)]*\)|<\/?[a-z!][^>]*>)\s*$)/i,
};

/** Reads a page of the product's own documentation: the forms of Markdown that stand in it, and no HTML. */
export function parseMarkdown(text: string): PageBlock[] {
  const lines = text.replace(/^---\n.*?\n---\n/s, '').split(/\r?\n/);
  const blocks: PageBlock[] = [];
  let at = 0;
  const takeWhile = (isMore: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && isMore(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const [, marks, title] = starts.heading.exec(line) ?? [];
    if (line.trim() === '' || starts.left.test(line)) at += 1;
    else if (starts.fence.test(line)) {
      at += 1;
      const code = takeWhile((one) => !starts.fence.test(one));
      at += 1;
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (marks !== undefined && title !== undefined) {
      at += 1;
      blocks.push({ kind: 'heading', level: marks.length, text: title });
    } else if (starts.item.test(line)) blocks.push(readList(takeWhile(isListLine)));
    else if (starts.row.test(line)) blocks.push(readTable(takeWhile((one) => starts.row.test(one))));
    else {
      const rest = takeWhile((one) => one.trim() !== '' && !isOtherStart(one));
      blocks.push({ kind: 'text', text: rest.map((one) => one.replace(/^\s*>\s?/, '').trim()).join(' ') });
    }
  }
  return blocks;
}

const isOtherStart = (line: string): boolean =>
  [starts.fence, starts.heading, starts.item, starts.row, starts.left].some((start) => start.test(line));

/** An item goes on in indented lines. */
const isListLine = (line: string): boolean => starts.item.test(line) || /^\s{2,}\S/.test(line);

function readList(lines: readonly string[]): PageBlock {
  const items: string[] = [];
  for (const line of lines) {
    const [, , text] = starts.item.exec(line) ?? [];
    if (text !== undefined) items.push(text);
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return { kind: 'list', isNumbered: starts.item.exec(lines[0] ?? '')?.[1] !== undefined, items };
}

function readTable(lines: readonly string[]): PageBlock {
  const rows = lines
    .filter((line) => !/^[\s|:-]+$/.test(line))
    .map((line) =>
      (starts.row.exec(line)?.[1] ?? '').split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
  const [head = [], ...others] = rows;
  return { kind: 'table', head, rows: others };
}

const pieces =
  /(?<!`)`+([^`]+)`+|\*\*([^*]+)\*\*|(?<!\w)[*_]([^*_]+)[*_](?!\w)|!?\[([^[\]]*)\]\(([^)\s]*)\)/g;

export function cutText(text: string): TextPiece[] {
  const found: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(pieces)) {
    const [whole, code, strong, slanted, label, href] = match;
    if (match.index > end) found.push({ kind: 'plain', text: text.slice(end, match.index) });
    end = match.index + whole.length;
    if (code !== undefined) found.push({ kind: 'code', text: code });
    else if (strong !== undefined) found.push({ kind: 'strong', text: strong });
    else if (slanted !== undefined) found.push({ kind: 'slanted', text: slanted });
    else found.push({ kind: 'link', text: label ?? '', href: href ?? '' });
  }
  if (end < text.length) found.push({ kind: 'plain', text: text.slice(end) });
  return found;
}
