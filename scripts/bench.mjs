/**
 * `npm run bench`: measures what the design budgets, each figure beside its yardstick in the same run, and
 * prints JSON. `npm run bench -- signing inbox` runs only the modules named.
 */
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { findPeers } from './bench-peers.mjs';
import { buildIfStale, root } from './build-if-stale.mjs';
import { findElectron, findOrInstallChromium } from './find-browser.mjs';

const folder = join(root, 'test', 'bench');
const wanted = process.argv.slice(2);
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.ts'))
  .map((name) => name.replace('.bench.ts', ''))
  .sort();
const unknown = wanted.find((name) => !known.includes(name));
if (unknown !== undefined) {
  console.error(`There is no bench '${unknown}'. They are: ${known.join(', ')}.`);
  process.exit(2);
}
const modules = known.filter((name) => wanted.length === 0 || wanted.includes(name));

buildIfStale();
const outDir = join(root, 'node_modules', '.cache', 'bench');
await build({
  root,
  configFile: false,
  logLevel: 'error',
  resolve: { alias: { '@shared': join(root, 'shared') } },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    target: 'node20.18',
    minify: false,
    rollupOptions: {
      input: Object.fromEntries(modules.map((name) => [name, join(folder, `${name}.bench.ts`)])),
    },
  },
});

// What `window` looks at; without an Electron it measures the browser alone.
if (['window', 'scroll', 'editor'].some((name) => modules.includes(name))) {
  process.env.COUNTERSIGN_TEST_CHROMIUM ??= findOrInstallChromium() ?? '';
  const electron = findElectron();
  if ('executable' in electron)
    process.env.COUNTERSIGN_BENCH_DESKTOP = JSON.stringify([...electron.wrapper, electron.executable]);
}

if (modules.includes('peers')) {
  const peers = findPeers(join(root, 'node_modules', '.cache'), wanted.includes('peers'));
  process.env.COUNTERSIGN_BENCH_PEERS = JSON.stringify(peers);
}

const results = [];
for (const name of modules) {
  process.stderr.write(`measuring: ${name} …\n`);
  const module = await import(pathToFileURL(join(outDir, `${name}.js`)).href);
  results.push(...(await module.run()));
}
const isWithin = ({ ratio, higherIsBetter }, limit) => (higherIsBetter ? ratio >= limit : ratio <= limit);
const rows = results.map(({ name, ratio, budget, stretch = null, ...rest }) => ({
  name,
  ratio: Number(ratio.toPrecision(4)),
  budget,
  isWithinBudget: isWithin({ ratio, ...rest }, budget),
  stretch,
  isWithinStretch: stretch === null ? null : isWithin({ ratio, ...rest }, stretch),
  ...rest,
}));
console.log(JSON.stringify({ node: process.version, processors: cpus().length, results: rows }, null, 2));
process.exit(0);
