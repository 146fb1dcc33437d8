import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { callBackend } from '../e2e/backend';
import { measureKeyStrokes } from '../e2e/key-strokes';
import { skipWelcome } from '../support/skip-welcome';
import type { BenchResult } from './bench-result';
import { makeBodies, shortenRows } from './signing-bodies';
import { medianOf } from './signing-yardsticks';
import { withApp } from './window.bench';

const STROKES = 220;
const WARM_UP_STROKES = 20;

/** Types into a request of 1 MB in the window itself: editor, string to sign, problems, all that stands beside them. */
export async function run(): Promise<BenchResult[]> {
  const data = mkdtempSync(join(tmpdir(), 'countersign-bench-editor-'));
  skipWelcome(data);
  const browser = await chromium.launch({
    executablePath: process.env['COUNTERSIGN_TEST_CHROMIUM'] || undefined,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const { megabyte, pretty } = makeBodies();
  try {
    const results: BenchResult[] = [];
    await withApp(data, async (url) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.goto(url);
      await page.getByRole('treegrid').getByRole('row').first().waitFor();
      const small = await typeInto(page, 'A small body', pretty);
      const line = await typeInto(page, 'A megabyte in one line', megabyte);
      const lines = await typeInto(page, 'A megabyte in lines', shortenRows(megabyte));
      results.push(describe('1 MB in one line', line, small), describe('1 MB in lines', lines, small));
    });
    return results;
  } finally {
    await browser.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Gives what each stroke cost, the cheapest first. */
async function typeInto(page: Page, name: string, body: string): Promise<number[]> {
  const { collections } = await callBackend(page, 'collections.list', {});
  writeFileSync(join(collections[0]!.directory, `${name}.http`), printRequest(name, body));
  await page.getByRole('treegrid').getByRole('row', { name, exact: true }).click();
  await page.locator('.view-line').first().click();
  // What the first lines of a text cost is no stroke's.
  await page.waitForTimeout(3000);
  const strokes = await measureKeyStrokes(page, STROKES);
  return strokes.slice(WARM_UP_STROKES).sort((a, b) => a - b);
}

const percentile99 = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * 0.99)]!;

/** @param small - the same strokes in a body of the usual length: what the window costs by itself, on this machine */
function describe(what: string, strokes: readonly number[], small: readonly number[]): BenchResult {
  return {
    name: `key stroke to the frame drawn, ${what}, p99 (ms)`,
    ratio: percentile99(strokes),
    budget: 16,
    higherIsBetter: false,
    figures: {
      medianMs: medianOf([...strokes]),
      maxMs: strokes.at(-1)!,
      smallMedianMs: medianOf([...small]),
      smallP99Ms: percentile99(small),
    },
  };
}

const printRequest = (name: string, body: string): string =>
  `# @name ${name}\n# @operation remittance\nPOST {{base_url}}/payments/v1/remittance\n` +
  `Authorization: Bearer {{token.remittance}}\nX-Custom-Signature: {{signature}}\nContent-Type: application/json\n\n${body}\n`;
