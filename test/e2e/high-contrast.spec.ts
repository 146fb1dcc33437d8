import type { Locator } from '@playwright/test';
import { callBackend, postWebhook } from './backend';
import { focusByTab } from './by-keyboard';
import { expect, pageAlone, test } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { Shell } from './pages/shell';

const readEdge = (one: Locator) =>
  one.evaluate((element) => {
    const { outlineStyle, outlineColor } = getComputedStyle(element);
    return { outlineStyle, isSeen: !/^rgba\(.*, 0\)$|transparent/.test(outlineColor) };
  });
const seen = { outlineStyle: 'solid', isSeen: true };

test(
  'in high contrast a dialog and a menu keep an edge, and a list in which nothing is chosen shows that it has the focus',
  pageAlone,
  // In the app of the others a webhook is chosen, as one of them left it.
  async ({ freshApp: { page } }) => {
    const shell = new Shell(page);
    await postWebhook(page, { status: 'SUCCESS', client_reference: 'R-contrast' });
    await page.emulateMedia({ forcedColors: 'active' });
    await shell.open('Inbox');
    await expect(new InboxPage(page).row('R-contrast')).toBeVisible();
    const list = page.getByRole('listbox', { name: 'Webhooks' });
    await expect(list).not.toHaveAttribute('aria-activedescendant');
    await focusByTab(page, 'listbox', /^Webhooks$/);
    expect(await readEdge(list.locator('..'))).toEqual(seen);
    await page.keyboard.press('ArrowDown');
    await expect(list).toHaveAttribute('aria-activedescendant');
    await expect.poll(() => readEdge(list.locator('..'))).toMatchObject({ outlineStyle: 'none' });
    await page.keyboard.press('Shift+F10');
    expect(await readEdge(page.getByRole('menu').locator('..'))).toEqual(seen);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    expect(await readEdge(page.getByRole('dialog', { name: 'Commands' }).locator('..'))).toEqual(seen);
    await page.keyboard.press('Escape');
    await page.emulateMedia({ forcedColors: null });
  },
);

test('a row of the inbox with twenty tags is read still', pageAlone, async ({ page }) => {
  const inbox = new InboxPage(page);
  await postWebhook(page, { status: 'SUCCESS', amount: 1500, client_reference: 'R-tags' });
  const { webhooks } = await callBackend(page, 'inbox.list', { search: 'R-tags' });
  const tags = Array.from({ length: 20 }, (_, at) => `tag-${at}-${'t'.repeat(30)}`);
  await callBackend(page, 'inbox.mark', { ids: [webhooks[0]!.id], isPinned: true, tags });
  await new Shell(page).open('Inbox');
  const more = inbox.row('R-tags').getByText('+18', { exact: true });
  await expect(more).toBeVisible();
  expect(await more.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  await expect(inbox.row('R-tags').getByTitle(tags[19]!)).toHaveText('+18');
  const title = inbox.row('R-tags').locator('b').first();
  await expect(title).toContainText('1,500.00');
  expect((await title.boundingBox())!.width).toBeGreaterThan(110);
});
