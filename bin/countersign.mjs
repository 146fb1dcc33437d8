#!/usr/bin/env node
/**
 * `countersign`: the built command line. In a clone that is not built yet it builds first, or says what that needs; a package has
 * its build in it.
 */
import { existsSync } from 'node:fs';

const at = (path) => new URL(path, import.meta.url);
const program = at('../out/cli/index.js');

async function build() {
  if (!existsSync(at('../node_modules/electron-vite'))) {
    process.stderr.write(
      'countersign: its packages are not installed here yet. Run npm ci, then this again.\n',
    );
    process.exit(2);
  }
  const { buildIfStale } = await import('../scripts/build-if-stale.mjs');
  buildIfStale();
}

if (!existsSync(program)) await build();
await import(program.href);
