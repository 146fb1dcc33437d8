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

test('a secret variable is sealed in the vault, shown only when asked for, and in the clear only by choice', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Add an environment' }).click();
  const adding = page.getByRole('dialog', { name: 'Add an environment' });
  await adding.getByRole('textbox', { name: 'Name' }).fill('sealed');
  await adding.getByRole('textbox', { name: 'Base address' }).fill('https://sealed.example.com');
  await adding.getByRole('textbox', { name: 'Variables' }).fill('user = amina\napi_key = k-1234567890');
  await expect(adding.getByText('is sealed in the vault when you save')).toBeVisible();
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Edit sealed' }).click();
  const editing = page.getByRole('dialog', { name: /^Edit/ });
  await expect(editing.getByRole('textbox', { name: 'Variables' })).toHaveValue(
    /^api_key = \{\{vault\.api_key\}\}$/m,
  );
  await editing.getByRole('button', { name: 'Show api_key for ten seconds' }).click();
  await expect(editing.getByText('k-1234567890')).toBeVisible();
  await editing.getByRole('button', { name: 'Hide api_key' }).click();
  await expect(editing.getByText('k-1234567890')).toHaveCount(0);
  await editing.getByText('In the clear').click();
  await expect(editing.getByText('stands in the clear in settings.json')).toBeVisible();
  await editing.getByRole('button', { name: 'Cancel' }).click();
  await callBackend(page, 'environments.delete', { id: 'data/sealed' });
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

test('a changed address is shown where it fails, and bound again by typing the name of production', async ({
  page,
}) => {
  const shell = new Shell(page);
  const live = { name: 'live', kind: 'production' as const, variables: {} };
  await callBackend(page, 'environments.save', { ...live, baseUrl: 'https://127.0.0.1:9' });
  const environment = 'data/live';
  const credentials = { environment, consumerKey: 'consumer-key-live', consumerSecret: 'hush' };
  await callBackend(page, 'credentials.save', credentials);
  await callBackend(page, 'environments.save', {
    ...live,
    id: environment,
    baseUrl: 'https://127.0.0.1:10/v2',
  });
  await callBackend(page, 'environments.select', { id: environment });
  await shell.open('Balances');
  await page.getByRole('button', { name: 'Read the balances' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('https://127.0.0.1:9');
  await page.getByRole('link', { name: 'Look at the change' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Bind “live” to its new address?' });
  await expect(dialog).toContainText('https://127.0.0.1:9');
  await expect(dialog).toContainText('https://127.0.0.1:10');
  const bind = dialog.getByRole('button', { name: 'Bind to the new address' });
  await expect(bind).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Type live to go on' }).fill('live');
  await bind.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('nothing is sent')).toHaveCount(0);
  await callBackend(page, 'environments.select', { id: 'local' });
  await callBackend(page, 'credentials.delete', { environment });
  await callBackend(page, 'environments.delete', { id: environment });
});
