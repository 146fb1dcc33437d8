import { cutText, parseMarkdown, type PageBlock } from './parse-markdown';

/** A heading of a page and what stands below it, up to the next one. */
export interface DocsSection {
  page: string;
  pageTitle: string;
  heading: string;
  /** Names the heading within its page, as its address on the site does. Empty: the page's beginning. */
  anchor: string;
  text: string;
}

/** A section that holds every word that was asked for, and the place where the first of them stands. */
export interface DocsHit {
  section: DocsSection;
  /** Before, the word found, and after. */
  excerpt: readonly [string, string, string];
}

/** More would not be read. */
const mostHits = 40;
const charactersBefore = 30;
const charactersAfter = 90;

const plain = (line: string): string =>
  cutText(line)
    .map(({ text }) => text)
    .join('');

/** `## Where a value comes from` is at `#where-a-value-comes-from`. */
export const anchorOf = (heading: string): string =>
  plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

function textOf(block: PageBlock): string {
  switch (block.kind) {
    case 'list':
      return block.items.map(plain).join(' ');
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(plain).join(' ')).join(' ');
    case 'code':
      return block.text;
    default:
      return plain(block.text);
  }
}

/** Cuts pages at their headings. */
export function listSections(
  pages: readonly { name: string; title: string; text: string }[],
): readonly DocsSection[] {
  return pages.flatMap(({ name, title, text }) => {
    const sections: DocsSection[] = [{ page: name, pageTitle: title, heading: title, anchor: '', text: '' }];
    for (const block of parseMarkdown(text)) {
      if (block.kind === 'heading' && plain(block.text) !== title)
        sections.push({
          page: name,
          pageTitle: title,
          heading: plain(block.text),
          anchor: anchorOf(block.text),
          text: '',
        });
      else if (block.kind !== 'heading') {
        const last = sections.at(-1)!;
        last.text = `${last.text} ${textOf(block)}`.replace(/\s+/g, ' ').trim();
      }
    }
    return sections;
  });
}

/** Sections with all words of the question, in any case: those first that have most of them in their heading. */
export function searchSections(sections: readonly DocsSection[], question: string): readonly DocsHit[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const countIn = (text: string): number => {
    const lower = text.toLowerCase();
    return words.filter((word) => lower.includes(word)).length;
  };
  return sections
    .filter(({ pageTitle, heading, text }) => countIn(`${pageTitle} ${heading} ${text}`) === words.length)
    .sort((left, right) => countIn(right.heading) - countIn(left.heading))
    .slice(0, mostHits)
    .map((section) => ({ section, excerpt: cutExcerpt(section.text, words) }));
}

function cutExcerpt(text: string, words: readonly string[]): DocsHit['excerpt'] {
  const lower = text.toLowerCase();
  const [first] = words
    .map((word) => ({ at: lower.indexOf(word), length: word.length }))
    .filter(({ at }) => at >= 0)
    .sort((left, right) => left.at - right.at);
  if (!first) return [text.slice(0, charactersBefore + charactersAfter), '', ''];
  const end = first.at + first.length;
  const from = first.at <= charactersBefore ? 0 : text.lastIndexOf(' ', first.at - charactersBefore) + 1;
  return [
    `${from > 0 ? '…' : ''}${text.slice(from, first.at)}`,
    text.slice(first.at, end),
    text.slice(end, end + charactersAfter),
  ];
}
