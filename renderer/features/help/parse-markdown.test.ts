import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutText, parseMarkdown } from './parse-markdown';

describe('parseMarkdown', () => {
  it('reads the forms that stand in the docs', () => {
    const page =
      '# A\n\nOne\ntwo.\n- x\n  more\n- y\n\n```sh\n# not a heading\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n';
    expect(parseMarkdown(page)).toEqual([
      { kind: 'heading', level: 1, text: 'A' },
      { kind: 'text', text: 'One two.' },
      { kind: 'list', isNumbered: false, items: ['x more', 'y'] },
      { kind: 'code', text: '# not a heading' },
      { kind: 'table', head: ['a', 'b'], rows: [['1', '2']] },
    ]);
  });

  it('cuts a line into its pieces and loses no word', () => {
    expect(cutText('Read `a_b` and **c**, _d_ or [e](f.md).')).toEqual([
      { kind: 'plain', text: 'Read ' },
      { kind: 'code', text: 'a_b' },
      { kind: 'plain', text: ' and ' },
      { kind: 'strong', text: 'c' },
      { kind: 'plain', text: ', ' },
      { kind: 'slanted', text: 'd' },
      { kind: 'plain', text: ' or ' },
      { kind: 'link', text: 'e', href: 'f.md' },
      { kind: 'plain', text: '.' },
    ]);
  });

  it('ends on every page of the docs, with a heading first and no fence left in its text', () => {
    const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
    const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(10);
    for (const name of pages) {
      const blocks = parseMarkdown(readFileSync(join(docs, name), 'utf8'));
      expect(blocks.length, name).toBeGreaterThan(2);
      expect(
        blocks.filter((block) => 'text' in block && /^```/.test(block.text)),
        name,
      ).toEqual([]);
    }
  });
});
