import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const isTest = /\.test\.tsx?$|\.d\.ts$/;

/** Every source file of the product, tests apart, by its path from the root. */
const sources = new Map(
  ['shared', 'electron', 'renderer']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !isTest.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .map((path) => [path, read(path)] as const),
);

function read(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.ESNext, true);
}

/** What a file imports from the product, types included; what it loads later (`import()`) is no circle. */
function importsOf(path: string, file: ts.SourceFile): string[] {
  return file.statements
    .filter((one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one))
    .flatMap(({ moduleSpecifier }) =>
      moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : [],
    )
    .filter((text) => text.startsWith('.') || text.startsWith('@shared/'))
    .map((text) =>
      text.startsWith('@shared/')
        ? `shared/${text.slice('@shared/'.length)}`
        : join(dirname(path), text).replaceAll('\\', '/'),
    )
    .flatMap((target) => [`${target}.ts`, `${target}.tsx`].filter((one) => sources.has(one)));
}

/** Groups of files that reach each other, by Tarjan's algorithm; a file alone is none. */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const places = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    places.set(file, places.size);
    lowest.set(file, places.get(file)!);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!places.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== places.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) circles.push(group.sort());
  };
  for (const file of graph.keys()) if (!places.has(file)) visit(file);
  return circles;
}

it('sees the files that it speaks of', () => {
  expect(sources.size).toBeGreaterThan(400);
  expect(importsOf('electron/services/router.ts', sources.get('electron/services/router.ts')!)).toContain(
    'shared/errors.ts',
  );
  const circle = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
  ]);
  expect(findCircles(circle)).toEqual([['a', 'b', 'c']]);
});

it('has no circle of imports, those of types included', () => {
  const graph = new Map([...sources].map(([path, file]) => [path, importsOf(path, file)] as const));
  expect(findCircles(graph)).toEqual([]);
});

it('gives no two exported types one name', () => {
  const places = new Map<string, string[]>();
  for (const [path, file] of sources) {
    for (const one of file.statements) {
      const isType =
        ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) || ts.isClassDeclaration(one);
      if (!isType || one.name === undefined) continue;
      if (!one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
      places.set(one.name.text, [...(places.get(one.name.text) ?? []), path]);
    }
  }
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
