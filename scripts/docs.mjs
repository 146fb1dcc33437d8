/**
 * `npm run docs`: the docs as a site, into `docs/.vitepress/dist`, without the network.
 *
 * `-- --serve` shows it afterwards, on 127.0.0.1 until Ctrl+C. `-- --made` writes the parts of pages that are made from
 * the source, in place of the site.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { preview } from 'vite';
import { build } from 'vitepress';
import { cleanEnvironment } from './clean-environment.mjs';
import { root } from './build-if-stale.mjs';
import { checkSite } from './check-docs-site.mjs';

const folder = join(root, 'docs');
const wanted = process.argv.slice(2);
const unknown = wanted.find((one) => !['--serve', '--made'].includes(one));
if (unknown !== undefined) {
  console.error(`There is no option '${unknown}'. There are --serve and --made.`);
  process.exit(2);
}

if (wanted.includes('--made')) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--project', 'unit', 'test/structure/docs-made.test.ts'],
    { cwd: root, stdio: 'inherit', env: { ...cleanEnvironment(), COUNTERSIGN_WRITE_DOCS: '1' } },
  );
  process.exit(status ?? 1);
}
await build(folder);
const faults = checkSite(join(folder, '.vitepress', 'dist'));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
if (wanted.includes('--serve')) {
  // VitePress' own server listens to the whole network.
  const server = await preview({
    root: folder,
    configFile: false,
    appType: 'mpa',
    base: process.env['DOCS_BASE'] ?? '/',
    build: { outDir: join(folder, '.vitepress', 'dist') },
    preview: { host: '127.0.0.1', port: 4173 },
  });
  server.printUrls();
}
