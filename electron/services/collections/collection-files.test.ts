import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createEntry, readCollectionFile, renameEntry, writeCollectionFile } from './collection-files';

const MOST_BYTES = 16 * 1024 * 1024;

it('refuses a text that it could not open again, and keeps one that just fits', () => {
  const root = makeTemporaryFolder('collection-files');
  const text = `POST http://x\n\n${'a'.repeat(MOST_BYTES)}`;
  const write = (written: string) =>
    writeCollectionFile(root, { path: 'big.http', text: written, version: null });
  expect(() => write(text)).toThrow('Keep its body in a file beside it');
  const fits = text.slice(0, MOST_BYTES);
  write(fits);
  expect(readCollectionFile(root, 'big.http').text).toBe(fits);
});

it('lets no request be called as a saved answer is: it could not be sent any more', () => {
  const root = makeTemporaryFolder('collection-files');
  const make = (name: string, text?: string) =>
    createEntry(root, { folder: '', name, kind: 'request', ...(text === undefined ? {} : { text }) });
  const path = make('Pay');
  const refused = expect.objectContaining({
    code: 'collections.bad_name',
    message: expect.stringContaining('as the files of saved answers do. Choose another one.') as string,
  }) as Error;
  for (const name of ['Pay.example', 'pay.EXAMPLE.http']) {
    expect(() => make(name)).toThrow(refused);
    expect(() => make(name, 'GET http://a\n')).toThrow(refused);
    expect(() => renameEntry(root, path, name)).toThrow(refused);
  }
  expect(readCollectionFile(root, path).text).toContain('@name Pay\n');
  const answer = make('Pay.200 OK.example', 'HTTP/1.1 200 OK\n\n{}');
  expect(renameEntry(root, answer, 'Pay.fine.example')).toBe('Pay.fine.example.http');
  expect(createEntry(root, { folder: '', name: 'x.example', kind: 'folder' })).toBe('x.example');
});

it('makes no file again in a folder that was emptied: its disk may be away, and would hide it', () => {
  const root = makeTemporaryFolder('collection-files');
  const path = createEntry(root, { folder: '', name: 'Pay', kind: 'request' });
  const { text, version } = readCollectionFile(root, path);
  rmSync(join(root, path));
  const save = () => writeCollectionFile(root, { path, text, version });
  expect(save).toThrow(/The folder of the collection is empty: .* bring back the disk/);
  createEntry(root, { folder: '', name: 'Other', kind: 'request' });
  expect(save).toThrow(/was deleted by something else/);
});

it.skipIf(process.platform === 'win32')('leaves a pipe that is called as a request is its ending', () => {
  const root = makeTemporaryFolder('collection-files');
  execFileSync('mkfifo', [join(root, 'pipe.http')]);
  expect(renameEntry(root, 'pipe.http', 'tap')).toBe('tap.http');
});
