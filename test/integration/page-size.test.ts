import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listFirstScripts, listImports } from '../support/loaded-scripts';

const assets = resolve('out/renderer/assets');
const sizeOf = (pattern: RegExp): number => {
  const names = readdirSync(assets).filter((name) => pattern.test(name));
  return names.reduce((total, name) => total + statSync(join(assets, name)).size, 0);
};

describe('what the window loads', () => {
  it('has the editor in at most 2.2 MB, and no worker but those that read and compare long answers', () => {
    const bytes = sizeOf(/^monaco-editor-.*\.js$/);
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThanOrEqual(2_200_000);
    const workers = readdirSync(assets).filter((name) => /worker/.test(name));
    expect(workers.map((name) => name.replace(/-[\w-]{8}\.js$/, '')).sort()).toEqual([
      'compare-worker',
      'json-document-worker',
    ]);
  });

  it('has nothing else as large as 500 kB', () => {
    const large = readdirSync(assets).filter((name) => statSync(join(assets, name)).size > 500_000);
    expect(large).toEqual([expect.stringMatching(/^monaco-editor-.*\.js$/)]);
  });

  /** Schemas of the contract do, to ask whether they may: a browser tells of it as an error of the page. */
  it('makes no code of text', () => {
    const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
    const making = scripts.filter((name) =>
      /\b(?:Function|eval)\((?!\))/.test(readFileSync(join(assets, name), 'utf8')),
    );
    expect(scripts.length).toBeGreaterThan(50);
    expect(making).toEqual([]);
  });

  it('loads at most 250 kB before its first view, gzipped, in a few files', () => {
    const { frame, view } = listFirstScripts();
    const files = [...frame, ...view];
    const bytes = files.reduce((total, file) => total + gzipSync(readFileSync(file)).length, 0);
    expect(files.length).toBeLessThanOrEqual(6);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(250_000);
  });
});

const listLoaded = (folder: string, name: string): string[] =>
  [...listImports(resolve('out', folder, name))].map((file) => basename(file).replace(/-[\w-]{8}\.js$/, ''));
const findChunk = (name: string): string => {
  const found = readdirSync(resolve('out/chunks')).filter((file) =>
    new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file),
  );
  expect(found).toHaveLength(1);
  return found[0]!;
};

describe('what the command line loads', () => {
  it('is two files beside its own for any command, and one more for the sandbox or the listener', () => {
    expect(listLoaded('cli', 'index.js').toSorted()).toEqual(
      ['index.js', 'start', 'start', 'rolldown-runtime'].toSorted(),
    );
    for (const name of ['serve', 'listen']) {
      expect(listLoaded('chunks', findChunk(name)).toSorted()).toEqual(
        ['rolldown-runtime', name, 'start', 'start'].toSorted(),
      );
    }
  });

  /** Of memory that was freed the C library keeps as much as the largest file that was read, in each of its arenas. */
  it('has no file as large as 300 kB among those that the app starts with', () => {
    const sizes = readdirSync(resolve('out/chunks'))
      .filter((name) => /^(?:start|send|serve|listen|schemas|search-words)-[\w-]{8}\.js$/.test(name))
      .map((name) => statSync(resolve('out/chunks', name)).size);
    expect(sizes.length).toBeGreaterThanOrEqual(9);
    expect(sizes.filter((bytes) => bytes > 300_000)).toEqual([]);
  });
});

describe('what a thread loads', () => {
  const worker = (name: string): string[] => listLoaded('workers', name);

  it('is the listener’s for the listener, and the sandbox’s for the sandbox', () => {
    expect(worker('listener.js')).toEqual(expect.arrayContaining(['listen', 'start']));
    expect(worker('listener.js')).not.toContain('serve');
    expect(worker('sandbox.js')).toEqual(expect.arrayContaining(['serve', 'start']));
    expect(worker('sandbox.js')).not.toContain('listen');
  });

  it('is Latin-1: one wide character doubles what V8 keeps of a whole script', () => {
    const scripts = readdirSync(resolve('out'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?:^|[\\/])(?:chunks|cli|main|workers|assets)[\\/][^\\/]*\.js$/.test(name),
    );
    const wide = scripts.filter((name) => /[^\0-\u00ff]/.test(readFileSync(resolve('out', name), 'utf8')));
    expect(scripts.length).toBeGreaterThan(100);
    expect(wide).toEqual([]);
  });
});
