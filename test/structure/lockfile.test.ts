import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface Locked {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly resolved?: string;
}
const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8'),
) as { packages: Record<string, Locked> };

/** Where Node would find a dependency of the package at a path, from the inside out. */
function listPlaces(path: string, name: string): string[] {
  const places = [`${path}/node_modules/${name}`];
  for (
    let at = path.lastIndexOf('/node_modules/');
    at !== -1;
    at = path.lastIndexOf('/node_modules/', at - 1)
  ) {
    places.push(`${path.slice(0, at)}/node_modules/${name}`);
  }
  return [...places, `node_modules/${name}`];
}

it('locks what each package asks for, that of other systems included: else npm ci refuses it all', () => {
  const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !listPlaces(path, name).some((place) => place in packages))
      .map((name) => `${path} asks for ${name}`),
  );
  expect(missing).toEqual([]);
});

it('names no address that a package was fetched from: that is for each machine to say', () => {
  const resolved = Object.entries(packages).filter(([, one]) => one.resolved?.startsWith('http'));
  expect(resolved.map(([path]) => path)).toEqual([]);
});
