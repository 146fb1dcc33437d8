import { randomUUID } from 'node:crypto';
import { callBackend, postWebhook } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { Shell } from './pages/shell';

const uat = {
  name: 'uat',
  kind: 'sandbox' as const,
  baseUrl: 'https://uat.example.com',
  variables: {},
  inClear: [],
};

test('an environment that is typed and not saved is there again after a look elsewhere, under a new name too', async ({
  freshApp: { page },
}) => {
  const shell = new Shell(page);
  const { id } = await callBackend(page, 'environments.save', uat);
  await shell.open('Environments');
  const row = (name: RegExp) => page.getByRole('option', { name });
  await row(/^uat/).click();
  const field = (form: string, name: string) =>
    page.getByRole('form', { name: form }).getByRole('textbox', { name, exact: true });
  await field('Environment uat', 'Base address').fill('https://typed.example.com');
  const mark = row(/^uat/).getByRole('img', { name: 'not saved' });
  await expect(mark).toBeVisible();
  await field('Environment uat', 'Base address').fill(uat.baseUrl);
  await expect(mark).toHaveCount(0);
  await field('Environment uat', 'Base address').fill('https://typed.example.com');
  await expect(mark).toBeVisible();
  await row(/^Local sandbox/).click();
  await shell.open('Keys and tokens');
  await shell.open('Environments');
  await row(/^uat/).click();
  await expect(field('Environment uat', 'Base address')).toHaveValue('https://typed.example.com');
  // Another window, or a command, gives it another name and kind meanwhile: what was typed is all that is changed here.
  await callBackend(page, 'environments.save', { ...uat, id, name: 'acceptance', kind: 'production' });
  await expect(field('Environment acceptance', 'Base address')).toHaveValue('https://typed.example.com');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('img', { name: 'not saved' })).toHaveCount(0);
  const { environments } = await callBackend(page, 'environments.list', {});
  expect(environments.find(({ name }) => name === 'acceptance')).toMatchObject({
    baseUrl: 'https://typed.example.com',
    kind: 'production',
  });

  await page.getByRole('button', { name: 'Add an environment' }).click();
  await field('New environment', 'Name').fill('staging');
  await shell.open('Sandbox');
  await shell.open('Environments');
  await row(/^New environment/).click();
  await expect(field('New environment', 'Name')).toHaveValue('staging');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(row(/^New environment/)).toHaveCount(0);
});

test(
  'what is typed for the sandbox is there again after a switch or a look elsewhere, and said not to be in force',
  pageAlone,
  async ({ freshApp: { page } }) => {
    const shell = new Shell(page);
    await shell.open('Sandbox');
    await page.getByRole('tab', { name: 'Behaviour' }).click();
    const settings = page.getByRole('form', { name: 'Settings of the sandbox' });
    const faults = page.getByRole('form', { name: 'Faults' });
    await settings.getByRole('textbox', { name: /^Settles after/ }).fill('2500');
    const latency = faults.getByRole('textbox', { name: /^Latency/ });
    await latency.fill('70');
    await expect(faults.getByText('not applied')).toBeVisible();
    await latency.fill('0');
    await expect(faults.getByText('not applied')).toHaveCount(0);
    await latency.fill('70');
    const signing = settings.getByRole('switch', { name: /^Sign webhooks/ });
    const wasSigning = await signing.isChecked();
    await settings.locator('label', { hasText: /^Sign webhooks/ }).click();
    await expect(signing).toBeChecked({ checked: !wasSigning });
    await shell.open('Keys and tokens');
    await shell.open('Sandbox');
    await expect(settings.getByRole('textbox', { name: /^Settles after/ })).toHaveValue('2500');
    await expect(settings.getByText('not applied')).toBeVisible();
    await settings.getByRole('button', { name: 'Apply' }).click();
    await expect(settings.getByText('not applied')).toHaveCount(0);
    await expect(faults.getByRole('textbox', { name: /^Latency/ })).toHaveValue('70');
    await faults.getByRole('button', { name: 'Discard' }).click();
    await expect(faults.getByRole('textbox', { name: /^Latency/ })).toHaveValue('0');
    const state = await callBackend(page, 'sandbox.state', {});
    expect(state.settings).toMatchObject({ settleMs: 2500, webhookSigning: !wasSigning });
    expect(state.faults.latencyMs).toBe(0);
  },
);

test(
  'a note and credentials that are typed and not kept are there again after a look at another row',
  pageAlone,
  async ({ freshApp: { page } }) => {
    const inbox = new InboxPage(page);
    const shell = new Shell(page);
    const [first, second] = [randomUUID(), randomUUID()];
    for (const reference of [first, second]) await postWebhook(page, { client_reference: reference });
    await shell.open('Inbox');
    await inbox.choose(first);
    await page.getByRole('tab', { name: 'Notes' }).click();
    await inbox.detail.getByRole('textbox', { name: 'Note' }).fill('ask the bank');
    await inbox.choose(second);
    await page.getByRole('tab', { name: 'Notes' }).click();
    await expect(inbox.detail.getByRole('textbox', { name: 'Note' })).toHaveValue('');
    await inbox.choose(first);
    await page.getByRole('tab', { name: 'Notes' }).click();
    await expect(inbox.detail.getByRole('textbox', { name: 'Note' })).toHaveValue('ask the bank');

    await callBackend(page, 'environments.save', uat);
    await shell.open('Keys and tokens');
    const credentials = page.getByRole('option', { name: /uat/ });
    await credentials.click();
    await page.getByRole('textbox', { name: 'Consumer key' }).fill('ck-typed');
    await shell.open('Inbox');
    await shell.open('Keys and tokens');
    await credentials.click();
    await expect(page.getByRole('textbox', { name: 'Consumer key' })).toHaveValue('ck-typed');
  },
);
