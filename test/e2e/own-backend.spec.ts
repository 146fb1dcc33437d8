import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { payout } from '../support/bodies';
import { callBackend } from './backend';
import { takeDownload } from './downloads';
import { expect, pageAlone, test } from './fixtures';
import { makeKeyPair, signWithOpenssl } from './openssl';
import { Shell } from './pages/shell';

const pair = makeKeyPair();

/** A backend of the user's own: it goes through the proxy, whatever that is. */
async function createBackend(page: Parameters<typeof callBackend>[0]) {
  await callBackend(page, 'sandbox.registerKeys', { pems: [pair.publicKeyPem], mode: 'add' });
  const { consumerKey, consumerSecret } = await callBackend(page, 'sandbox.makeBackendCredentials', {});
  const { listener } = await callBackend(page, 'app.status', {});
  const post = (url: string, body: string, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  let bearer = '';
  return async (base: string, reference: string, separator = ''): Promise<number> => {
    const credentials = { consumer_key: consumerKey, consumer_secret: consumerSecret, product: 'payout' };
    const token = await post(`${base}/auth/v1/token`, JSON.stringify(credentials));
    bearer ||= ((await token.json()) as { access_token: string }).access_token;
    const changes = { 'transaction.reference': reference, callback_url: `${listener.url}/hooks` };
    const body = payout(changes) as { transaction: Record<string, unknown>; originator: { country: string } };
    const { amount, service_code: service } = body.transaction;
    const text = [reference, amount, body.originator.country, service].join(separator);
    const headers = { authorization: `Bearer ${bearer}`, 'X-Custom-Signature': signWithOpenssl(text, pair) };
    const sent = await post(`${base}/payments/v1/payouts`, JSON.stringify(body), headers);
    return sent.status;
  };
}

test('what a backend sends through the proxy is shown, judged, joined to its journey, and kept over a stop', async ({
  page,
}) => {
  const shell = new Shell(page);
  await shell.open('Your backend');
  const state = page.getByRole('status', { name: 'State of the proxy' });
  await expect(state).toHaveText('stopped');
  await page.getByRole('button', { name: 'Open Sandbox' }).click();
  await expect(page.getByRole('tab', { name: 'Your backend' })).toHaveAttribute('aria-selected', 'true');
  await shell.open('Your backend');
  await page.getByRole('button', { name: 'Set up…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up the proxy' });
  await dialog.getByRole('textbox', { name: 'Port on this machine' }).fill('0');
  await dialog.getByRole('button', { name: 'Start the proxy' }).click();
  await expect(state).toHaveText('running');
  const { url } = await callBackend(page, 'proxy.status', {});
  await expect(page.getByRole('button', { name: `Copy address for your backend ${url}` })).toBeVisible();

  const pay = await createBackend(page);
  expect([await pay(url!, 'e2e-right'), await pay(url!, 'e2e-joined', '|')]).toEqual([201, 401]);
  const rows = page.getByRole('grid', { name: 'Exchanges' }).getByRole('row');
  await expect(rows.filter({ hasText: 'e2e-right' })).toContainText('signature valid');
  const odd = JSON.stringify({ transaction: { reference: 'e2e-odd', amount: 'x' } });
  await fetch(`${url}/payments/v1/payouts`, {
    method: 'POST',
    body: odd,
    headers: { 'X-Custom-Signature': 'A' },
  });
  await page.setViewportSize({ width: 960, height: 600 });
  const badges = rows.filter({ hasText: 'e2e-odd' }).getByText(/^(?:not verified|\d+ fields)$/);
  await expect(badges).toHaveCount(2);
  for (const badge of await badges.all())
    expect(
      await badge.evaluate(
        (shown) =>
          shown.scrollWidth <= shown.clientWidth &&
          shown.getBoundingClientRect().right <=
            shown.closest('[role=gridcell]')!.getBoundingClientRect().right,
      ),
    ).toBe(true);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('radio', { name: 'Findings' }).click();
  await expect(rows.filter({ hasText: 'e2e-right' })).toHaveCount(0);
  await rows.filter({ hasText: 'e2e-joined' }).click();
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('separators');
  await expect(page.getByRole('region', { name: 'String to sign' })).toContainText('e2e-joined');
  await expect(page.getByRole('region', { name: 'Token and target' })).toContainText('of product payout');
  await expect(page.getByLabel('Body of the request')).toContainText('e2e-joined');
  await page.getByRole('radio', { name: 'All', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search exchanges' }).fill('e2e-right');
  await expect(rows).toHaveCount(2);
  await rows.filter({ hasText: 'e2e-right' }).click();
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('HTTP 201');
  await page.getByRole('button', { name: 'Open its journey' }).click();
  await expect(shell.main).toContainText('Webhook: SUCCESS');

  await shell.open('Your backend');
  await page.getByRole('searchbox', { name: 'Search exchanges' }).press('Escape');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(state).toHaveText('stopped');
  await expect(rows.filter({ hasText: 'e2e-joined' })).toBeVisible();
});

test(
  'what could not be read is neither called empty nor being read',
  pageAlone,
  async ({ page, hostKind }) => {
    test.skip(hostKind === 'electron', 'no call of the page goes over the network there');
    const error = { code: 'platform.unwritable', message: 'The data folder cannot be read: EIO.' };
    await page.route('**/api/call', (route) =>
      /"(?:proxy|sandbox)\./.test(route.request().postData() ?? '')
        ? route.fulfill({ status: 200, json: { ok: false, error } })
        : route.continue(),
    );
    await page.reload();
    const shell = new Shell(page);
    await shell.open('Your backend');
    await expect(page.getByRole('alert').filter({ hasText: 'EIO' })).toBeVisible();
    await expect(page.getByRole('status', { name: 'State of the proxy' })).toHaveText('state not known');
    await expect(page.getByText('Nothing passed yet')).toHaveCount(0);
    await shell.open('Sandbox');
    await expect(page.getByText('state not known')).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
  },
);

test('a proxy says that its port is taken and that its target is gone, and hears of its return', async ({
  page,
}) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => taken.once('listening', done));
  const { port } = taken.address() as AddressInfo;
  await new Shell(page).open('Your backend');
  await page.getByRole('button', { name: 'Set up…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up the proxy' });
  await dialog.getByRole('textbox', { name: 'Port on this machine' }).fill(String(port));
  await dialog.getByRole('button', { name: 'Start the proxy' }).click();
  await expect(dialog).toContainText('is used by another program');
  await dialog.getByRole('textbox', { name: 'Port on this machine' }).fill('0');
  // What holds the port becomes the target, then goes, then is back.
  await dialog.getByRole('textbox', { name: 'Target' }).fill(`http://127.0.0.1:${port}`);
  await dialog.getByRole('button', { name: 'Start the proxy' }).click();
  await expect(dialog).toBeHidden();
  const state = page.getByRole('status', { name: 'State of the proxy' });
  await expect(state).toHaveText('running');
  await new Promise((done) => taken.close(done));
  const { url } = await callBackend(page, 'proxy.status', {});
  expect((await fetch(`${url}/tsq/v1/wallet-balances`)).status).toBe(502);
  await expect(state).toHaveText('target gone');
  const back = createServer().listen(port, '127.0.0.1');
  await expect(state).toHaveText('running');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(state).toHaveText('stopped');
  back.close();
  const { sandbox } = await callBackend(page, 'app.status', {});
  await callBackend(page, 'proxy.start', { target: sandbox.baseUrl!, port: 0 });
  await callBackend(page, 'proxy.stop', {});
});

test('a receiver is checked scenario by scenario, and what failed is played again once it is mended', async ({
  page,
  app,
}) => {
  let isBroken = true;
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => response.writeHead(isBroken && body.includes('"FAILED"') ? 500 : 200).end());
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  await new Shell(page).open('Your backend');
  await page.getByRole('tab', { name: 'Receiver check' }).click();
  await page
    .getByRole('textbox', { name: 'Address of your webhook handler' })
    .fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`);
  await page.getByRole('button', { name: 'None' }).click();
  for (const name of ['success', 'failed', 'old-signature'])
    await page.getByRole('checkbox', { name, exact: true }).check();
  await page.getByRole('button', { name: 'Play 3 scenarios' }).click();
  const state = page.getByRole('status', { name: 'State of the check' });
  await expect(state).toHaveText(/^Done: 3 of 3 played, 1 failed, 1 not judged without a secret/);
  const scenario = (name: string) =>
    page.getByRole('list', { name: 'Scenarios' }).getByRole('listitem').filter({ hasText: name });
  await expect(scenario('failed').filter({ hasText: 'answered 500' })).toHaveCount(1);
  isBroken = false;
  await page.getByRole('button', { name: 'Play 1 failed again' }).click();
  await expect(state).toHaveText(/^Done: 3 of 3 played, none failed/, { timeout: 30_000 });
  const saved = await takeDownload(app, () => page.getByRole('button', { name: 'JUnit' }).click());
  expect(saved.bytes.toString('utf8')).toContain('<testsuites');
  server.close();
  server.closeAllConnections();
  await page.getByRole('button', { name: 'All', exact: true }).click();
});

test('the go-live report stands in Sandbox and beside the proxy, and its evidence leads to the exchange', async ({
  page,
}) => {
  const { sandbox } = await callBackend(page, 'app.status', {});
  const { url } = await callBackend(page, 'proxy.start', { target: sandbox.baseUrl!, port: 0 });
  const pay = await createBackend(page);
  expect(await pay(url!, `e2e-report-${Date.now()}`, ',')).toBe(401);
  const shell = new Shell(page);
  await shell.open('Sandbox');
  await page.getByRole('tab', { name: 'Go-live report' }).click();
  const rule = page.getByRole('listitem').filter({ hasText: 'signature.sent' });
  await expect(rule).toContainText('broken');
  await expect(page.getByRole('listitem').filter({ hasText: 'rate_limit.honoured' })).toContainText(
    'To exercise it: have your backend pay to an account that ends in 0008',
  );
  await rule.getByRole('button', { name: /^px_/ }).last().click();
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('separators');
  await page.getByRole('tab', { name: 'Go-live report' }).click();
  await expect(page.getByRole('status', { name: 'Summary' })).toContainText(/^\d+ broken, \d+ held/);
  await callBackend(page, 'proxy.stop', {});
});
