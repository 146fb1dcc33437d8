import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readCollectionFile, writeCollectionFile } from './collection-files';
import { renameInOrder } from './collection-order';

/** What somebody else does while a file is forced to the disk. */
const meanwhile = vi.hoisted(() => ({ act: (): void => undefined }));
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  return {
    ...real,
    fsyncSync: (descriptor: number) => {
      real.fsyncSync(descriptor);
      const { act } = meanwhile;
      meanwhile.act = () => undefined;
      act();
    },
  };
});

it('writes over nothing that came while it was forced to the disk, and leaves no neighbour', () => {
  const root = makeTemporaryFolder('written-meanwhile');
  const file = join(root, 'a.http');
  const save = (text: string, version: string | null, act: () => void) => () => {
    meanwhile.act = act;
    writeCollectionFile(root, { path: 'a.http', text, version });
  };
  const refused = (reason: string) =>
    expect.objectContaining({ details: { path: 'a.http', reason } }) as Error;
  const theirs = (text: string) => () => writeFileSync(file, text);
  expect(save('GET /mine', null, theirs('GET /theirs'))).toThrow(refused('exists'));
  const { version } = readCollectionFile(root, 'a.http');
  expect(save('GET /mine', version, theirs('GET /again'))).toThrow(refused('changed'));
  expect(readFileSync(file, 'utf8')).toBe('GET /again');
  const later = readCollectionFile(root, 'a.http').version;
  expect(save('GET /mine', later, () => rmSync(file))).toThrow(refused('deleted'));
  expect(readdirSync(root)).toEqual([]);
});

it('takes a renamed request along in the order that a checkout put there meanwhile', () => {
  const root = makeTemporaryFolder('written-meanwhile');
  const file = join(root, 'collection.json');
  writeFileSync(file, '{"order": ["a.http"]}');
  meanwhile.act = () => writeFileSync(file, '{"order": ["b.http", "a.http"], "of": "branch"}');
  renameInOrder(root, 'a.http', 'z.http');
  expect(readFileSync(file, 'utf8')).toBe('{"order": ["b.http", "z.http"], "of": "branch"}');
  meanwhile.act = () => writeFileSync(file, '<<<<<<< HEAD');
  renameInOrder(root, 'z.http', 'a.http');
  expect(readFileSync(file, 'utf8')).toBe('<<<<<<< HEAD');
  expect(readdirSync(root)).toEqual(['collection.json']);
});
