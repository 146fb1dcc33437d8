import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { holdOutFolder } from '../../platform/files/hold-out-folder';
import { finishImports } from './finish-import';
import { importUse, listStages, nameStage, writeJournal } from './import-journal';
import { hashContent } from './target-folder';

const list = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');

/** A folder as a killed import leaves it: `placed` of its files are in their places, the rest is staged. */
function makeHalfImport(
  files: Readonly<Record<string, { before: string | null; staged?: string }>>,
  placed: readonly string[] = [],
): { root: string; stage: string } {
  const root = makeTemporaryFolder('half-import');
  const stage = nameStage(root, '0123456789ab');
  mkdirSync(stage);
  const entries = Object.entries(files);
  for (const [index, [path, { before, staged = 'new' }]] of entries.entries()) {
    const isPlaced = placed.includes(path);
    const file = join(root, path);
    if (isPlaced) writeFileSync(file, 'new');
    else writeFileSync(join(stage, `new-${index}`), staged);
    if (isPlaced && before !== null) writeFileSync(join(stage, `old-${index}`), before);
    if (!isPlaced && before !== null) writeFileSync(file, before);
  }
  writeJournal(stage, {
    files: entries.map(([path, { before }]) => ({
      path,
      before: before === null ? null : hashContent(before),
      after: hashContent('new'),
    })),
  });
  return { root, stage };
}

describe('an import that was killed', () => {
  it('is brought to its end: what was staged takes its place, and nothing else is left', () => {
    const half = { 'a.http': { before: 'old' }, 'b.http': { before: 'old' }, 'in/c.http': { before: null } };
    const { root } = makeHalfImport(half, ['a.http']);
    expect(finishImports(root)).toMatch(/interrupted.*brought to its end: 2 files took their places now/);
    expect(list(root)).toEqual(['a.http', 'b.http', 'in', join('in', 'c.http')]);
    for (const path of Object.keys(half)) expect(read(root, path)).toBe('new');
    expect(finishImports(root)).toBeNull();
  });

  it('leaves a file that somebody wrote to since, and names it', () => {
    const { root } = makeHalfImport({ 'a.http': { before: 'old' }, 'b.http': { before: null } });
    writeFileSync(join(root, 'a.http'), 'mine');
    writeFileSync(join(root, 'b.http'), 'mine');
    expect(finishImports(root)).toContain('left as they are: a.http, b.http.');
    expect([read(root, 'a.http'), read(root, 'b.http'), list(root)]).toEqual([
      'mine',
      'mine',
      ['a.http', 'b.http'],
    ]);
  });

  it('puts no bytes in place that are not whole', () => {
    const { root } = makeHalfImport({ 'a.http': { before: 'old', staged: 'ne' } });
    expect(finishImports(root)).toContain('left as they are: a.http.');
    expect([read(root, 'a.http'), list(root)]).toEqual(['old', ['a.http']]);
  });

  it('changed nothing before its journal stood, and only its own files go', () => {
    const root = makeTemporaryFolder('half-import');
    mkdirSync(nameStage(root, '0123456789ab'));
    writeFileSync(join(nameStage(root, '0123456789ab'), 'new-0'), 'new');
    expect(finishImports(root)).toBeNull();
    expect(list(root)).toEqual([]);
    // What an earlier version left may be the last copy of a file.
    mkdirSync(nameStage(root, '0123456789ab'));
    writeFileSync(join(nameStage(root, '0123456789ab'), 'old-0'), 'old');
    expect(finishImports(root)).toBeNull();
    expect(list(root)).toHaveLength(2);
  });

  it('is left to whoever is at it', () => {
    const { root } = makeHalfImport({ 'a.http': { before: 'old' } });
    const { held } = holdOutFolder(root, importUse);
    expect(finishImports(root)).toBeNull();
    expect(read(root, 'a.http')).toBe('old');
    held!.release();
    expect(finishImports(root)).not.toBeNull();
    expect(read(root, 'a.http')).toBe('new');
  });

  it('leads nowhere else where it came with a stranger’s folder', () => {
    const outside = makeTemporaryFolder('outside');
    for (const path of [
      '../out.http',
      '.git/hooks/post-commit',
      'GIT~1/hooks/x',
      'a\\..\\..\\b',
      '/etc/x',
      '',
      'a\u001b[2J.http',
      'a\u202eb.http',
      'a\nb.http',
      `${'p'.repeat(256)}.http`,
      'folder/'.repeat(1000) + 'a.http',
    ]) {
      const { root, stage } = makeHalfImport({ 'a.http': { before: null } });
      writeJournal(stage, { files: [{ path, before: null, after: hashContent('new') }] });
      expect(finishImports(root)).toBeNull();
      expect(list(root)).toEqual([]);
      expect(existsSync(join(root, '..', 'out.http'))).toBe(false);
    }
    const { root, stage } = makeHalfImport({ 'a.http': { before: null } });
    symlinkSync(outside, join(root, 'link'));
    writeJournal(stage, { files: [{ path: 'link/a.http', before: null, after: hashContent('new') }] });
    expect(finishImports(root)).toContain('left as they are: link/a.http');
    expect(list(outside)).toEqual([]);
    // A link that is called as a stage is none.
    symlinkSync(outside, nameStage(root, 'ffffffffffff'));
    writeFileSync(join(outside, 'kept'), '');
    expect(finishImports(root)).toBeNull();
    expect(list(outside)).toEqual(['kept']);
  });

  it('reads no more of many than one folder may have: the rest waits for the next time', () => {
    const root = makeTemporaryFolder('many-journals');
    for (let index = 0; index < 9; index++) {
      const stage = nameStage(root, String(index).padStart(12, '0'));
      mkdirSync(stage);
      const journal = join(stage, 'journal.json');
      writeFileSync(journal, '');
      truncateSync(journal, 20 * 1024 * 1024);
    }
    expect(listStages(root)).toHaveLength(3);
    expect(finishImports(root)).toBeNull();
  });
});
