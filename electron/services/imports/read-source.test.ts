import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readSource } from './read-source';

function readNested(levels: number): readonly { path: string }[] {
  const root = makeTemporaryFolder('read-source');
  const folder = join(root, ...Array<string>(levels).fill('a'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'x.bru'), 'get {\n  url: https://x.test/a\n}\n');
  return readSource({ kind: 'path', path: root }).source.files;
}

describe('a folder that is imported', () => {
  it('is read as deep as a collection is laid out, and no deeper', () => {
    expect(readNested(30)).toMatchObject([{ path: `${'a/'.repeat(30)}x.bru` }]);
    expect(() => readNested(31)).toThrow('deeper than 30 levels');
  });

  // Other systems take no such name.
  it.runIf(process.platform === 'linux').each(['.bru', ''])(
    'is refused for a name that is not UTF-8: %s',
    (extension) => {
      const root = makeTemporaryFolder('read-source-name');
      const name = Buffer.from(`${root}/caf\xe9${extension}`, 'latin1');
      if (extension === '') mkdirSync(name);
      else writeFileSync(name, 'get {\n  url: https://x.test/a\n}\n');
      expect(() => readSource({ kind: 'path', path: root })).toThrow(
        `caf\ufffd${extension} has a name that is not UTF-8: rename it. Nothing was imported.`,
      );
    },
  );
});
