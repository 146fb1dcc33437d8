import { findCutControls, findOverflow } from '../support/find-look-faults.mjs';
import { callBackend } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

const live = { name: 'live', kind: 'production' as const, variables: {} };

test('an environment is added from the switch with all its parts, kept, used and deleted', async ({
  page,
}) => {
  const shell = new Shell(page);
  await page.getByRole('button', { name: /^Environment: / }).click();
  await page.getByRole('menuitem', { name: 'Add an environment' }).click();
  const adding = page.getByRole('form', { name: 'New environment' });
  const field = (name: string) => adding.getByRole('textbox', { name, exact: true });
  await field('Name').fill('staging');
  await field('Base address').fill('not an address');
  await expect(field('Base address')).toHaveAttribute('aria-invalid', 'true');
  await expect(adding.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
  await field('Base address').fill('https://staging.example.com');
  await adding.getByRole('radio', { name: 'One for each product' }).click();
  await field('Consumer key of payout').fill('ck-payout');
  await field('Consumer secret of payout').fill('cs-payout');
  await field('Proxy').fill('socks5://127.0.0.1:1080');
  await adding.getByRole('button', { name: 'Change…' }).click();
  await field('Token path').fill('/oauth2/token');
  await adding.getByRole('radio', { name: 'milliseconds' }).click();
  // A state alone would have to be guessed at.
  await field('More states of webhooks').fill('PENDING');
  await expect(adding.getByText(/^Line 1: say what PENDING means/)).toBeVisible();
  await expect(adding.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
  await field('More states of webhooks').fill('pending = processing');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(adding.getByRole('alert')).toContainText('SOCKS is not spoken');
  await field('Proxy').fill('http://127.0.0.1:3128');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();

  const form = page.getByRole('form', { name: 'Environment staging' });
  // It begins at its top, however far down the form of the new one was.
  await expect(page.getByRole('button', { name: 'Use staging' })).toBeInViewport({ ratio: 1 });
  await expect(form.getByRole('textbox', { name: 'Token path' })).toHaveValue('/oauth2/token');
  await expect(form.getByRole('textbox', { name: 'More states of webhooks' })).toHaveValue(
    'PENDING = processing',
  );
  await expect(form.getByRole('textbox', { name: 'Consumer secret of payout' })).toHaveValue('');
  const { environments } = await callBackend(page, 'environments.list', {});
  expect(environments.find(({ id }) => id === 'data/staging')).toMatchObject({
    hasCredentials: true,
    setup: {
      proxyUrl: 'http://127.0.0.1:3128',
      profile: { tokenPath: '/oauth2/token', expiresInUnit: 'milliseconds', credentials: 'per_product' },
    },
  });
  await page.getByRole('button', { name: 'Use staging' }).click();
  await expect(shell.status).toContainText('staging');
  await callBackend(page, 'environments.select', { id: 'local' });
  await expect(shell.status).toContainText('Local sandbox');
  await page.getByRole('button', { name: 'Delete staging' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('option', { name: /^staging/ })).toHaveCount(0);
  await callBackend(page, 'credentials.delete', { environment: 'data/staging' });
});

test('an environment is used and deleted from the menu of its row, by the keyboard alone', async ({
  page,
}) => {
  const saved = { kind: 'sandbox' as const, baseUrl: 'https://menu.example.com', variables: {} };
  await callBackend(page, 'environments.save', { ...saved, name: 'by menu' });
  await new Shell(page).open('Environments');
  const row = page.getByRole('listbox', { name: 'Environments' }).getByRole('option', { name: /^by menu/ });
  await row.focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Use' }).press('Enter');
  await expect(row).toContainText('in use');
  await expect(row).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Use' })).toBeDisabled();
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(row).toBeFocused();
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(row).toHaveCount(0);
  await expect(
    page.locator('[data-pane="environments-list"]:focus-within, [data-pane="environments-list"]:focus'),
  ).toHaveCount(1);
  // The embedded sandbox stays: nothing deletes it.
  await page.getByRole('option', { name: /^Local sandbox/ }).focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Copy the name' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Delete…' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('a secret variable is sealed in the vault, shown only when asked for, and in the clear only by choice', async ({
  page,
}) => {
  await new Shell(page).open('Environments');
  await page.getByRole('button', { name: 'Add an environment' }).click();
  const adding = page.getByRole('form', { name: 'New environment' });
  await adding.getByRole('textbox', { name: 'Name', exact: true }).fill('sealed');
  await adding.getByRole('textbox', { name: 'Base address' }).fill('https://sealed.example.com');
  await adding.getByRole('textbox', { name: 'Variables' }).fill('user = amina\napi_key = k-1234567890');
  await expect(adding.getByText('is sealed in the vault when you save')).toBeVisible();
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  const form = page.getByRole('form', { name: 'Environment sealed' });
  await expect(form.getByRole('textbox', { name: 'Variables' })).toHaveValue(
    /^api_key = \{\{vault\.api_key\}\}$/m,
  );
  await form.getByRole('button', { name: 'Show api_key for ten seconds' }).click();
  await expect(form.getByText('k-1234567890')).toBeVisible();
  await form.getByRole('button', { name: 'Hide api_key' }).click();
  await expect(form.getByText('k-1234567890')).toHaveCount(0);
  await form.getByText('In the clear').click();
  await expect(form.getByText('stands in the clear in settings.json')).toBeVisible();
  await form.getByRole('button', { name: 'Discard' }).click();
  await callBackend(page, 'environments.delete', { id: 'data/sealed' });
});

test(
  'values for this run go before the others, and each value says where it is from',
  pageAlone,
  async ({ page }) => {
    const shell = new Shell(page);
    const requests = new RequestsPage(page);
    await shell.open('Environments');
    const values = page.getByRole('region', { name: 'Values for this run' });
    const set = async (name: string, value: string): Promise<void> => {
      await values.getByRole('textbox', { name: 'Name' }).fill(name);
      await values.getByRole('textbox', { name: 'Value' }).fill(value);
      await values.getByRole('button', { name: 'Set' }).click();
      await expect(values.getByRole('button', { name: `Take back ${name}` })).toBeVisible();
    };
    await set('shop', 'A-1');
    await set('api_key', 'hush-of-this-run');
    await expect(page.getByText('hush-of-this-run')).toHaveCount(0);
    await shell.open('Requests');
    await requests.openAsSaved('Salary payout');
    const address = page.getByRole('combobox', { name: 'Address' });
    const before = await address.inputValue();
    await address.fill('{{base_url}}/{{shop}}/{{api_key}}/{{nobody}}');
    const told = await address.getAttribute('aria-description');
    expect(told).toContain('From the environment “Local sandbox”');
    expect(told).toContain('shop = A-1');
    expect(told).toContain('From the values for this run');
    expect(told).toMatch(/api_key: set for this run/);
    expect(told).toMatch(/nobody: nobody gives it a value/);
    await expect(page.getByText('No value for {{nobody}} in the address')).toBeVisible();
    // The rows of the query say the same, and mark what nobody gives.
    await address.fill('{{base_url}}/x?a={{shop}}&b={{nobody}}&c={{api_key}}');
    await requests.showPart('Query');
    const value = (name: string) => page.getByRole('combobox', { name: `Value of ${name}`, exact: true });
    await expect(value('a')).toHaveAttribute('aria-description', /shop = A-1\nFrom the values for this run/);
    await expect(value('a')).not.toHaveCSS('text-decoration-style', 'wavy');
    await expect(value('b')).toHaveCSS('text-decoration-style', 'wavy');
    await expect(value('c')).not.toHaveCSS('text-decoration-style', 'wavy');
    await requests.showPart('Body');
    await address.fill(before);
    await shell.open('Environments');
    for (const name of ['shop', 'api_key'])
      await values.getByRole('button', { name: `Take back ${name}` }).click();
    await expect(values.getByRole('list')).toHaveCount(0);
  },
);

test(
  'the name of an environment in the rail breaks between words alone, and is cut where one does not fit',
  pageAlone,
  async ({ freshApp: { page, host } }) => {
    test.skip(host === 'electron', 'The window of the desktop app has a size of its own.');
    const shown = page
      .getByRole('button', { name: /^Environment: / })
      .locator('> span')
      .last();
    const uat = { kind: 'sandbox' as const, baseUrl: 'https://a.example', variables: {}, inClear: [] };
    for (const [name, lineCount, isCut] of [
      ['acceptance', 1, false],
      ['team_europe', 2, false],
      ['preproductionenvironment', 1, true],
    ] as const) {
      const { id } = await callBackend(page, 'environments.save', { ...uat, name });
      await callBackend(page, 'environments.select', { id });
      await expect(shown).toHaveText(name);
      const [lines, isWhole] = await shown.evaluate((box) => [
        box.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(box).lineHeight),
        box.scrollWidth <= box.clientWidth,
      ]);
      expect([name, lines, isWhole]).toEqual([name, lineCount, !isCut]);
    }
  },
);

test('production is red everywhere, in words too', pageAlone, async ({ page }) => {
  const shell = new Shell(page);
  await callBackend(page, 'environments.save', { ...live, baseUrl: 'https://pay.example.com' });
  await callBackend(page, 'environments.select', { id: 'data/live' });
  await shell.open('Environments');
  await expect(shell.status).toContainText('Production');
  await expect(page.locator('[data-environment="production"]')).toHaveCount(1);
  await expect(page).toHaveTitle(/^Production: live/);
  await expect(shell.main.getByRole('heading', { name: /live/ })).toContainText('production');
  await page.getByRole('button', { name: 'Environment: live, production' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'live' })).toContainText('production');
  await page.keyboard.press('Escape');
  await callBackend(page, 'environments.select', { id: 'local' });
  await callBackend(page, 'environments.delete', { id: 'data/live' });
  await expect(shell.status).not.toContainText('Production');
});

test('a changed address is shown where it fails, and bound again by typing the name of production', async ({
  page,
}) => {
  const shell = new Shell(page);
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
  await expect(page.getByRole('main').getByRole('alert').first()).toContainText('https://127.0.0.1:9');
  await page.getByRole('link', { name: 'Look at the change' }).first().click();
  const dialog = page.getByRole('alertdialog', { name: 'Bind “live” to its new address?' });
  await expect(dialog).toContainText('https://127.0.0.1:9');
  await expect(dialog).toContainText('https://127.0.0.1:10');
  await expect(dialog).toContainText('to the new address, consumer key, secret and tokens, too. If');
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

test(
  'what is typed for an environment that is deleted elsewhere stands there as a new one',
  pageAlone,
  async ({ page }) => {
    const shell = new Shell(page);
    await callBackend(page, 'environments.save', { ...live, name: 'away', baseUrl: 'https://127.0.0.1:9' });
    await shell.open('Environments');
    await page.getByRole('option', { name: /away/ }).click();
    const form = page.getByRole('form', { name: 'Environment away' });
    await form.getByRole('textbox', { name: 'Base address' }).fill('https://127.0.0.1:9/typed');
    await shell.open('Balances');
    await callBackend(page, 'environments.delete', { id: 'data/away' });
    await shell.open('Environments');
    await page.getByRole('option', { name: /^New environment/ }).click();
    const adding = page.getByRole('form', { name: 'New environment' });
    await expect(adding).toContainText('“away” was deleted elsewhere.');
    await expect(adding.getByRole('textbox', { name: 'Base address' })).toHaveValue(
      'https://127.0.0.1:9/typed',
    );
    await adding.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('was deleted elsewhere')).toHaveCount(0);
  },
);

test('the switch of many environments stays within the window', pageAlone, async ({ page }) => {
  const names = Array.from({ length: 30 }, (_, index) => `of many ${index}`);
  for (const name of names) {
    const added = { name, kind: 'sandbox' as const, baseUrl: 'http://127.0.0.1:9', variables: {} };
    await callBackend(page, 'environments.save', added);
  }
  await page.getByRole('button', { name: /^Environment: / }).click();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Show all environments' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  for (const name of names) await callBackend(page, 'environments.delete', { id: `data/${name}` });
});

test(
  'why an environment cannot be switched to is said whole, in a small window, too',
  pageAlone,
  async ({ freshApp: { page } }) => {
    const environment = await callBackend(page, 'environments.save', {
      ...live,
      baseUrl: 'http://127.0.0.1:1',
    });
    const message = `The settings cannot be written: ${'no space left on device, '.repeat(5)}make room and try again.`;
    await page.route('**/api/call', async (route) => {
      const isSwitch = route.request().postDataJSON().method === 'environments.select';
      const error = { code: 'platform.unwritable', message, retryable: true };
      await (isSwitch ? route.fulfill({ json: { ok: false, error } }) : route.continue());
    });
    await page.setViewportSize({ width: 960, height: 600 });
    await page.getByRole('button', { name: /^Environment: / }).click();
    await page.getByRole('menuitemradio', { name: environment.name }).click();
    const { status } = new Shell(page);
    const said = status.getByRole('alert');
    await expect(said).toHaveText(message);
    expect(await said.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    expect(await findOverflow(page)).toEqual([]);
    expect(await findCutControls(page)).toEqual([]);
  },
);
