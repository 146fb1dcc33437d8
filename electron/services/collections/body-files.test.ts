import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBodyFile } from './body-files';

let base: string;
let collection: string;
let folder: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'countersign-body-files-'));
  collection = join(base, 'collection');
  folder = join(collection, 'Payouts');
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(base, 'collection-b'));
  writeFileSync(join(base, 'outside.bin'), 'outside');
  writeFileSync(join(base, 'collection-b', 'c.bin'), 'sibling');
  writeFileSync(join(collection, 'collection.json'), '{}');
  writeFileSync(join(collection, 'shared.bin'), Buffer.from([0, 255]));
  writeFileSync(join(folder, 'own.bin'), 'own');
  symlinkSync(join(base, 'outside.bin'), join(folder, 'link.bin'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('readBodyFile', () => {
  it('reads bytes of the collection, from the request on', () => {
    expect(readBodyFile(folder, './own.bin').toString()).toBe('own');
    expect([...readBodyFile(folder, '../shared.bin')]).toEqual([0, 255]);
    expect(readBodyFile(folder, join(folder, 'own.bin')).toString()).toBe('own');
  });

  it.each(['../../outside.bin', '../../collection-b/c.bin', 'link.bin', '/etc/hostname', '/etc/passwd'])(
    'never leaves it: %s',
    (path) => {
      expect(() => readBodyFile(folder, path)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/bad_path|unknown/) as string }),
      );
    },
  );

  it('sends no pointer that Git LFS left in the place of a file', () => {
    writeFileSync(
      join(folder, 'lfs.bin'),
      'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n',
    );
    expect(() => readBodyFile(folder, 'lfs.bin')).toThrow(
      "'lfs.bin' is a pointer of Git LFS, and the file itself was not fetched: run git lfs pull.",
    );
  });

  it('says of a file that iCloud took from the disk that it did, and of the collection by what it left there', () => {
    const cloud = join(base, 'cloud');
    mkdirSync(join(cloud, 'in'), { recursive: true });
    for (const name of ['pay.json', 'collection.json'])
      writeFileSync(join(cloud, `.${name}.icloud`), 'bplist00');
    expect(() => readBodyFile(join(cloud, 'in'), '../pay.json')).toThrow(
      "'../pay.json' is in iCloud and not on this disk. Download it.",
    );
  });

  it('takes the folder of the request where there is no collection', () => {
    expect(readBodyFile(base, 'outside.bin').toString()).toBe('outside');
    expect(() => readBodyFile(join(base, 'collection-b'), '../outside.bin')).toThrow(/outside/);
  });

  it('refuses what is no file, and says what is not there', () => {
    expect(() => readBodyFile(folder, 'pipe')).toThrow(/no regular file/);
    expect(() => readBodyFile(folder, '.')).toThrow(/no regular file/);
    expect(() => readBodyFile(folder, 'gone.bin')).toThrow(/There is no file 'gone.bin'/);
  });
});
