import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { runImport, type ImportsDeps } from './run-import';
import type * as targetFolder from './target-folder';

const mostEntries = 40;
vi.mock('./target-folder', async (original) => ({
  ...(await original<typeof targetFolder>()),
  mostEntries: 40,
}));

const deps: ImportsDeps = {
  hasVault: false,
  collections: () => Promise.resolve([]),
  makeCollection: () => Promise.reject(new Error('not asked for')),
  environments: () => Promise.reject(new Error('not asked for')),
  announce: () => undefined,
};
const importInto = (directory: string, text: string) =>
  runImport(deps, {
    source: { kind: 'text', name: 'given', text },
    format: 'curl',
    target: { kind: 'directory', directory },
    isPreview: false,
  });

it('fills a folder up to what can be opened, and no further', async () => {
  const root = makeTemporaryFolder('full');
  const inner = join(root, 'inner');
  mkdirSync(inner);
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git', 'hidden'), '');
  for (let index = 0; index < mostEntries - 2; index++) writeFileSync(join(inner, String(index)), '');
  await importInto(root, 'curl https://a.example/one');
  const before = readdirSync(root);
  await expect(importInto(root, 'curl https://a.example/two')).rejects.toMatchObject({
    code: 'import.too_many',
    message: expect.stringContaining('could not be opened. Nothing was imported') as string,
  });
  expect(readdirSync(root)).toEqual(before);
  // What is there already takes no room.
  await importInto(root, 'curl https://a.example/one');
});
