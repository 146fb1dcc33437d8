import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readCollectionFile, writeCollectionFile } from './collection-files';

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
