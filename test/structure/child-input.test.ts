import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');

/** Files that give a child process something to read: it may end before all of it was written, and the pipe then breaks. */
const givers = ['shared', 'electron', 'renderer', 'test', 'scripts']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      `${folder}/${path}`.replaceAll('\\', '/'),
    ),
  )
  .filter((path) => /\.(?:tsx?|mjs)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  .filter(({ text }) => /(?<!process\.)stdin[!?]?\.(?:write|end)\(/.test(text));

it('sees who gives a child process its input', () => {
  expect(givers.length).toBeGreaterThan(5);
});

it('has everyone hear of the pipe that breaks, which nobody else would catch', () => {
  const deaf = givers.filter(({ text }) => !/stdin[!?]?\.on\('error'/.test(text));
  expect(deaf.map(({ path }) => path)).toEqual([]);
});
