import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const decisions = readdirSync('docs/decisions').map((name) => `docs/decisions/${name}`);
const pages = [
  'README.md',
  'docs/architecture.md',
  'docs/contributing.md',
  'docs/supply-chain.md',
  ...decisions,
];
/** The project's own, also where it is no clone. */
const files = readdirSync('.', { withFileTypes: true })
  .filter(({ name }) => !/^(?:node_modules|out|\.git)$/.test(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(entry.name, { recursive: true, encoding: 'utf8' }).map((path) =>
          join(entry.name, path).replaceAll('\\', '/'),
        )
      : [entry.name],
  );

/** `<area>` and `*` stand for a part of a name; a name may begin below a folder that the page speaks of. */
function isThere(name: string): boolean {
  const pattern = name
    .replace(/\/$/, '')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/<\w+>|\*/g, '[^/]+');
  const whole = new RegExp(`(?:^|/)${pattern}(?:/|$|\\.)`);
  return files.some((file) => whole.test(file));
}

/** What a page calls by the name of a file of ours, or of a folder with several parts. */
function listNames(page: string): string[] {
  const spans = [...readFileSync(page, 'utf8').matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!);
  return spans.filter((text) =>
    /^(?:(?:shared|electron|renderer|test|resources|scripts|docs|services|sandbox|platform|listener|payments)\/[\w<>*./-]+|[a-z0-9-]+\.(?:ts|tsx|mjs))$/.test(
      text,
    ),
  );
}

it.each(pages)('%s names files and folders that are there', (page) => {
  const made = ['docs/.vitepress/dist'];
  expect(listNames(page).filter((name) => !made.includes(name) && !isThere(name))).toEqual([]);
});
