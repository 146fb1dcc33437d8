/** What is shipped: the packages that the build bundled, and those that are installed beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const bundles = ['out', 'out/preload', 'out/renderer'];
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Where packages stand that were bundled (as the build wrote it) or are installed at run time, of every system. */
function listPlaces(root, lock) {
  const bundled = bundles.flatMap((folder) => readJson(join(root, folder, 'bundled-packages.json')));
  // Not marked as for development: what `npm install countersign` brings, on whatever system.
  const installed = Object.entries(lock.packages)
    .filter(([place, { dev, devOptional, link }]) => place !== '' && !dev && !devOptional && !link)
    .map(([place]) => place);
  return { bundled: [...new Set(bundled)].sort(), installed };
}

/**
 * Lists every package of what is shipped, from the graph of the built bundle and the lockfile.
 * @returns name, version, licence (SPDX), place, hash, and `use`: 'bundled' or 'installed'
 * @throws where a bundled package is not in the lockfile, or has no licence
 */
export function listShipped(root) {
  const lock = readJson(join(root, 'package-lock.json'));
  const { bundled, installed } = listPlaces(root, lock);
  const describe = (use) => (place) => {
    const locked = lock.packages[place];
    if (locked === undefined) throw new Error(`${place} is bundled, but is not in package-lock.json.`);
    const manifest = join(root, place, 'package.json');
    const license = locked.license ?? (existsSync(manifest) ? readJson(manifest).license : undefined);
    if (typeof license !== 'string')
      throw new Error(`${place} names no licence: look at it, then say so here.`);
    const name = locked.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name, version: locked.version, license, place, integrity: locked.integrity ?? null, use };
  };
  const all = [...bundled.map(describe('bundled')), ...installed.map(describe('installed'))];
  const seen = new Set();
  return all
    .filter(({ name, version }) => !seen.has(`${name}@${version}`) && seen.add(`${name}@${version}`))
    .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
}

/** Where the licence stands in a package, and that of what it contains itself: its own files, else a part of its README. */
export function readLicenceTexts(root, { place }) {
  const folder = join(root, place);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).sort();
  const read = (name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim();
  const files = names
    .filter((name) => /^(?:licen[cs]e|copying|notice|third-?party-?notices?|ofl)(?:[.-].*)?$/i.test(name))
    .filter((name) => !/\.(?:js|json|ts|spdx)$/i.test(name))
    .map((name) => ({ name, text: read(name) }));
  if (files.length > 0) return files;
  return names
    .filter((name) => /^readme(?:\..*)?$/i.test(name))
    .flatMap((name) => {
      const [text] = /^#+ *licen[cs]e\b[\s\S]*|^licen[cs]e\n-+\n[\s\S]*/im.exec(read(name)) ?? [];
      return text === undefined ? [] : [{ name, text: text.trim() }];
    });
}
