import type { Locator, Page } from '@playwright/test';
import { localEnvironment } from '../support/contract-stage';
import { rawRequest, runLoad } from '../support/load-generator';
import { findFreePort } from '../support/free-port';
import { startBackend } from '../support/recording-backend';
import { callBackend } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { Shell } from './pages/shell';

/** More than two pages of a list. */
const SENT = 250;
const nameOf = (n: number): string => `SENT-${String(n).padStart(4, '0')}`;

/** Sends payouts that nobody takes: they stand in History and in Payments all the same. */
async function sendMany(page: Page, from: number, to: number): Promise<void> {
  const { environment } = await callBackend(page, 'app.status', {});
  for (let n = from; n <= to; n++) {
    await callBackend(page, 'sending.send', {
      environment: localEnvironment,
      operation: 'payout',
      title: `Payout ${nameOf(n)}`,
      method: 'POST',
      url: `${environment.baseUrl}/payments/v1/payouts`,
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify({ transaction: { reference: nameOf(n), amount: 5 } }),
    });
  }
}

const selectedOf = (list: Locator): Locator => list.locator('[aria-selected=true]');

/** Scrolls down until a row is there, as a wheel does. */
async function scrollTo(page: Page, list: Locator, row: Locator): Promise<void> {
  await list.hover();
  await expect(async () => {
    await page.mouse.wheel(0, 3000);
    await expect(row).toBeVisible({ timeout: 200 });
  }).toPass({ timeout: 20_000, intervals: [50] });
}

test(
  'History and Payments go to their oldest by the wheel, by End and by Page Down, and back',
  pageAlone,
  async ({ freshApp: { page } }) => {
    test.slow();
    // A view that shows none of it draws nothing anew at each.
    await new Shell(page).open('Settings');
    await sendMany(page, 1, SENT);
    for (const [view, name] of [
      ['history', 'Exchanges'],
      ['payments', 'Payments'],
    ] as const) {
      await page.evaluate((hash) => (location.hash = hash), `#/${view}`);
      const list = page.getByRole('listbox', { name, exact: true });
      const selected = selectedOf(list);
      await expect(list.getByRole('option').first()).toContainText(nameOf(SENT));
      await scrollTo(page, list, list.getByRole('option').filter({ hasText: nameOf(1) }));
      await expect(list.getByRole('option').last()).toHaveAttribute('aria-posinset', String(SENT));

      await list.press('Home');
      await expect(selected).toContainText(nameOf(SENT));
      for (let above = 0, turns = 0; above < SENT && turns < 100; turns++) {
        await list.press('PageDown');
        await expect(selected).not.toHaveAttribute('aria-posinset', String(above));
        above = Number(await selected.getAttribute('aria-posinset'));
        // Each row at its place: none left out, none twice.
        await expect(selected).toContainText(nameOf(SENT + 1 - above));
      }
      await expect(selected).toContainText(nameOf(1));

      // Read anew, with the first page alone loaded.
      await page.reload();
      await expect(list.getByRole('option').first()).toContainText(nameOf(SENT));
      await list.press('End');
      await expect(selected).toContainText(nameOf(1));
      await expect(selected).toHaveAttribute('aria-posinset', String(SENT));
      await list.press('Home');
      await expect(selected).toContainText(nameOf(SENT));

      // The menu that a key asks for stands below the row that it is about, though the wheel had left it.
      await list.hover();
      await page.mouse.wheel(0, 3000);
      await expect(selected).toHaveCount(0);
      await list.press('Shift+F10');
      const menu = page.getByRole('menu');
      await expect(menu).toBeVisible();
      const [below, row] = [(await menu.boundingBox())!, (await selected.boundingBox())!];
      expect(Math.abs(below.y - (row.y + row.height))).toBeLessThan(20);
      await page.keyboard.press('Escape');
      await expect(menu).toHaveCount(0);
    }
  },
);

test(
  'all that passed the proxy can be reached, by the button and by the wheel',
  pageAlone,
  async ({ freshApp: { page } }) => {
    const passed = 1200;
    const backend = await startBackend();
    const port = await findFreePort();
    await callBackend(page, 'proxy.start', { target: backend.url, port });
    const requests = Array.from({ length: passed }, (_, n) => rawRequest('GET', `/passed/${n + 1}`, []));
    const { statuses } = await runLoad({ port, requests, connections: 1, total: passed });
    expect(statuses).toEqual({ 200: passed });
    await new Shell(page).open('Your backend');
    const table = page.getByRole('grid', { name: 'Exchanges' });
    const note = page.getByText(/^The latest [\d,]+ of 1,200\./);
    await expect(note).toContainText('The latest 500 of');
    await expect(table.getByRole('row').nth(1)).toContainText(`/passed/${passed}`);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(note).toContainText('The latest 1,000 of');
    await scrollTo(page, table, table.getByRole('row').filter({ hasText: /\/passed\/1\b/ }));
    await expect(note).toBeHidden();
    await table.getByRole('row').nth(3).click();
    await page.keyboard.press('ControlOrMeta+End');
    await expect(table.locator('[aria-selected=true]')).toContainText(/\/passed\/1\b/);
    await backend.close();
  },
);

test(
  'a long table shows the row that a key goes to, after a click, too, and not behind the names of its columns',
  pageAlone,
  async ({ freshApp: { page } }) => {
    await new Shell(page).open('Settings');
    await sendMany(page, 1, 60);
    await new Shell(page).open('Sandbox');
    const table = page.getByRole('grid', { name: 'Requests' });
    const row = (n: number): Locator => table.getByRole('row').filter({ hasText: nameOf(n) });
    const isBelowHeading = (n: number): Promise<boolean> =>
      row(n).evaluate((shown) => {
        const { x, y } = shown.getBoundingClientRect();
        return document.elementFromPoint(x + 20, y + 4)!.closest('[role=row]') === shown;
      });
    await row(60).getByRole('gridcell').last().click();
    await page.keyboard.press('ControlOrMeta+End');
    await expect(row(1)).toBeInViewport({ ratio: 0.9 });
    await page.mouse.click(...(await middleOf(row(1).getByRole('gridcell').last())));
    await page.keyboard.press('ControlOrMeta+Home');
    await expect(row(60)).toBeInViewport({ ratio: 0.9 });
    await expect.poll(() => isBelowHeading(60)).toBe(true);
    await page.keyboard.press('ControlOrMeta+End');
    await expect(row(1)).toBeInViewport({ ratio: 0.9 });
    for (let n = 2; n <= 40; n++) await page.keyboard.press('ArrowUp');
    await expect(row(40).and(table.locator('[aria-selected=true]'))).toBeInViewport({ ratio: 0.9 });
    await expect.poll(() => isBelowHeading(40)).toBe(true);
  },
);

async function middleOf(shown: Locator): Promise<[number, number]> {
  const { x, y, width, height } = (await shown.boundingBox())!;
  return [x + width / 2, y + height / 2];
}
