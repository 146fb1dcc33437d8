import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readRegularFile } from './regular-file';

const isUnix = process.platform !== 'win32';
let root: string;
const at = (name: string) => join(root, name);
const read = (name: string, maxBytes = 1000) => readRegularFile(at(name), { root, maxBytes });

beforeEach(() => {
  root = join(makeTemporaryFolder('regular'), 'root');
  mkdirSync(root);
});

describe('a file of somebody else', () => {
  it('is read whole, up to its limit and no further', () => {
    writeFileSync(at('a'), 'x'.repeat(1000));
    expect(read('a').bytes?.toString()).toBe('x'.repeat(1000));
    writeFileSync(at('empty'), '');
    expect(read('empty').bytes?.length).toBe(0);
    writeFileSync(at('b'), 'x'.repeat(1001));
    expect(read('b').fault).toBe('too_large');
    const head = readRegularFile(at('b'), { root, maxBytes: 10, isHeadEnough: true });
    expect(head.bytes?.toString()).toBe('xxxxxxxxxx');
  });

  it('costs no memory where it is huge', () => {
    writeFileSync(at('huge'), '');
    truncateSync(at('huge'), 20 * 1024 ** 3);
    expect(read('huge').fault).toBe('too_large');
  });

  it('that is missing, a folder, or below a file is told from the others', () => {
    mkdirSync(at('folder'));
    writeFileSync(at('file'), '');
    expect([read('none'), read('file/none'), read('folder')].map(({ fault }) => fault)).toEqual([
      'missing',
      'missing',
      'not_regular',
    ]);
  });

  it.runIf(isUnix)('is followed through links inside its folder, and not out of it', () => {
    writeFileSync(at('a'), 'inside');
    writeFileSync(join(root, '..', 'secret'), 'outside');
    mkdirSync(join(root, '..', 'root2'));
    writeFileSync(join(root, '..', 'root2', 'near'), 'outside');
    symlinkSync(at('a'), at('in'));
    symlinkSync('../secret', at('out'));
    symlinkSync('../root2/near', at('near'));
    symlinkSync('..', at('up'));
    symlinkSync('nowhere', at('dangling'));
    symlinkSync('loop', at('loop'));
    expect(read('in').bytes?.toString()).toBe('inside');
    expect(['out', 'near', 'up/secret'].map((name) => read(name).fault)).toEqual(
      Array.from({ length: 3 }, () => 'outside'),
    );
    expect(['dangling', 'loop'].map((name) => read(name).fault)).toEqual(['missing', 'not_regular']);
  });

  it.runIf(isUnix)('that is a pipe or a socket makes nobody wait', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const server = createServer().listen(at('socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect([read('pipe'), read('socket')].map(({ fault }) => fault)).toEqual(['not_regular', 'not_regular']);
    server.close();
  });

  it.runIf(isUnix)('that is a device is never read, even where its folder is the root', () => {
    const devices = ['/dev/zero', '/dev/random', '/dev/null'];
    for (const device of devices) {
      expect(readRegularFile(device, { root: '/', maxBytes: 10 }).fault).toBe('not_regular');
    }
    // Files that tell no size are read as far as the limit goes.
    if (process.platform === 'linux') {
      // What the system fails to read is not called forbidden.
      expect(readRegularFile('/proc/self/mem', { root: '/proc', maxBytes: 10 }).fault).toBe('unreadable');
      expect(readRegularFile('/proc/self/status', { root: '/proc', maxBytes: 10 }).fault).toBe('too_large');
    }
  });
});
