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
