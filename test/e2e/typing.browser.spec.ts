import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { makeBodies } from '../bench/signing-bodies';
import { callBackend } from './backend';
import { expect, test } from './fixtures';
import { measureKeyStrokes } from './key-strokes';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

const { pretty, megabyte } = makeBodies();
const STROKES = 30;
/** Beyond what the same stroke costs in a small body: that is the window and the machine. `npm run bench -- editor` has the figures. */
const longestMs = 16 * (process.env['COUNTERSIGN_TEST_ALONE'] === '1' ? 1 : 3);

async function writeRequest(page: Page, name: string, body: string): Promise<void> {
  await new Shell(page).open('Requests');
  const { collections } = await callBackend(page, 'collections.list', {});
  const text = `# @name ${name}\n# @operation remittance\nPOST {{base_url}}/x\nContent-Type: application/json\n\n${body}\n`;
  writeFileSync(join(collections[0]!.directory, `${name}.http`), text);
  await new RequestsPage(page).open(name);
  await page.locator('.view-line').first().click();
}

test('a stroke in a body of a megabyte on one line costs what it does in a small one, and little more', async ({
  page,
}) => {
  const middles: number[] = [];
  for (const [name, body] of [
    ['Typed into, small', pretty],
    ['Typed into, large', megabyte],
  ] as const) {
    await writeRequest(page, name, body);
    await page.waitForTimeout(1000);
    const strokes = (await measureKeyStrokes(page, STROKES)).sort((a, b) => a - b);
    expect(strokes).toHaveLength(STROKES);
    middles.push(strokes[STROKES >> 1]!);
  }
  expect(middles[1]! - middles[0]!, middles.join(' → ')).toBeLessThanOrEqual(longestMs);
});

test('what is wrong with a body stands while one types elsewhere in it', async ({ page }) => {
  const name = 'Typed into, with a fault';
  await writeRequest(page, name, pretty.replace('"KES"', '"KSH"'));
  const fault = page
    .getByText('transaction.currency', { exact: false })
    .and(page.locator(':not(.view-line *)'));
  await expect(fault.first()).toBeVisible();
  await page.evaluate(() => {
    const strip = document.querySelector('[aria-label="String to sign"]')!;
    const read = (): number => strip.getBoundingClientRect().height;
    const heights = new Set([read()]);
    new MutationObserver(() => heights.add(read())).observe(strip, { subtree: true, childList: true });
    Object.assign(window, { stripHeights: heights });
  });
  await page.locator('.view-line').getByText('Family support').first().click();
  for (const digit of '12345') {
    await page.keyboard.type(digit);
    await page.waitForTimeout(150);
  }
  expect(await new RequestsPage(page).readBody()).toContain('12345');
  expect(
    await page.evaluate(() => [...(window as unknown as { stripHeights: Set<number> }).stripHeights]),
  ).toHaveLength(1);
});
