import { randomUUID } from 'node:crypto';
import { callBackend, postWebhook } from './backend';
import { expect, pageAlone, test, type RunningApp } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { RequestsPage } from './pages/requests-page';
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

test('a note that is too long is not kept by its beginning alone', pageAlone, async ({ page }) => {
  const inbox = new InboxPage(page);
  const reference = randomUUID();
  await postWebhook(page, { client_reference: reference });
  await new Shell(page).open('Inbox');
  await inbox.choose(reference);
  await page.getByRole('tab', { name: 'Notes' }).click();
  const note = inbox.detail.getByRole('textbox', { name: 'Note' });
  await note.fill(`${'n'.repeat(2000)}end`);
  await expect(inbox.detail.getByText('At most 2,000 characters; these are 2,003.').first()).toBeVisible();
  await expect(inbox.detail.getByRole('button', { name: 'Keep' })).toBeDisabled();
  await expect(note).toHaveValue(`${'n'.repeat(2000)}end`);
  await note.fill('😀'.repeat(2000));
  const tags = inbox.detail.getByRole('textbox', { name: 'Tags, parted by blanks' });
  await tags.fill('😀'.repeat(40));
  await tags.press('Enter');
  await inbox.choose(reference);
  const { webhooks } = await callBackend(page, 'inbox.list', { search: reference });
  await expect
    .poll(async () => (await callBackend(page, 'inbox.get', { id: webhooks[0]!.id })).tags)
    .toEqual(['😀'.repeat(40)]);
});

/** Counts the questions that are asked before the window goes, each of which is answered by staying. */
async function countQuestions({ electron, page }: RunningApp): Promise<() => Promise<number>> {
  let count = 0;
  page.on('dialog', (dialog) => {
    count += dialog.type() === 'beforeunload' ? 1 : 0;
    void dialog.dismiss().catch(() => undefined);
  });
  if (electron === null) return () => Promise.resolve(count);
  await electron.evaluate(({ dialog }) => {
    const counted = globalThis as unknown as { questions: number };
    counted.questions = 0;
    dialog.showMessageBox = () => {
      counted.questions += 1;
      return Promise.resolve({ response: 0, checkboxChecked: false });
    };
  });
  return () => electron.evaluate(() => (globalThis as unknown as { questions: number }).questions);
}

test('the window asks before it goes with what was typed in a form or a dialog, and not about drafts of requests', async ({
  freshApp,
}) => {
  const { page, electron } = freshApp;
  const shell = new Shell(page);
  const requests = new RequestsPage(page);
  const count = await countQuestions(freshApp);
  const reload = (): Promise<void> => page.evaluate(() => void setTimeout(() => location.reload()));
  const expectQuestions = (many: number): Promise<void> => expect.poll(count).toBe(many);

  await shell.open('Requests');
  await requests.open('Salary payout');
  await requests.setBody('{"typed": "draft"}');
  await expect(requests.tab('Salary payout').getByRole('img', { name: 'not saved' })).toBeVisible();
  await page.evaluate(() => (document.title = 'before'));
  await reload();
  await expect(page).not.toHaveTitle('before');
  await expect(requests.tab('Salary payout').getByRole('img', { name: 'not saved' })).toBeVisible();
  await expectQuestions(0);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('New collection');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New collection' });
  await dialog.getByRole('textbox', { name: 'Name' }).pressSequentially('Refunds');
  await reload();
  await expectQuestions(1);
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Refunds');
  await page.evaluate(() => (location.hash = '#/lab'));
  await expect(dialog.getByText('Escape once more discards what you typed.')).toBeVisible();
  await expect(page).toHaveURL(/#\/requests/);
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Refunds');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await shell.open('Sandbox');
  await page.getByRole('tab', { name: 'Behaviour' }).click();
  const settles = page.getByRole('textbox', { name: /^Settles after/ });
  await settles.fill('2500');
  await shell.open('Balances');
  await reload();
  await expectQuestions(2);
  await electron?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await expectQuestions(electron ? 3 : 2);
  await electron?.evaluate(({ app }) => app.quit());
  await expectQuestions(electron ? 4 : 2);
  await shell.open('Sandbox');
  await expect(settles).toHaveValue('2500');

  await page
    .getByRole('form', { name: 'Settings of the sandbox' })
    .getByRole('button', { name: 'Discard' })
    .click();
  await page.evaluate(() => (document.title = 'before'));
  await reload();
  await expect(page).not.toHaveTitle('before');
  await expectQuestions(electron ? 4 : 2);
});
