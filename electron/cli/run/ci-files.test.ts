import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { command } from '../commands/run';
import { parseArguments } from '../option-table';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, 'resources', 'ci');
const files = [...readdirSync(folder).map((name) => join(folder, name)), join(root, 'docs', 'ci.md')];

it.each(files)('%s gives only commands that there are', (file) => {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.yml')) expect(parse(text)).toBeTypeOf('object');
  const lines = [
    ...text.matchAll(/(?:^| {4}|npx )(?:COUNTERSIGN_\S+ )*(?:npx )?countersign run ([^'`\n]+)/gm),
  ];
  expect(lines.length).toBeGreaterThan(0);
  for (const [, args = ''] of lines) {
    const words = args
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/^"(.*)"$/, '$1'));
    expect(parseArguments(words, command.options, command.positionals).positionals.length).toBeGreaterThan(0);
  }
});

it.each(readdirSync(folder))('%s says where the package comes from, as the guide does', (name) => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const way = `npm install --save-dev ./countersign-${version}.tgz`;
  const guide = readFileSync(join(root, 'docs', 'ci.md'), 'utf8');
  const text = readFileSync(join(folder, name), 'utf8');
  expect([text, guide].map((one) => one.includes(way))).toEqual([true, true]);
  const named = [...text.matchAll(/\bPAYMENTS_[A-Z_]+/g)].map(([variable]) => variable);
  expect(named.filter((variable) => !guide.includes(`\`${variable}\``))).toEqual([]);
});
