import { callBackend } from './backend';
import { expect, test } from './fixtures';
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

test('an environment is added, edited, used, and deleted', async ({ page }) => {
  const shell = new Shell(page);
  await page.getByRole('button', { name: 'Add an environment' }).click();
  const adding = page.getByRole('dialog', { name: 'Add an environment' });
  await adding.getByRole('textbox', { name: 'Name' }).fill('staging');
  await adding.getByRole('textbox', { name: 'Base address' }).fill('https://staging.example.com');
  await adding.getByRole('textbox', { name: 'Variables' }).fill('shop = A-1');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  const row = page.getByRole('row', { name: /^staging/ });
  await expect(row).toContainText('https://staging.example.com');

  await row.getByRole('button', { name: 'Edit staging' }).click();
  const editing = page.getByRole('dialog', { name: /^Edit/ });
  await expect(editing.getByRole('textbox', { name: 'Variables' })).toHaveValue(/^shop = A-1$/m);
  await editing.getByRole('textbox', { name: 'Base address' }).fill('https://stage.example.com');
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('https://stage.example.com');

  await row.getByRole('button', { name: 'Use staging' }).click();
  await expect(shell.status).toContainText('staging');
  await callBackend(page, 'environments.select', { id: 'local' });
  await expect(shell.status).toContainText('Local sandbox');
  await row.getByRole('button', { name: 'Delete staging' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
});

test('an address that is none is refused while it is typed', async ({ page }) => {
  await page.getByRole('button', { name: 'Add an environment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an environment' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('broken');
  await dialog.getByRole('textbox', { name: 'Base address' }).fill('not an address');
  await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
  await expect(dialog.getByRole('textbox', { name: 'Base address' })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('production colours the status bar, in words too', async ({ page }) => {
  const shell = new Shell(page);
  await callBackend(page, 'environments.save', {
    name: 'live',
    kind: 'production',
    baseUrl: 'https://pay.example.com',
    variables: {},
  });
  await callBackend(page, 'environments.select', { id: 'data/live' });
  await expect(shell.status).toContainText('Production');
  await callBackend(page, 'environments.select', { id: 'local' });
  await callBackend(page, 'environments.delete', { id: 'data/live' });
  await expect(shell.status).not.toContainText('Production');
});
