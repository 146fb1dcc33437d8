import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { writeFileDurably } from '../platform/files/files';
import { makeOutputFolder, writeAgain, writeOutput } from './write-output';

const folder = makeTemporaryFolder('write-output');
const at = (name: string): string => join(folder, name);
const makePipe = (name: string): string => {
  expect(spawnSync('mkfifo', [at(name)]).status).toBe(0);
  return at(name);
};
const options = { flag: '--out', mode: 0o600 };

it('keeps a file that is there, and replaces it where that is wanted', async () => {
  writeFileSync(at('a'), 'old');
  await expect(writeOutput(at('a'), 'new', { ...options, isForced: false })).rejects.toMatchObject({
    code: 'cli.file_exists',
  });
  expect(readFileSync(at('a'), 'utf8')).toBe('old');
  await writeOutput(at('a'), 'new', { ...options, isForced: true });
  expect(readFileSync(at('a'), 'utf8')).toBe('new');
});

it.skipIf(process.platform === 'win32').each([true, false])(
  'writes into a pipe, which stays one: forced %s',
  async (isForced) => {
    const pipe = makePipe(`pipe-${isForced}`);
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void reader.kill());
    const chunks: Buffer[] = [];
    reader.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    // Asked for before: it may end while the last of it is written.
    const closed = once(reader, 'close');
    await writeOutput(pipe, 'x'.repeat(200_000), { ...options, isForced });
    await closed;
    expect(Buffer.concat(chunks)).toHaveLength(200_000);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  },
);

// The machine's own is left alone: to replace it would harm everything that runs here.
it('writes into a device, which stays one', async ({ skip }) => {
  skip(process.platform !== 'linux' || process.getuid?.() !== 0, 'devices are made by root of Linux alone');
  const device = at('null');
  expect(spawnSync('mknod', [device, 'c', '1', '3']).status).toBe(0);
  await writeOutput(device, 'x', { ...options, isForced: true });
  await writeOutput(device, 'x', { ...options, isForced: false });
  await writeAgain(device, 'x', { kind: 'y', isForced: false });
  expect(statSync(device).isCharacterDevice()).toBe(true);
});

it.skipIf(process.platform === 'win32')('puts no file in the place of a pipe', () => {
  const pipe = makePipe('other');
  expect(() => writeFileDurably(pipe, 'x')).toThrow(
    expect.objectContaining({
      code: 'platform.unwritable',
      message: expect.stringContaining('no ordinary file') as string,
    }),
  );
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

it.runIf(process.platform === 'linux')('ends where a system keeps saying that nothing is there', () => {
  expect(() => makeOutputFolder('/proc/countersign/b', '--out')).toThrow(/^--out: cannot make the folder/);
});

it('says of a folder that cannot be made why the first one above it cannot', () => {
  writeFileSync(at('file'), '');
  expect(() => makeOutputFolder(at('file/b/c'), '--out')).toThrow(
    `--out: cannot make the folder ${at('file/b/c')}: a part of its path is a file. Move that away`,
  );
  makeOutputFolder(at('new/b/c'), '--out');
  makeOutputFolder(at('new/b/c'), '--out');
  expect(lstatSync(at('new/b/c')).isDirectory()).toBe(true);
});
