import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { releaseFile, startReleaseServer } from '../support/release-server';
import { takeDownload } from './downloads';
import { expect, pageAlone, startApp, test } from './fixtures';
import { Shell } from './pages/shell';

test.beforeEach(async ({ page }) => {
  await new Shell(page).open('Settings');
});

test('the theme changes at once and stays over a reload', async ({ page }) => {
  const background = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByRole('radio', { name: 'Light' }).click();
  const light = await background();
  await page.getByRole('radio', { name: 'Dark' }).click();
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  expect(await background()).toBe(dark);
  await page.getByRole('radio', { name: 'As the system' }).click();
});

test(
  'what is looked for marks the part it stands in, and every part is one press away',
  pageAlone,
  async ({ page }) => {
    const parts = page.getByRole('navigation', { name: 'Parts of the settings' });
    const search = page.getByRole('searchbox', { name: 'Search the settings' });
    await search.fill('keep webhooks');
    await expect(parts.getByRole('button', { name: 'Inbox' })).toHaveAttribute('aria-current', 'true');
    await parts.getByRole('button', { name: 'Updates' }).click();
    await expect(search).toHaveValue('');
    await expect(page.getByRole('region', { name: 'Updates' })).toBeInViewport();
    await expect(parts.getByRole('button', { name: 'Updates' })).toHaveAttribute('aria-current', 'true');
  },
);

test('a newer release is asked for where the user says, fetched when told to, and installed by nobody', async ({
  page,
}) => {
  const server = await startReleaseServer();
  await new Shell(page).open('Settings');
  const section = page.getByRole('region', { name: 'Updates' });
  await section.getByRole('button', { name: 'Set…' }).click();
  await page.getByRole('textbox', { name: 'Address of updates' }).fill(server.address);
  await page.getByRole('textbox', { name: /public key/ }).fill(server.publicKeyPem);
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(section).toContainText(server.address);
  expect(server.asked).toEqual([]);
  await section.getByRole('button', { name: 'Check for updates' }).click();
  await expect(section.getByRole('status')).toContainText('9.0.0 of 2027-01-01 is newer than yours');
  await section.getByRole('button', { name: `Download ${releaseFile.name}` }).click();
  await expect(section.getByRole('status')).toContainText('yours to install when you like');
  server.files.set('latest.json', '{}');
  await section.getByRole('button', { name: 'Check for updates' }).click();
  await expect(section).toContainText('is not signed with the key');
  await expect(section.getByRole('status')).toBeEmpty();
  await section.getByRole('button', { name: 'Change…' }).click();
  await page.getByRole('textbox', { name: 'Address of updates' }).fill('');
  await page.getByRole('button', { name: 'Look for none' }).click();
  await expect(section.getByRole('button', { name: 'Set…' })).toBeVisible();
  await server.close();
});

test('the data folder is backed up, reset and restored, each at the next start, and the settings go into a file', async ({
  hostKind,
}) => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-e2e-data-'));
  const elsewhere = mkdtempSync(join(tmpdir(), 'countersign-e2e-backup-'));
  const backup = join(elsewhere, 'countersign-backup.tar.gz');
  let app = await startApp(hostKind, directory);
  const startAnew = async (): Promise<Page> => {
    await app.stop();
    app = await startApp(hostKind, directory);
    await new Shell(app.page).open('Settings');
    return app.page;
  };
  const theme = (page: Page, name: string) => page.getByRole('radio', { name });
  try {
    let { page } = app;
    await new Shell(page).open('Settings');
    await theme(page, 'Dark').click();
    const saved = await takeDownload(app, () =>
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    );
    expect(saved.name).toBe('countersign-settings.json');
    expect(JSON.parse(saved.bytes.toString())).toMatchObject({ settings: { theme: 'dark' } });

    const ask = async (action: string, label: RegExp, text: string, submit: string): Promise<void> => {
      await page.getByRole('button', { name: action }).click();
      await page.getByRole('textbox', { name: label }).fill(text);
      await page.getByRole('button', { name: submit, exact: true }).click();
    };
    // A refusal stays in the dialog with what was typed, which can be put right there.
    await ask('Back up…', /File to write/, join(directory, 'inside.tar.gz'), 'Back up');
    await expect(page.getByRole('dialog')).toContainText('lies in the data folder');
    await page.getByRole('textbox', { name: /File to write/ }).fill(backup);
    await page.getByRole('button', { name: 'Back up', exact: true }).click();
    await expect(page.getByText(/Backed up \d+ files/)).toBeVisible();

    await page.getByRole('button', { name: 'Reset…' }).click();
    await expect(page.getByRole('button', { name: 'Reset', exact: true })).toBeDisabled();
    await page.keyboard.press('Escape');
    await ask('Reset…', /Type reset/, 'reset', 'Reset');
    await expect(page.getByText(/Everything is put aside when Countersign starts next/)).toBeVisible();
    await page.getByRole('button', { name: 'Call it off' }).click();
    await expect(page.getByText(/Everything is put aside when/)).toBeHidden();
    await ask('Reset…', /Type reset/, 'reset', 'Reset');
    await expect(page.getByText(/Everything is put aside when/)).toBeVisible();

    await app.stop();
    app = await startApp(hostKind, directory);
    page = app.page;
    await page.keyboard.press('Escape');
    await new Shell(page).open('Settings');
    await expect(theme(page, 'As the system')).toBeChecked();
    await expect(page.getByText(/Put aside, yours to delete: before-reset-/)).toBeVisible();

    await ask('Restore…', /Backup to read/, backup, 'Check and restore');
    await expect(page.getByText(/A backup is put in when Countersign starts next/)).toBeVisible();
    page = await startAnew();
    await expect(theme(page, 'Dark')).toBeChecked();

    await theme(page, 'Light').click();
    const file = { name: saved.name, mimeType: 'application/json', buffer: saved.bytes };
    await page.getByLabel('File of settings').setInputFiles(file);
    await expect(page.getByText(/Took over \d+ settings/)).toBeVisible();
    await expect(theme(page, 'Dark')).toBeChecked();

    const moved = join(elsewhere, 'moved');
    await ask('Move…', /Folder to move to/, moved, 'Move');
    await expect(page.getByText(/The data folder is moved when/)).toBeVisible();
    page = await startAnew();
    await expect(theme(page, 'Dark')).toBeChecked();
    expect(existsSync(join(moved, 'settings.json'))).toBe(true);
  } finally {
    await app.stop();
    for (const folder of [directory, elsewhere]) rmSync(folder, { recursive: true, force: true });
  }
});
