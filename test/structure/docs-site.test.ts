import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groups } from '../../docs/.vitepress/pages';
// @ts-expect-error -- a script without types
import { findForeignLoads } from '../../scripts/check-docs-site.mjs';
// @ts-expect-error -- a script without types
import { docsPictures, movingPicture } from '../gallery/docs-pictures.mjs';
import { listPages, readPage } from '../support/docs-blocks';
import { projectRoot } from '../support/run-cli';

const findLoads = findForeignLoads as (text: string) => string[];
const listed = groups.flatMap(({ items }) => items.map(({ link }) => link as string));

/** Links of a page that lead to a file, code apart. */
function listLinks(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of a page, as readers of Markdown make them of its headings. */
function listAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

describe('the docs', () => {
  it('has every page in its side bar', () => {
    const pages = listPages()
      .filter((page) => page.startsWith('docs/') && !/^docs\/decisions\/\d/.test(page))
      .map((page) => `/${page.slice('docs/'.length, -'.md'.length).replace(/(?:^|(?<=\/))index$/, '')}`);
    expect(pages.filter((page) => !listed.includes(page))).toEqual([]);
  });

  it('lists every decision', () => {
    const names = readdirSync(join(projectRoot, 'docs/decisions')).filter((name) => /^\d/.test(name));
    const links = listLinks(readPage('docs/decisions/index.md'));
    expect(names.filter((name) => !links.includes(name))).toEqual([]);
  });

  it.each(listPages())('has what the links of %s lead to', (page) => {
    const broken = listLinks(readPage(page)).filter((target) => {
      const [path = '', anchor] = target.split('#', 2);
      const file = path === '' ? page : join(dirname(page), path).replaceAll('\\', '/');
      if (!existsSync(join(projectRoot, file))) return true;
      return anchor !== undefined && file.endsWith('.md') && !listAnchors(readPage(file)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('the pictures of the docs', () => {
  const made = [...Object.keys(docsPictures as object), movingPicture as string].map((name) => `${name}.png`);

  it('are made by the gallery, every one', () => {
    expect(readdirSync(join(projectRoot, 'docs/images')).sort()).toEqual(made.sort());
  });

  it('have one that moves, of two megabytes at most', () => {
    const png = readFileSync(join(projectRoot, 'docs/images', `${movingPicture as string}.png`));
    expect(png.length).toBeLessThan(2 * 1024 * 1024);
    const control = png.indexOf('acTL');
    expect(control).toBeLessThan(png.indexOf('IDAT'));
    expect(png.readUInt32BE(control + 4)).toBe(png.toString('latin1').split('fcTL').length - 1);
  });
});

describe('the check of the built site', () => {
  it.each([
    '<script type="module" src="https://cdn.example/a.js"></script>',
    '<img alt="x" src=//img.example/a.png>',
    '<link rel="stylesheet" href="https://fonts.example/css">',
    '<style>@import "https://fonts.example/a.css";</style>',
    '.a { background: url( https://img.example/a.png ) }',
  ])('finds what would load from elsewhere: %s', (text) => {
    expect(findLoads(text)).toHaveLength(1);
  });

  it('leaves own files, and links that somebody may follow', () => {
    const text =
      '<a href="https://example.com">x</a><script src="/assets/app.js"></script><img src="data:x">';
    expect(findLoads(text)).toEqual([]);
  });
});
