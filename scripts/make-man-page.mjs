/** Writes `out/man/countersign.1` from the option tables of the commands; `npm pack` takes it along. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root } from './build-if-stale.mjs';

const outDir = join(root, 'node_modules', '.cache', 'man');
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
    rollupOptions: {
      input: {
        'man-page': join(root, 'electron/cli/completion/man-page.ts'),
        'describe-commands': join(root, 'electron/cli/completion/describe-commands.ts'),
      },
    },
  },
});
const load = (name) => import(pathToFileURL(join(outDir, `${name}.js`)).href);
const { writeManPage } = await load('man-page');
const { describeCommands } = await load('describe-commands');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
mkdirSync(join(root, 'out', 'man'), { recursive: true });
writeFileSync(join(root, 'out', 'man', 'countersign.1'), writeManPage(await describeCommands(), version));
