import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const decisions = readdirSync('docs/decisions').map((name) => `docs/decisions/${name}`);
const pages = [
  'README.md',
  'docs/architecture.md',
  'docs/contributing.md',
  'docs/supply-chain.md',
  ...decisions,
];
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
}).split('\n');

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
