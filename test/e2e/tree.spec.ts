import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { OpenCollection } from '@shared/contract/collections';
import { callBackend } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

const folders = 60;
const requestsAFolder = 50;
let tree: Locator;
let collectionId: string;
/** Shut meanwhile: a collection alone has no row of its own. */
let others: readonly OpenCollection[];

/** Writes a collection of 3,000 requests. */
function writeLarge(directory: string): void {
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(directory, `Folder ${String(folder).padStart(2, '0')}`);
    mkdirSync(path, { recursive: true });
    for (let request = 0; request < requestsAFolder; request += 1) {
      const name = `Payout ${folder}-${String(request).padStart(2, '0')}`;
      writeFileSync(join(path, `${name}.http`), `# @name ${name}\nGET {{base_url}}/status\n`);
    }
  }
}

async function reload(page: Page): Promise<void> {
  await page.reload();
  await expect(tree.getByRole('row').first()).toBeVisible();
}

test.beforeAll(async ({ app }) => {
  const { page, dataDirectory } = app;
  const directory = join(dataDirectory, 'many');
  writeLarge(directory);
  tree = page.getByRole('treegrid', { name: 'Requests of the collection' });
  await new Shell(page).open('Requests');
  others = (await callBackend(page, 'collections.list', {})).collections;
  for (const { id } of others) await callBackend(page, 'collections.close', { collectionId: id });
  ({ id: collectionId } = await callBackend(page, 'collections.open', { directory }));
  await reload(page);
});

test.afterAll(async ({ app }) => {
  await callBackend(app.page, 'collections.close', { collectionId });
  for (const { directory } of others) await callBackend(app.page, 'collections.open', { directory });
  await reload(app.page);
});

/** The row that a screen reader reads out: the one that the tree points at. */
async function currentRow(page: Page): Promise<Locator> {
  await expect(tree).toHaveAttribute('aria-activedescendant', /.+/);
  return page.locator(`[id="${await tree.getAttribute('aria-activedescendant')}"]`);
}

test(
  'a tree of 3,000 requests keeps a screenful in the document and is gone through by keyboard',
  pageAlone,
  async ({ page }) => {
    const { keyboard } = page;
    const requests = new RequestsPage(page);
    expect(await tree.getByRole('row').count()).toBeLessThan(80);

    await tree.focus();
    await keyboard.press('End');
    const last = requests.treeItem('Payout 59-49');
    await expect(last).toBeInViewport();
    await expect(last).toHaveAttribute('aria-level', '2');
    await expect(last).toHaveAttribute('aria-posinset', '50');
    await expect(last).toHaveAttribute('aria-setsize', '50');
    await expect(last).toHaveAttribute('aria-selected', 'true');
    await expect(requests.tab('Payout 59-49')).toHaveAttribute('aria-current', 'true');
    expect(await tree.getByRole('row').count()).toBeLessThan(80);

    await keyboard.press('ArrowLeft');
    await expect(await currentRow(page)).toHaveAccessibleName('Folder 59');
    await keyboard.press('ArrowLeft');
    await expect(requests.treeItem('Folder 59')).toHaveAttribute('aria-expanded', 'false');
    await expect(last).toHaveCount(0);
    await keyboard.press('ArrowRight');
    await expect(requests.treeItem('Folder 59')).toHaveAttribute('aria-expanded', 'true');

    await keyboard.type('payout 31-07');
    await expect(await currentRow(page)).toHaveAccessibleName('Payout 31-07');
    await expect(requests.treeItem('Payout 31-07')).toBeInViewport();
    await expect(requests.treeItem('Payout 31-07')).toHaveAttribute('aria-selected', 'false');
    await keyboard.press('Enter');
    await expect(requests.tab('Payout 31-07')).toHaveAttribute('aria-current', 'true');

    await keyboard.press('Home');
    await expect(await currentRow(page)).toHaveAccessibleName('Folder 00');
    await expect(requests.treeItem('Folder 00')).toBeInViewport();
    await keyboard.press('Shift+F10');
    await expect(page.getByRole('menu', { name: 'Actions for Folder 00' })).toBeVisible();
    await keyboard.press('Escape');
    await expect(tree).toBeFocused();

    // A dialog that the menu opened gives the keyboard back to the tree.
    await keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await keyboard.press('Escape');
    await expect(tree).toBeFocused();
  },
);

test('a tab that comes on top is shown in the tree, wherever it lies', pageAlone, async ({ page }) => {
  const requests = new RequestsPage(page);
  await requests.treeItem('Payout 0-03').click();
  await expect(requests.tab('Payout 0-03')).toHaveAttribute('aria-current', 'true');
  await tree.focus();
  await page.keyboard.press('End');
  await expect(requests.treeItem('Payout 0-03')).not.toBeInViewport();
  await requests.tab('Payout 0-03').click();
  await expect(requests.treeItem('Payout 0-03')).toBeInViewport();
});
