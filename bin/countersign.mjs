#!/usr/bin/env node
/**
 * `countersign`: the built command line. In a clone that is not built yet it builds first, or says what that needs; a package has
 * its build in it.
 */
import { existsSync } from 'node:fs';
import { explainOldNode } from './known-nodes.mjs';

const at = (path) => new URL(path, import.meta.url);
const program = at('../out/cli/index.js');

const trouble = explainOldNode();
if (trouble !== null) {
  process.stderr.write(`countersign: ${trouble}\n`);
  process.exit(2);
}
if (!existsSync(program)) {
  const { buildIfStale } = await import('../scripts/build-if-stale.mjs');
  buildIfStale();
}
await import(program.href);
