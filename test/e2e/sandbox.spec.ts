import { payout as payoutBody } from '../support/bodies';
import { callBackend } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { makeKeyPair, signWithOpenssl } from './openssl';
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

test('the bar keeps to one line in the smallest window', pageAlone, async ({ page }) => {
  await shell.open('Sandbox');
  await page.setViewportSize({ width: 640, height: 400 });
  const clock = page.getByRole('group', { name: 'Test clock' });
  const topOf = async (name: string) =>
    (await page.getByRole('main').getByRole('button', { name, exact: true }).boundingBox())!.y;
  await expect(clock).toBeVisible();
  const [move, more] = [await topOf('Move…'), await topOf('More')];
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(Math.abs(more - move)).toBeLessThan(10);
});

test('a payment in progress can be brought to an end by hand, once', pageAlone, async ({ page }) => {
  const reference = await sendPayout('254712340003');
  await shell.open('Sandbox');
  await sandbox.show('Payments');
  // The id copies, and its row is chosen all the same.
  const row = sandbox.row('Payments of the sandbox', reference);
  await row.getByRole('button', { name: reference }).click();
  await expect(row).toContainText('Copied');
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('button', { name: 'Cancel it' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('Cancel it');
  await page.getByRole('option', { name: 'Cancel it' }).click();
  await expect(sandbox.row('Payments of the sandbox', reference)).toContainText('canceled');
  await expect(page.getByText('This state is final')).toBeVisible();
});

test('a refused signature is explained byte by byte, and leads to the lab', pageAlone, async ({ page }) => {
  const { publicKeys } = await callBackend(page, 'sandbox.state', { limit: 1 });
  await callBackend(page, 'sandbox.registerKeys', { pems: [makeKeyPair().publicKeyPem], mode: 'replace' });
  const reference = await sendPayout('254712345678');
  await shell.open('Sandbox');
  await sandbox.show('Requests');
  const row = sandbox.row('Requests', reference).filter({ hasText: 'signature refused' });
  // Where the tabs of the messages have no room, showing the chosen one leaves the pane where it is: its sentence stays in view.
  await page.setViewportSize({ width: 853, height: 533 });
  await row.click();
  await expect(page.getByRole('button', { name: 'Request and answer: all 4' })).toBeAttached();
  await expect(page.getByText('X-Request-Id')).toBeInViewport();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole('region', { name: 'Expected string' })).toContainText(reference);
  await expect(page.getByRole('list', { name: 'Bytes of the expected string' })).toBeVisible();
  await page.getByRole('button', { name: 'Explain the signature' }).click();
  await expect(page.getByRole('textbox', { name: 'Body, exactly as it was sent' })).toHaveValue(
    new RegExp(reference),
  );
  await callBackend(page, 'sandbox.registerKeys', {
    pems: publicKeys.map(({ pem }) => pem),
    mode: 'replace',
  });
});

test(
  'a request is opened with its checks, bodies and headers, and found by what stands in it',
  pageAlone,
  async ({ page }) => {
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
  },
);

test('requests are put in order by their headings, by keyboard too', pageAlone, async ({ page }) => {
  await sendPayout('254712345678');
  await shell.open('Sandbox');
  await sandbox.show('Requests');
  // What comes first by its path; a token of an earlier spec may still be good, and is not asked for again.
  const address = await page.getByText(/^http:\/\/127\.0\.0\.1:\d+$/).innerText();
  await fetch(`${address}/auth/v1/token`, { method: 'POST', body: '{}' });
  const heading = page
    .getByRole('grid', { name: 'Requests' })
    .getByRole('columnheader', { name: 'Request', exact: false })
    .first();
  const first = page.getByRole('grid', { name: 'Requests' }).getByRole('row').nth(1);
  await heading.click();
  await expect(heading).toHaveAttribute('aria-sort', 'ascending');
  await expect(first).toContainText('/auth/v1/token');
  await heading.press('Enter');
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  await expect(first).not.toContainText('/auth/v1/token');
  await heading.press('Enter');
  await expect(heading).toHaveAttribute('aria-sort', 'none');
});

test(
  'a wallet is suspended, activated, topped up, and emptied after a word of confirmation',
  pageAlone,
  async ({ page }) => {
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
  },
);

test('credentials for one’s own backend are shown once and work at once; its payments are journeys', async ({
  page,
}) => {
  await shell.open('Sandbox');
  await sandbox.show('Your backend');
  // An earlier spec may have made a pair, which this one takes the place of.
  const again = page.getByRole('button', { name: 'Make new ones…' });
  const first = page.getByRole('button', { name: 'Make credentials' });
  await expect(first.or(again)).toBeVisible();
  const isReplaced = await again.isVisible();
  await first.or(again).click();
  if (isReplaced) await page.getByRole('button', { name: 'Make new ones', exact: true }).click();
  const section = page.getByRole('region', { name: 'Point your backend at it' });
  await expect(section).toContainText(/PAYMENTS_CONSUMER_SECRET=cs_[0-9a-f]{48}/);
  const values = Object.fromEntries(
    (await section.locator('pre').innerText()).split('\n').map((line) => line.split('=') as [string, string]),
  );
  const pair = makeKeyPair();
  await sandbox.registerKey(pair.publicKeyPem, 'Beside the others');
  const post = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as { access_token: string } };
  };
  const token = await post(values['PAYMENTS_TOKEN_URL']!, {
    consumer_key: values['PAYMENTS_CONSUMER_KEY'],
    consumer_secret: values['PAYMENTS_CONSUMER_SECRET'],
    product: 'payout',
  });
  expect(token.status).toBe(200);
  const { listeners } = await callBackend(page, 'listener.list', {});
  const reference = `backend-${Date.now()}`;
  const body = payoutBody({
    'transaction.reference': reference,
    callback_url: `${listeners[0]!.url}/from-backend`,
  });
  const signature = signWithOpenssl(`${reference}1000KEMPESA`, pair);
  const accepted = await post(`${values['PAYMENTS_BASE_URL']}/payments/v1/payouts`, body, {
    authorization: `Bearer ${token.body.access_token}`,
    'x-custom-signature': signature,
  });
  expect(accepted.status).toBe(201);
  await expect
    .poll(async () => {
      const { journeys } = await callBackend(page, 'journey.list', { search: reference });
      return journeys.map(({ title, track }) => [title, track.accepted, track.webhook]);
    })
    .toEqual([['Your backend', 'done', 'done']]);
  const { webhooks } = await callBackend(page, 'inbox.list', { search: reference });
  expect(webhooks[0]!.answers).toMatchObject({ title: 'Your backend' });
  // The webhook of one that is called back elsewhere never comes here: what became of it the sandbox itself knows.
  const elsewhere = `${reference}-elsewhere`;
  await post(
    `${values['PAYMENTS_BASE_URL']}/payments/v1/payouts`,
    payoutBody({ 'transaction.reference': elsewhere, callback_url: 'http://127.0.0.1:9/own' }),
    {
      authorization: `Bearer ${token.body.access_token}`,
      'x-custom-signature': signWithOpenssl(`${elsewhere}1000KEMPESA`, pair),
    },
  );
  await expect
    .poll(async () => {
      const { journeys } = await callBackend(page, 'journey.list', { search: elsewhere });
      return journeys.map(({ state, track }) => [state, track.webhook, track.final]);
    })
    .toEqual([['succeeded', 'none', 'done']]);
  await sandbox.show('Requests');
  await sandbox.show('Your backend');
  await expect(section).toContainText('PAYMENTS_CONSUMER_SECRET=<your consumer secret>');
});

test('a private key is refused before it is sent, and the reason is said', pageAlone, async ({ page }) => {
  await shell.open('Sandbox');
  await sandbox.show('Your backend');
  await page.getByRole('button', { name: 'Register a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Register a public key' });
  await dialog.getByRole('textbox', { name: 'Public key' }).fill(makeKeyPair().privateKeyPem);
  await expect(dialog).toContainText('it was not sent anywhere');
  await expect(dialog.getByRole('button', { name: 'Register', exact: true })).toBeDisabled();
  const chosen = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a file…' }).click();
  const { publicKeyPem } = makeKeyPair();
  await (await chosen).setFiles({ name: 'k.pem', mimeType: 'text/plain', buffer: Buffer.from(publicKeyPem) });
  await dialog.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(dialog).toBeHidden();
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
