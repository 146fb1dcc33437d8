import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { readInput } from './read-input';

const file = join(makeTemporaryFolder('input'), 'a.json');

it.each([
  [1000, '1,000 bytes'],
  [1_000_000, '1,000,000 bytes'],
  [2048, '2 KiB'],
  [1024 * 1024, '1 MiB'],
])('says of a file of more than %i bytes: larger than %s', async (maxBytes, words) => {
  writeFileSync(file, Buffer.alloc(maxBytes + 1));
  await expect(readInput(file, '--body', { maxBytes })).rejects.toMatchObject({
    code: 'cli.file_too_large',
    message: `--body: ${file} is larger than ${words}. Give a smaller one.`,
  });
  writeFileSync(file, Buffer.alloc(maxBytes));
  expect(await readInput(file, '--body', { maxBytes })).toHaveLength(maxBytes);
});

it.runIf(process.platform === 'linux')(
  'says by the code of the system what it has no words for',
  async () => {
    await expect(readInput('/proc/self/mem', 'FILE')).rejects.toMatchObject({
      code: 'cli.unreadable_file',
      message: 'FILE: cannot read /proc/self/mem: the system says EIO.',
    });
  },
);

it.each([
  [
    'a key as one line of Base64',
    `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${'c2VjcmV0/c2Vj+cmV0'.repeat(80)}==`,
    /is needed, and this is a text of 1,474 characters/,
  ],
  [
    'an address with a password',
    'https://amina:c2VjcmV0c2VjcmV0c2VjcmV0@h/x.http',
    /^FILE: cannot read https:\/\/.*: there is no such file\.$/,
  ],
])('repeats nothing secret that is given for the name of a file: %s', async (_name, file, message) => {
  const refused = await readInput(file, 'FILE').catch((error: unknown) => error as Error);
  expect(refused).toMatchObject({ code: 'cli.unreadable_file', message: expect.stringMatching(message) });
  expect((refused as Error).message).not.toContain('c2VjcmV0');
});
