import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { callBackend } from './backend';
import { takeDownload, type SavedFile } from './downloads';
import { expect, test, type RunningApp } from './fixtures';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

let requests: RequestsPage;

test.beforeAll(async ({ app }) => {
  requests = new RequestsPage(app.page);
  await new Shell(app.page).open('Requests');
});

/** Chooses a form in the dialog and exports; gives what was offered to save. */
async function exportAs(app: RunningApp, form: string): Promise<SavedFile> {
  const { page } = app;
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /Format$/ }).click();
  await page.getByRole('option', { name: form }).click();
  return takeDownload(app, () => dialog.getByRole('button', { name: 'Export', exact: true }).click());
}

async function closeRemarks(page: Page): Promise<void> {
  await expect(page.getByRole('dialog', { name: 'Exported, with these remarks' })).toContainText('# @expect');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('a collection is exported from the palette, and the file is the one of the command line', async ({
  page,
  app,
}) => {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search commands' }).fill('Export the collection');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Export “Payments API”' })).toBeVisible();
  const download = await exportAs(app, 'Postman 2.1');
  expect(download.name).toBe('Payments API.postman_collection.json');
  const collection = JSON.parse(download.bytes.toString('utf8')) as {
    item: { name: string }[];
  };
  expect(collection.item.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Remittances', 'Payouts', 'Collections', 'Lookups', 'Webhooks']),
  );
  // The starter's expectations are nothing to Postman.
  await closeRemarks(page);
});

test('what is exported and imported into is the collection that is worked in, not the one opened last', async ({
  page,
  app,
}) => {
  const other = await callBackend(page, 'collections.make', {
    name: 'Other',
    from: 'starter',
    directory: null,
  });
  await expect(requests.treeItem('Other')).toBeVisible();
  await requests.page.reload();
  await expect(requests.treeItem('Other')).toBeVisible();
  await requests.treeItem('Salary payout').first().click();
  const command = async (name: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search commands' }).fill(name);
    await page.keyboard.press('Enter');
  };
  await command('Export the collection');
  await expect(page.getByRole('dialog', { name: 'Export “Payments API”' })).toBeVisible();
  await page.keyboard.press('Escape');
  await command('Import…');
  await expect(page.getByRole('dialog').getByRole('button', { name: /Into/ })).toContainText('Payments API');
  await page.keyboard.press('Escape');
  await callBackend(page, 'collections.close', { collectionId: other.id });
  rmSync(join(app.dataDirectory, 'collections', 'Other'), { recursive: true });
  await expect(requests.treeItem('Other')).toHaveCount(0);
});

test('one request is exported from its menu, with what became something else', async ({ page, app }) => {
  await requests.choose('Salary payout', 'Export…');
  const download = await exportAs(app, 'cURL');
  expect(download.name).toBe('Salary payout.sh');
  expect(download.bytes.toString('utf8').match(/^curl /gm)).toHaveLength(1);
  const remarks = page.getByRole('dialog', { name: 'Exported, with these remarks' });
  await expect(remarks.getByRole('list', { name: 'Remarks' })).toContainText(
    'have the values of this export',
  );
  await page.keyboard.press('Enter');
  await expect(remarks).toHaveCount(0);
});

test('a folder of files comes as an archive', async ({ page, app }) => {
  await requests.choose('Payouts', 'Export…');
  const download = await exportAs(app, 'httpYac');
  expect(download.name).toBe('Payouts.httpyac.zip');
  const names = download.bytes.toString('latin1');
  await closeRemarks(page);
  for (const name of ['Salary payout.http', '.httpyac.js', 'http-client.env.json'])
    expect(names).toContain(name);
});
