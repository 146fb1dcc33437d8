import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findViolations } from '../support/find-look-faults.mjs';
import { localEnvironment } from '../support/contract-stage';
import { callBackend } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { checkLooks } from './looks';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

test('finds what was sent, compares two, pins, sends one again with the same bytes, and opens one as a draft', async ({
  freshApp,
}) => {
  test.slow();
  const { page, dataDirectory } = freshApp;
  const requests = new RequestsPage(page);
  const shell = new Shell(page);
  await shell.open('History');
  await expect(shell.main.getByText('Nothing was sent yet')).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await shell.open('Requests');
  await requests.open('Salary payout');
  for (const amount of ['1500', '1500.00']) {
    if (amount !== '1500') await requests.replaceInBody('"amount": 1500', `"amount": ${amount}`);
    await requests.send();
    await expect(requests.response).toContainText('201');
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  }
  await requests.treeItem('Balances of payout wallets').click();
  await expect(requests.tab('Balances of payout wallets')).toHaveAttribute('aria-current', 'true');
  await requests.send();
  await expect(requests.response).toContainText('200');

  // By keyboard: the view, the search, the rows.
  await page.keyboard.press('ControlOrMeta+Shift+H');
  const list = page.getByRole('region', { name: 'Exchanges' });
  const rows = list.getByRole('option');
  const detail = page.getByRole('region', { name: 'Exchange', exact: true });
  await expect(rows.first()).toContainText('Balances of payout wallets');
  await page.keyboard.press('/');
  await expect(list.getByRole('searchbox', { name: 'Search the history' })).toBeFocused();
  await list.getByRole('searchbox', { name: 'Search the history' }).fill('1500.00 payouts');
  await expect(rows).toHaveCount(1);
  await rows.first().click();
  await expect(detail).toContainText('1500.00');
  await expect(detail).toContainText(/EnvironmentLocal sandboxTo127\.0\.0\.1:\d+/);
  await expect(detail.getByRole('table', { name: 'Headers sent' })).toContainText(
    /Authorization.*Bearer .*…/,
  );
  await expect(
    detail.getByRole('table', { name: 'Headers received' }).getByRole('rowheader', { name: /x-request-id/i }),
  ).toBeVisible();
  await list.getByRole('listbox').focus();
  await page.keyboard.press('p');
  await expect(rows.first().getByRole('img', { name: 'pinned' })).toBeVisible();

  await page.keyboard.press('c');
  await list.getByRole('searchbox').fill('salary');
  await expect(rows).toHaveCount(2);
  await rows.nth(1).click();
  const comparison = detail.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByRole('row', { name: /transaction\/amount/ })).toContainText(
    'same value, written otherwise1500.001500',
  );
  await expect(comparison).toContainText('The bytes differ from byte');
  expect(await checkLooks(freshApp, 'history-compared')).toEqual([]);
  await comparison.getByRole('button', { name: 'Compare with none' }).click();

  // The same reference once more: the service refuses it as a duplicate, so it was the same.
  const reference = await detail.getByRole('button', { name: /^Copy reference/ }).textContent();
  const { exchanges: before } = await callBackend(page, 'history.list', {});
  await detail.getByRole('button', { name: 'Send again' }).click();
  await expect(rows).toHaveCount(3);
  await expect(detail).toContainText('Duplicate');
  // The second press of a double click comes after a quick answer.
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await expect(detail.getByRole('button', { name: /^Copy reference/ })).toHaveText(reference!);

  // A draft is written by Save alone.
  const folder = join(dataDirectory, 'collections', 'Payments API', 'Payouts');
  const files = readdirSync(folder);
  await detail.getByRole('button', { name: 'Open as draft' }).click();
  await expect(requests.tab('Salary payout (draft)')).toHaveAttribute('aria-current', 'true');
  await expect(page.getByLabel('Address', { exact: true })).toBeFocused();
  await requests.waitForEditor();
  expect(await requests.readBody()).toContain(reference!);
  expect(readdirSync(folder)).toEqual(files);
  // What is done with a file is not offered for what no file has.
  const search = page.getByRole('combobox', { name: 'Search commands' });
  await page.keyboard.press('ControlOrMeta+k');
  await search.fill('Export the collection');
  await expect(page.getByRole('option').first()).toContainText('Export the collection');
  await search.fill('Export this request');
  await expect(page.getByRole('option', { name: 'Export this request' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+s');
  await expect.poll(() => readdirSync(folder)).toContain('Salary payout (draft).http');
  await requests.send();
  await expect(requests.response).toContainText('Duplicate');

  // Of one request alone, from the tree.
  await requests.choose('Balances of payout wallets', 'History');
  await expect(rows).toHaveCount(1);
  await expect(list.getByRole('status')).toContainText('Only Balances of payout wallets');
  await rows.first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(list).toContainText('Nothing matches');
  const { exchanges: after } = await callBackend(page, 'history.list', {});
  expect(after).toHaveLength(before.length + 1);
});

test(
  'a reference that turns text around turns nothing in what the pointer shows',
  pageAlone,
  async ({ freshApp: { page } }) => {
    const { environment } = await callBackend(page, 'app.status', {});
    await callBackend(page, 'sending.send', {
      environment: localEnvironment,
      operation: 'payout',
      title: 'Turned',
      method: 'POST',
      url: `${environment.baseUrl}/payments/v1/payouts`,
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify({ transaction: { reference: 'R\u202e-1', amount: 5 } }),
    });
    await new Shell(page).open('History');
    const row = page.getByRole('option').filter({ hasText: 'R[RLO]-1' });
    const line = row.getByTitle(/127\.0\.0\.1/);
    await line.hover();
    await expect(line).toHaveAttribute('title', /^R\[RLO\]-1 · 127\.0\.0\.1/);
    const { collections } = await callBackend(page, 'collections.list', {});
    writeFileSync(join(collections[0]!.directory, 'R\u202e-2.http'), 'GET {{base_url}}/a\n');
    await new Shell(page).open('Requests');
    await page.getByRole('treegrid').getByText('R[RLO]-2').click();
    await page.getByRole('button', { name: /^Close R.-2/ }).hover();
    await expect(page.getByRole('tooltip')).toHaveText(/^Close R\[RLO\]-2/);
  },
);
