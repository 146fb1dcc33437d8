import type { Plugin } from 'vite';

/** Name of the list beside what was built. */
export const BUNDLED_FILE = 'bundled-packages.json';

/** What a bundler adds of its own, by how the ids of such modules begin. */
const ownRuntimes: readonly (readonly [prefix: string, name: string])[] = [
  ['\0vite/', 'vite'],
  ['\0rolldown/', 'rolldown'],
];

/** Finds the package that a module is of; a package within another's `node_modules` by its whole place. */
function findPackage(id: string): string | null {
  const runtime = ownRuntimes.find(([prefix]) => id.startsWith(prefix));
  if (runtime !== undefined) return `node_modules/${runtime[1]}`;
  const [, place] = /^\0?.*?\/(node_modules\/.*)$/.exec(id.replaceAll('\\', '/')) ?? [];
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(place ?? '')?.[0] ?? null;
}

/** Writes beside a bundle the places of all packages that something of it is from: `npm run third-party` reads it. */
export function namePackages(): Plugin {
  return {
    name: 'name-packages',
    generateBundle(_options, bundle) {
      const rendered = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
      // Style sheets become assets, and with them the fonts that they name.
      const styles = [...this.getModuleIds()].filter((id) => /\.css(?:\?|$)/.test(id));
      const places = new Set([...rendered, ...styles].map(findPackage).filter((place) => place !== null));
      const source = `${JSON.stringify([...places].sort(), null, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: BUNDLED_FILE, source });
    },
  };
}
