import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  const makePipe = (): string => {
    const pipe = join(makeTemporaryFolder('input'), 'pipe');
    execFileSync('mkfifo', [pipe]);
    return pipe;
  };
  const write = (pipe: string, command: string) => spawn('sh', ['-c', `(${command}) > "$0"`, pipe]);

  it('that nobody writes to is told of, and not waited for without end', async () => {
    const pipe = makePipe();
    await expect(readInput(pipe, '--key', { writerWithinMs: 60 })).rejects.toMatchObject({
      code: 'cli.unreadable_file',
      message: `--key: ${pipe} is a pipe that nobody writes to. Start what writes to it first, or name a file.`,
    });
  });

  it('is read to its end, however late and slowly somebody writes to it', async () => {
    const pipe = makePipe();
    const reading = readInput(pipe, '--key', { writerWithinMs: 20_000 });
    write(pipe, 'sleep 0.1; head -c 300000 /dev/zero; sleep 0.1; printf end');
    const bytes = await reading;
    expect(bytes).toHaveLength(300_003);
    expect(Buffer.from(bytes.subarray(-3)).toString()).toBe('end');
  });

  it('that somebody has open is waited for longer than one that nobody has', async () => {
    const pipe = makePipe();
    write(pipe, 'sleep 1.3; printf key');
    const bytes = await readInput(pipe, '--key', { writerWithinMs: 1000 });
    expect(Buffer.from(bytes).toString()).toBe('key');
  });

  it('is read no further than a file is', async () => {
    const pipe = makePipe();
    write(pipe, 'cat /dev/zero');
    await expect(readInput(pipe, '--key', { maxBytes: 1000 })).rejects.toMatchObject({
      code: 'cli.file_too_large',
    });
  });
});
