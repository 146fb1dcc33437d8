import { expect, pageAlone, test } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

/** The main job, end to end, exactly as a newcomer does it: no set-up, no click before the first request. */
const journeys = [
  { request: 'Remittance to M-Pesa', product: 'Remittance', wallet: 'KES' },
  { request: 'Salary payout', product: 'Payout', wallet: 'KES' },
] as const;

test('the first start has a key, a sandbox, a listener and a starter collection', async ({ app }) => {
  const shell = new Shell(app.page);
  await expect(shell.status).toContainText('Local sandbox');
  await expect(shell.status).toContainText(/Sandbox 127\.0\.0\.1:\d+/);
  await expect(shell.status).toContainText(/Listener 127\.0\.0\.1:\d+/);
  await shell.open('Requests');
  const requests = new RequestsPage(app.page);
  for (const name of ['Remittance to M-Pesa', 'Salary payout', 'Status by reference', 'Send test webhook']) {
    await expect(requests.treeItem(name)).toBeVisible();
  }
});

for (const { request, product, wallet } of journeys) {
  test(`${request}: signed, accepted, webhook, succeeded, balance fallen by amount and charges`, async ({
    app,
  }) => {
    const shell = new Shell(app.page);
    const requests = new RequestsPage(app.page);

    await shell.open('Balances');
    const before = await shell.readBalance(product, wallet);

    await shell.open('Requests');
    await requests.open(request);
    await expect(requests.stringToSign).toBeVisible();
    const amount = await requests.readSignedValue('amount');
    await requests.replaceInBody(`"amount": ${amount}`, '"amount": 1234');
    await expect(requests.signedSpan('amount')).toHaveText('1234');
    for (const field of ['reference', 'amount', 'country', 'service_code'] as const) {
      await expect(requests.signedSpan(field)).toBeVisible();
      await expect(requests.editorMark(field)).toBeVisible();
    }
    const reference = await requests.readSignedValue('reference');

    await requests.sendWithKeyboard();
    await expect(requests.response).toContainText('Accepted for processing');
    await expect(requests.response).toContainText(/201/);
    await expect(requests.response).toContainText(/ms/);
    await expect(requests.response).toContainText(reference);

    await shell.open('Inbox');
    // A spec before this one may have searched in the same app.
    await new InboxPage(app.page).search('');
    const row = app.page
      .getByRole('row', { name: reference })
      .or(app.page.getByRole('option', { name: reference }));
    await expect(row.first()).toBeVisible({ timeout: 4000 });
    await row.first().click();
    await expect(app.page.getByRole('main')).toContainText(request);

    await shell.open('Lookups');
    await shell.queryStatus(product, reference);
    await expect(app.page.getByRole('main')).toContainText('succeeded');

    await shell.open('Balances');
    const after = await shell.readBalance(product, wallet);
    expect(before - after).toBeCloseTo(1234 * 1.01, 2);
  });
}

test('a payout that fails says so in its webhook and gives the money back', async ({ app }) => {
  const shell = new Shell(app.page);
  const requests = new RequestsPage(app.page);
  await shell.open('Balances');
  const before = await shell.readBalance('Payout', 'KES');
  await shell.open('Requests');
  await requests.open('Payout that fails');
  const reference = await requests.readSignedValue('reference');
  await requests.sendWithKeyboard();
  await expect(requests.response).toContainText('Accepted for processing');
  // Not by the buttons beside it.
  await expect(requests.response.getByRole('heading', { name: /^Journey of \S+$/ })).toBeVisible();
  await shell.open('Inbox');
  await new InboxPage(app.page).search('');
  const row = app.page
    .getByRole('row', { name: reference })
    .or(app.page.getByRole('option', { name: reference }));
  await expect(row.first()).toContainText('FAILED', { timeout: 6000 });
  await shell.open('Balances');
  expect(await shell.readBalance('Payout', 'KES')).toBe(before);
});

test(
  'a payout that is asked to wait goes again with its reference, and is accepted',
  pageAlone,
  async ({ app }) => {
    const shell = new Shell(app.page);
    const requests = new RequestsPage(app.page);
    await expect(shell.status).toContainText(/Sandbox 127\.0\.0\.1:\d+/);
    await shell.open('Requests');
    await requests.open('Payout at the rate limit');
    expect(await requests.readSignedValue('reference')).toBe('PATIENT-PAYOUT-1');
    await requests.sendWithKeyboard();
    const again = requests.response.getByRole('button', { name: 'Again, same reference' });
    await expect(again).toBeVisible();
    await again.click();
    // The same answer a second time: its own instant tells that it is another one.
    await expect(requests.response).toContainText('429');
    await expect(again).toBeVisible();
    await again.click();
    await expect(requests.response).toContainText('Accepted for processing');
    await expect(requests.response).toContainText('PATIENT-PAYOUT-1');
    await expect(again).toHaveCount(0);
  },
);
