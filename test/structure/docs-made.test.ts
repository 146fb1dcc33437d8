import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPage } from '../support/docs-blocks';
import { madeSections, makePage } from '../support/docs-made';
import { projectRoot } from '../support/run-cli';

/** `npm run docs -- --made` writes what would otherwise be a failure. */
const isWriting = process.env['COUNTERSIGN_WRITE_DOCS'] === '1';

it.each(Object.keys(madeSections))('%s says what the program has in itself', async (page) => {
  const text = readPage(page);
  const made = await makePage(page, text);
  if (isWriting) writeFileSync(join(projectRoot, page), made);
  else expect(text, 'run: npm run docs -- --made').toBe(made);
});
