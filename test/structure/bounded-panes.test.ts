import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const renderer = resolve(import.meta.dirname, '..', '..', 'renderer');

/** Blocks of every style sheet: file, selector, declarations. */
const blocks = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css'))
  .flatMap((path) =>
    [...readFileSync(join(renderer, path), 'utf8').matchAll(/([^{}]+)\{([^{}]*)\}/g)].map((match) => ({
      path,
      selector: match[1]!.trim(),
      text: match[2]!,
    })),
  );

/** One that may not shrink is as high as what it holds, unless it says how high: a long body would then be drawn whole. */
it('bounds each pane that may not shrink', () => {
  const rigid = blocks.filter(({ text }) => /flex: \d+ 0 \d+px/.test(text));
  expect(rigid.length).toBeGreaterThan(0);
  const unbounded = rigid.filter(({ text }) => !/(?:min-|max-|\s)(?:height|width): \d+px/.test(text));
  expect(unbounded.map(({ path, selector }) => `${path} ${selector}`)).toEqual([]);
});
