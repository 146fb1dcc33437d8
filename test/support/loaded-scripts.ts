import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Lists a built script and all that it imports at once; what comes on demand is left out. */
export function listImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)\s*["'](\.\.?\/[^"']+\.js)["']/g)) {
    listImports(join(file, '..', name!), found);
  }
  return found;
}

/** The scripts that the page names, and those that its first view needs besides, as `npm run build` made them. */
export function listFirstScripts(): { frame: string[]; view: string[] } {
  const folder = resolve('out/renderer');
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const found = new Set<string>();
  for (const [, name] of page.matchAll(/(?:src|href)="([^"]+\.js)"/g))
    listImports(join(folder, name!), found);
  const frame = [...found];
  for (const name of readdirSync(join(folder, 'assets'))) {
    if (/^requests-view-.*\.js$/.test(name)) listImports(join(folder, 'assets', name), found);
  }
  const view = [...found].slice(frame.length);
  if (view.length === 0) throw new Error('The first view has another name now.');
  return { frame, view };
}
