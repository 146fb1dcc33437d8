import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error -- a script without types
import * as script from '../../scripts/make-performance-page.mjs';
import { readPage } from '../support/docs-blocks';
import { projectRoot } from '../support/run-cli';

interface Budget {
  readonly what: string;
  readonly figure?: string | null;
  readonly test?: string;
}
const { budgets, readKept, writePage } = script as {
  budgets: readonly Budget[];
  readKept: () => unknown;
  writePage: (bench: unknown) => string;
};

it('is made of what the bench measured last', () => {
  expect(readPage('docs/performance.md'), 'run: node scripts/make-performance-page.mjs').toBe(
    writePage(readKept()),
  );
});

it('says of a figure whether it holds its budget', () => {
  const results = [
    { name: 'sign, against openssl speed', ratio: 0.9, isWithinBudget: true },
    { name: 'verify, against openssl speed', ratio: 0.5, isWithinBudget: false },
  ];
  const page = writePage({ node: 'v1', results });
  expect(page).toContain('| ≥ 0.85 | 0.9 | held |');
  expect(page).toContain('| ≥ 0.65 | 0.5 | **lost** |');
  expect(page).toContain('| ≤ 2 | not measured |  |');
});

it('names for every budget a figure that a bench prints, or a test that is there', () => {
  const folder = join(projectRoot, 'test', 'bench');
  const benches = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const odd = budgets.filter(({ figure, test }) =>
    test === undefined ? figure !== null && !benches.includes(figure!) : !existsSync(join(projectRoot, test)),
  );
  expect(odd.map(({ what }) => what)).toEqual([]);
});
