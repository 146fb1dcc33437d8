import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const sources = new Map(
  ['shared', 'electron', 'renderer']
    .flatMap((folder) => ts.sys.readDirectory(join(root, folder), ['.ts', '.tsx']))
    .filter((file) => !/\.(?:test|d)\.tsx?$/.test(file))
    .map((file) => [relative(root, file), readFileSync(file, 'utf8')]),
);

/** Every import counts, of types too: who reads one file must not have to read the others to understand it. */
function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(sources.get(file) ?? '');
  return importedFiles.flatMap(({ fileName }) => {
    const base = fileName.startsWith('@shared/')
      ? fileName.replace('@shared/', 'shared/')
      : join(dirname(file), fileName);
    return [`${base}.ts`, `${base}.tsx`].filter((one) => sources.has(one));
  });
}

/** Finds the files that reach themselves again over imports, each circle as one line. */
function findCircles(): string[] {
  const circles = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at !== -1) circles.add([...path.slice(at), file].join(' → '));
    if (at !== -1 || done.has(file)) return;
    for (const next of importsOf(file)) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return [...circles];
}

function findDoubleTypes(): string[] {
  const places = new Map<string, string[]>();
  for (const [file, source] of sources) {
    for (const [, name = ''] of source.matchAll(/^export (?:interface|type|class|enum) (\w+)/gm)) {
      places.set(name, [...(places.get(name) ?? []), file]);
    }
  }
  return [...places]
    .filter(([, found]) => found.length > 1)
    .map(([name, found]) => `${name}: ${found.join(', ')}`);
}

describe('the source', () => {
  it('is read whole', () => {
    expect(sources.size).toBeGreaterThan(300);
    expect(importsOf('renderer/main.tsx')).toContain('renderer/app/app.tsx');
  });

  it('has no circle of imports', () => {
    expect(findCircles()).toEqual([]);
  });

  it('has no two types of one name', () => {
    expect(findDoubleTypes()).toEqual([]);
  });
});
