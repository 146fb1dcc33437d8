import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const folders = ['shared', 'electron', 'renderer', 'test'];
/** An import that is there when the program runs: `import type` is not. What is asked for later can wait for a cycle. */
const IMPORT = /^(?:import|export)\s(?!type\s)(?:([^;'"]*?)\sfrom\s)?'([^']+)'/gm;
const TYPES_ALONE = /^\{(?:\s*type\s[^,}]+,?)+\s*\}$/;

/** Each module's imports from among the modules, read from their texts. */
function readImports(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  const find = (from: string, name: string): string[] => {
    const path = name.startsWith('@shared/') ? name.slice(1) : join(from, '..', name).replaceAll('\\', '/');
    return [path, `${path}.ts`, `${path}.tsx`].filter((one) => texts.has(one));
  };
  const imports = [...texts].map(([path, text]): [string, string[]] => [
    path,
    [...text.matchAll(IMPORT)]
      .filter(([, names = '']) => !TYPES_ALONE.test(names))
      .flatMap(([, , name]) => (/^(?:\.|@shared\/)/.test(name!) ? find(path, name!) : [])),
  ]);
  return new Map(imports);
}

/** Every cycle that a walk along the imports comes back into, as the modules on it. */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const way: string[] = [];
  const done = new Set<string>();
  const walk = (path: string): void => {
    if (way.includes(path)) cycles.push([...way.slice(way.indexOf(path)), path].join(' → '));
    if (way.includes(path) || done.has(path)) return;
    way.push(path);
    imports.get(path)?.forEach(walk);
    way.pop();
    done.add(path);
  };
  for (const path of imports.keys()) walk(path);
  return cycles;
}

it('finds a cycle of imports, over other modules and other names, and none of types', () => {
  const texts = new Map([
    ['shared/a.ts', "import { type B, b } from './deep/b';\nimport {\n  type C,\n  type D,\n} from './c';"],
    ['shared/deep/b.tsx', "export * from '@shared/c';"],
    ['shared/c.ts', "import type { E } from './e';\nimport './a';"],
    ['shared/e.ts', "import { c } from './c';"],
  ]);
  expect(findCycles(readImports(texts))).toEqual([
    'shared/a.ts → shared/deep/b.tsx → shared/c.ts → shared/a.ts',
  ]);
});

it('has no module that imports itself by way of others: which of them is there first would be chance', () => {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => `${folder}/${path}`.replaceAll('\\', '/')),
  );
  const imports = readImports(new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])));
  expect([...imports.values()].flat().length).toBeGreaterThan(5000);
  expect(findCycles(imports)).toEqual([]);
});
