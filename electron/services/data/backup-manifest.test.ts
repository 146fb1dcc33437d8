import { expect, it } from 'vitest';
import { readManifest } from './backup-manifest';

const read = (paths: readonly string[]) =>
  readManifest(
    Buffer.from(
      JSON.stringify({
        format: 'countersign-backup',
        version: 1,
        app_version: '1',
        made_at: '2026-01-01T00:00:00.000Z',
        made_on: 'x',
        secrets: { sealed_by: 'none', note: '' },
        files: paths.map((path) => ({ path, size: 0, sha256: '0'.repeat(64) })),
      }),
    ),
  );

it('takes folders within folders', () => {
  const paths = ['collections/a/b/c', 'collections/a/B/d', 'collections/b', 'runs/1'];
  expect(read(paths).files.map(({ path }) => path)).toEqual(paths);
});

it.each([
  [['collections/a/b', 'collections/A']],
  [['collections/x', 'collections/a', 'collections/a/b/c/d']],
  [['collections/é', 'collections/e\u0301']],
])('refuses a file that has the name of another one or of a folder: %j', (paths) => {
  expect(() => read(paths)).toThrow('two of its files have one name');
});

it('refuses empty files that would fill a disk with folders', () => {
  const paths = Array.from({ length: 60_000 }, (_, index) => `collections/${index}${'/a'.repeat(200)}`);
  expect(() => read(paths)).toThrow('more than 100000 folders');
});

it.each(['[]', 'null', '7'])('says of a list that is none where the fault is: %s', (text) => {
  expect(() => readManifest(Buffer.from(text))).toThrow('refused: its list of files is not as it must be');
});
