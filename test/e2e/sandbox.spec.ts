import { callBackend } from './backend';
import { expect, test } from './fixtures';
import { makeKeyPair } from './openssl';
import { RequestsPage } from './pages/requests-page';
import { SandboxPage } from './pages/sandbox-page';
import { Shell } from './pages/shell';

const payout = 'Salary payout';
let shell: Shell;
let requests: RequestsPage;
let sandbox: SandboxPage;

test.beforeEach(({ page }) => {
  shell = new Shell(page);
  requests = new RequestsPage(page);
  sandbox = new SandboxPage(page);
});

/** Sends a payout to an account, and gives its reference. */
async function sendPayout(account: string): Promise<string> {
  await shell.open('Requests');
  await requests.openAsSaved(payout);
  await requests.replaceInBody('254712345678', account);
  const reference = await requests.readSignedValue('reference');
  await requests.send();
  await expect(requests.response).toContainText(reference);
  return reference;
}

test('moving the test clock settles a payment that takes thirty seconds', async ({ page }) => {
  const reference = await sendPayout('254712340005');
  await shell.open('Sandbox');
  await sandbox.show('Payments');
  const row = sandbox.row('Payments of the sandbox', reference);
  await expect(row).toContainText('processing');
  await page.getByRole('button', { name: '+30 s' }).click();
  await expect(row).toContainText('succeeded');
});

test('a payment in progress can be brought to an end by hand, once', async ({ page }) => {
  const reference = await sendPayout('254712340003');
  await shell.open('Sandbox');
  await sandbox.show('Payments');
  await sandbox.row('Payments of the sandbox', reference).click();
  await page.getByRole('button', { name: 'Cancel it' }).click();
  await expect(sandbox.row('Payments of the sandbox', reference)).toContainText('canceled');
  await expect(page.getByText('This state is final')).toBeVisible();
});

test('a refused signature is explained byte by byte, and leads to the lab', async ({ page }) => {
  const { publicKeys } = await callBackend(page, 'sandbox.state', { limit: 1 });
  await callBackend(page, 'sandbox.registerKeys', { pems: [makeKeyPair().publicKeyPem], mode: 'replace' });
  const reference = await sendPayout('254712345678');
  await shell.open('Sandbox');
  await sandbox.show('Requests');
  const row = sandbox.row('Requests', reference).filter({ hasText: 'signature refused' });
  await row.click();
  await expect(page.getByRole('region', { name: 'Expected string' })).toContainText(reference);
  await expect(page.getByRole('list', { name: 'Bytes of the expected string' })).toBeVisible();
  await page.getByRole('button', { name: 'Open in the signature lab' }).click();
  await expect(page.getByRole('textbox', { name: 'Body, exactly as it was sent' })).toHaveValue(
    new RegExp(reference),
  );
  await callBackend(page, 'sandbox.registerKeys', {
    pems: publicKeys.map(({ pem }) => pem),
    mode: 'replace',
  });
});

test('a request is opened with its checks, bodies and headers, and found by what stands in it', async ({
  page,
}) => {
  const reference = await sendPayout('254712345678');
  await shell.open('Sandbox');
  await sandbox.show('Requests');
  await page.getByRole('searchbox', { name: 'Search requests' }).fill(reference);
  await expect(page.getByRole('grid', { name: 'Requests' }).getByRole('row')).toHaveCount(2);
  await sandbox.row('Requests', reference).click();
  const checks = page.getByRole('list', { name: 'Checks in their order' }).getByRole('listitem');
  await expect(checks).toHaveCount(9);
  await expect(checks.first()).toContainText('Rate limit');
  await expect(page.getByRole('region', { name: 'String to sign' })).toContainText(reference);
  const parts = page.getByRole('tablist', { name: 'Request and answer' });
  await expect(page.getByLabel('Body of the request')).toContainText(reference);
  await parts.getByRole('tab', { name: /^Headers/ }).click();
  await expect(page.getByRole('row', { name: /^Authorization/i })).toContainText('…');
  await parts.getByRole('tab', { name: 'Answer' }).click();
  await expect(page.getByLabel('Body of the answer')).toContainText('ACCEPTED');
  await page.getByRole('radio', { name: '5xx' }).click();
  await expect(page.getByText('No request like that')).toBeVisible();
  await page.getByRole('radio', { name: 'All', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search requests' }).press('Escape');
});

test('a wallet is suspended, activated, topped up, and emptied after a word of confirmation', async ({
  page,
}) => {
  await shell.open('Sandbox');
  await sandbox.show('Wallets');
  const row = sandbox.row('Wallets of the sandbox', /payout.*UGX/);
  await row.click();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await expect(row).toContainText('SUSPENDED');
  await page.getByRole('button', { name: 'Activate' }).click();
  await expect(row).toContainText('ACTIVE');
  await page.getByRole('button', { name: 'Top up…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Top up the payout UGX wallet' });
  await dialog.getByRole('textbox').fill('0.001');
  await expect(dialog.getByRole('button', { name: 'Top up' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('250.75');
  await dialog.getByRole('textbox').press('Enter');
  await expect(row).toContainText('10,000,250.75');
  await page.getByRole('button', { name: 'Empty…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toContainText('10,000,250.75');
  await page.getByRole('button', { name: 'Empty…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Empty it' }).click();
  await expect(row).not.toContainText('10,000');
});

test('a webhook is delivered again on demand, under the same webhook-id', async ({ page }) => {
  const reference = await sendPayout('254712345678');
  await shell.open('Sandbox');
  await sandbox.show('Deliveries');
  const row = sandbox.row('Deliveries', reference);
  await expect(row).toContainText('delivered, 200');
  await row.click();
  await page.getByRole('button', { name: 'Deliver again' }).click();
  await expect(page.getByRole('region', { name: 'Delivery' }).getByRole('row')).toHaveCount(3);
});

test('faults that are injected reach the sender, and stop when they are taken away', async ({ page }) => {
  await callBackend(page, 'sandbox.setFaults', { latencyMs: 0, errorRate: 1, dropRate: 0, slowBodyMs: 0 });
  await sendPayout('254712345678');
  await expect(requests.response).toContainText('500');
  await callBackend(page, 'sandbox.setFaults', { latencyMs: 0, errorRate: 0, dropRate: 0, slowBodyMs: 0 });
  await requests.send();
  await expect(requests.response).toContainText('Accepted for processing');
});

test('a reset forgets payments and fills the wallets, after a word of confirmation', async ({ page }) => {
  await sendPayout('254712345678');
  await shell.open('Sandbox');
  await sandbox.choose('Reset…');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
  await sandbox.show('Payments');
  await expect(page.getByText('No payment yet')).toBeVisible();
  await sandbox.show('Wallets');
  await expect(sandbox.row('Wallets of the sandbox', /payout.*KES/)).toContainText('1,000,000');
  await shell.open('Requests');
  await requests.send();
  await expect(requests.response).toContainText('Accepted for processing');
});
