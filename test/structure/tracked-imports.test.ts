import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const isModule = /\.(?:mjs|tsx?)$/;

/** Every path that git tracks; null where this is no clone. */
function listTracked(): Set<string> | null {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  return existsSync(join(root, '.git')) && status === 0 ? new Set(stdout.split('\0')) : null;
}

/** What a file imports by a relative path, also when it is asked for later. */
function listRelativeImports(path: string): string[] {
  return ts
    .preProcessFile(readFileSync(join(root, path), 'utf8'))
    .importedFiles.map(({ fileName }) => fileName)
    .filter((text) => text.startsWith('.'));
}

/** Relative imports whose file git does not have: a clone lacks it. */
function findUntracked(paths: readonly string[], tracked: ReadonlySet<string>): string[] {
  return paths.flatMap((path) =>
    listRelativeImports(path)
      .filter((text) => {
        const target = join(dirname(path), text.replace(/\?.*$/, '')).replaceAll('\\', '/');
        return !['', '.ts', '.tsx', '.d.ts', '.mjs'].some((ending) => tracked.has(`${target}${ending}`));
      })
      .map((text) => `${path} imports ${text}`),
  );
}

const tracked = listTracked();

it('imports from scripts and tests only what git tracks', ({ skip }) => {
  if (tracked === null) return skip('there is no git here that could say what it tracks');
  const paths = [...tracked].filter(
    (path) => /^(?:scripts|test)\//.test(path) && isModule.test(path) && existsSync(join(root, path)),
  );
  expect(paths.length).toBeGreaterThan(100);
  expect(findUntracked(paths, tracked)).toEqual([]);
});
