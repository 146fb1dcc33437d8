import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { expect, it } from 'vitest';
import { exportCollection } from './export-collection';
import { exportFormatNames } from './export-formats';
import type { ExportEnvironment, ExportSource } from './export-source';

const root = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'export', 'collection');
const input = join(root, 'input');
/** Writes what comes out as what is expected; look at the difference before you keep it. */
const isUpdate = process.env['UPDATE_FIXTURES'] === '1';

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.split(sep).join('/'))
    .sort();
const read = (path: string): string => readFileSync(join(input, path), 'utf8');

const paths = listFiles(input).filter((path) => path.endsWith('.http'));
const isExample = (path: string): boolean => path.endsWith('.example.http');
const source: ExportSource = {
  name: 'Whole\u001b collection',
  files: paths.filter((path) => !isExample(path)).map((path) => ({ path, text: read(path) })),
  examples: paths.filter(isExample).map((path) => {
    const [, owner = '', name = ''] = /^(.*\/[^/.]+)\.([^/]+)\.example\.http$/.exec(path) ?? [];
    return { path, owner: `${owner}.http`, name, text: read(path) };
  }),
  environment: JSON.parse(readFileSync(join(root, 'environment.json'), 'utf8')) as ExportEnvironment,
  readFile: (path, file) => {
    const at = join(input, dirname(path), file);
    return existsSync(at) ? Uint8Array.from(readFileSync(at)) : null;
  },
  sources: {
    now: () => Date.UTC(2030, 5, 15, 12, 30, 45, 678),
    random: { uuid: () => 'u-u-i-d', bytes: (count) => new Uint8Array(count).fill(77) },
  },
  version: '1.2.3',
};

interface Shortened {
  components?: { schemas: object };
  event?: { script: { exec: string[] } }[];
}

/** Scripts and schemas that every export brings along have tests of their own: of a script the plan in front of it is enough. */
function shorten(path: string, content: string | Uint8Array): string {
  if (typeof content !== 'string') return Buffer.from(content).toString('base64');
  if (path === '.httpyac.js') return content.slice(0, content.indexOf('/**'));
  if (!/^(?:openapi|collection)\.json$/.test(path)) return content;
  const document = JSON.parse(content) as Shortened;
  if (document.components) document.components.schemas = Object.keys(document.components.schemas);
  for (const { script } of document.event ?? [])
    script.exec = script.exec.slice(0, script.exec.indexOf('};') + 1);
  return `${JSON.stringify(document, null, 2)}\n`;
}

it.each(exportFormatNames)('writes a whole collection byte for byte, and says what is lost: %s', (format) => {
  const { files, ...facts } = exportCollection(source, format);
  const written = Object.fromEntries(
    files.map(({ path, content }) => [path.replace(/^\..*/, '$&.txt'), shorten(path, content)]),
  );
  const folder = join(root, 'expected', format);
  if (isUpdate) {
    rmSync(folder, { recursive: true, force: true });
    for (const [path, text] of [
      ...Object.entries(written),
      ['facts.json', `${JSON.stringify(facts, null, 2)}\n`] as const,
    ]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
  const expected = Object.fromEntries(
    listFiles(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
  const { 'facts.json': said, ...kept } = expected;
  expect(written).toEqual(kept);
  expect(facts).toEqual(JSON.parse(said!));
  expect(JSON.stringify(written)).not.toContain('never-written');
});
