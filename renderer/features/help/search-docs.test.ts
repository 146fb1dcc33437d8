import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listSections, searchSections } from './search-docs';

const folder = join(import.meta.dirname, '..', '..', '..', 'docs');
const pages = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({
    name: file.slice(0, -3),
    title: file.slice(0, -3),
    text: readFileSync(join(folder, file), 'utf8'),
  }));
const sections = listSections(pages);

describe('searchSections', () => {
  const few = listSections([
    { name: 'a', title: 'Apples', text: '# Apples\n\nRed.\n\n## How to *peel* `one`\n\nWith a **knife**.\n' },
    { name: 'b', title: 'Pears', text: '# Pears\n\n| Tool | For |\n| --- | --- |\n| knife | peeling |\n' },
  ]);

  it('finds a section with every word, whatever their case and order', () => {
    expect(
      searchSections(few, 'KNIFE peel').map(({ section }) => `${section.page}#${section.anchor}`),
    ).toEqual(['a#how-to-peel-one', 'b#']);
    expect(searchSections(few, 'knife spoon')).toEqual([]);
    expect(searchSections(few, '  ')).toEqual([]);
  });

  it('puts first what is named so', () => {
    const named = listSections([
      { name: 'a', title: 'A', text: '# A\n\nOf retries.\n' },
      { name: 'b', title: 'B', text: '# B\n\n## Retries\n\nMore.\n' },
    ]);
    expect(searchSections(named, 'retries').map(({ section }) => section.page)).toEqual(['b', 'a']);
  });

  it('shows the place of the first word, with the words before it whole', () => {
    const [hit] = searchSections(
      listSections([{ name: 'a', title: 'A', text: `# A\n\n${'word '.repeat(40)}Needle and more.\n` }]),
      'needle',
    );
    expect(hit?.excerpt).toEqual([`…${'word '.repeat(6)}`, 'Needle', ' and more.']);
  });

  it('finds each term of the service in the real pages', () => {
    for (const term of ['signature', 'callback_url', 'webhook-id', 'countersign run', 'Retry-After'])
      expect(searchSections(sections, term).length, term).toBeGreaterThan(0);
  });
});

describe('listSections', () => {
  it('has a section for each address within a page that a page leads to', () => {
    const missing = pages.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\((?:\.\/)?([\w-]+)?(?:\.md)?#([^)]+)\)/g)]
        .filter(
          ([, page = name, anchor]) =>
            !sections.some((section) => section.page === page && section.anchor === anchor),
        )
        .map(([link]) => `${name}: ${link}`),
    );
    expect(missing).toEqual([]);
  });
});
