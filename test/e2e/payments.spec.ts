import type { Page } from '@playwright/test';
import { callBackend } from './backend';
import { takeDownload } from './downloads';
import { expect, pageAlone, test } from './fixtures';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

/** Sends a payout, and gives what was signed of it. Its amount is whatever earlier specs left in its file. */
async function sendPayout(page: Page): Promise<{ reference: string; amount: string }> {
  const requests = new RequestsPage(page);
  await new Shell(page).open('Requests');
  await requests.openAsSaved('Salary payout');
  const reference = await requests.readSignedValue('reference');
  const amount = await requests.readSignedValue('amount');
  await requests.send();
  await expect(requests.response).toContainText('Accepted for processing');
  return { reference, amount };
}

test('a payment has its whole way on one timeline, with links to each part', async ({ page }) => {
  const shell = new Shell(page);
  const { reference, amount } = await sendPayout(page);

  await shell.open('Lookups');
  await shell.queryStatus('Payout', reference);
  await expect(shell.main).toContainText(reference);

  await shell.open('Payments');
  const row = page
    .getByRole('listbox', { name: 'Payments' })
    .getByRole('option')
    .filter({ hasText: reference });
  await expect(row.getByRole('img', { name: /webhook: done/ })).toBeVisible();
  await row.click();
  const timeline = page.getByRole('list', { name: 'Timeline' });
  for (const part of [/signed|sent/i, /accepted/i, /webhook/i, /status/i]) {
    await expect(timeline.getByRole('listitem').filter({ hasText: part }).first()).toBeVisible();
  }
  await timeline
    .getByRole('button', { name: /^Exchange of/ })
    .first()
    .click();
  await expect(timeline).toContainText(`${reference}${amount}KEMPESA-B2C`);

  await timeline
    .getByRole('button', { name: /^Webhook of/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Webhook', exact: true })).toContainText(reference);
  await page.getByRole('button', { name: 'Open the journey' }).click();
  await expect(timeline).toBeVisible();
  await page.getByRole('button', { name: 'Query its status' }).click();
  await expect(page.getByRole('textbox', { name: 'Reference' })).toHaveValue(reference);
});

test(
  'printed, a journey stands alone, in light colours, and in its whole length',
  pageAlone,
  async ({ page }) => {
    const { reference } = await sendPayout(page);
    await new Shell(page).open('Payments');
    const rows = page.getByRole('listbox', { name: 'Payments' }).getByRole('option');
    await rows.filter({ hasText: reference }).click();
    // Until it is read, the journey of an earlier spec stands there, with its exchange open.
    await expect(page.getByRole('heading', { name: reference })).toBeVisible();
    const timeline = page.getByRole('list', { name: 'Timeline' });
    const exchange = timeline.getByRole('button', { name: /^Exchange of/ }).first();
    if ((await exchange.getAttribute('aria-expanded')) === 'false') await exchange.click();
    await expect(timeline).toContainText('KEMPESA-B2C');
    const measure = () =>
      page.evaluate(() => ({
        paper: getComputedStyle(document.body).backgroundColor,
        window: innerHeight,
        height: document.documentElement.scrollHeight,
        end: Math.ceil(document.querySelector('ol[aria-label="Timeline"]')!.getBoundingClientRect().bottom),
      }));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('listbox', { name: 'Payments' })).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Views' })).toBeHidden();
    const { paper, window, height, end } = await measure();
    await page.emulateMedia({ media: null, colorScheme: null });
    expect(paper).toBe('rgb(255, 255, 255)');
    expect(end).toBeGreaterThan(window);
    expect(height).toBeGreaterThanOrEqual(end);
  },
);

test(
  'what was sent is one stop of the Tab key in Lookups: arrows choose, its detail stands beside it',
  pageAlone,
  async ({ page }) => {
    const { reference: earlier } = await sendPayout(page);
    const { reference: later } = await sendPayout(page);
    await new Shell(page).open('Lookups');
    const list = page.getByRole('listbox', { name: 'Payments sent lately' });
    const answer = page.getByRole('region', { name: 'Answer', exact: true });
    await page.getByRole('textbox', { name: 'Reference' }).fill('');
    await page.getByRole('button', { name: /Environment$/ }).focus();
    // Query and Watch wait for a reference: the list is what comes next, and the edge of its pane after it.
    await page.keyboard.press('Tab');
    await expect(list).toBeFocused();
    // Until it is read anew, another payment is its first.
    await expect(list.getByRole('option').first()).toContainText(later);
    await page.keyboard.press('Home');
    await expect(list.getByRole('option', { selected: true })).toContainText(later);
    await page.keyboard.press('ArrowDown');
    await expect(list.getByRole('option', { selected: true })).toContainText(earlier);
    await expect(answer).toContainText(earlier);
    await page.keyboard.press('Tab');
    await expect(list.locator(':focus')).toHaveCount(0);
    await list.focus();
    await page.keyboard.press('Enter');
    await expect(answer).toContainText(/The payment (succeeded|is in progress)/);
    await page.keyboard.press('ArrowUp');
    await expect(answer).not.toContainText('The payment');
    await expect(answer).toContainText(later);
  },
);

test('balances stand side by side, and a reading is kept where it differs', pageAlone, async ({ page }) => {
  const shell = new Shell(page);
  await shell.open('Balances');
  for (const product of ['Payout', 'Remittance', 'Collection'] as const) {
    await expect(shell.wallet(product, 'KES')).toContainText(/\d\.\d\d/);
  }
  const before = await shell.readBalance('Payout', 'KES');
  await shell.wallet('Payout', 'KES').getByRole('button', { name: 'KES' }).click();
  const changes = page.getByRole('table', { name: 'When it changed' }).getByRole('row');
  // Of a table that is still being read there are none to count.
  await expect(changes.nth(1)).toBeVisible();
  const count = await changes.count();
  await sendPayout(page);
  await shell.open('Balances');
  await expect.poll(() => shell.readBalance('Payout', 'KES')).toBeLessThan(before);
  await expect(page.getByRole('heading', { name: 'Payout KES' })).toBeVisible();
  await expect(changes).toHaveCount(count + 1);
  await expect(changes.nth(1)).toContainText('−');
  await expect(page.getByRole('img', { name: /^Payout KES\. Available [\d,.]+ at / })).toBeVisible();
  await expect(page.getByRole('figure')).toContainText('Available');
});

test(
  'what a payment did to its wallet is said in words, readings outlast a reload, and reading again is a choice',
  pageAlone,
  async ({ page }) => {
    const shell = new Shell(page);
    await shell.open('Balances');
    await shell.readBalance('Payout', 'KES');
    const { reference } = await sendPayout(page);
    await shell.open('Lookups');
    await shell.queryStatus('Payout', reference);
    await page.getByRole('button', { name: 'Watch until final' }).click();
    const answer = page.getByRole('region', { name: 'Answer', exact: true });
    await expect(answer).toContainText('The payment succeeded');
    await shell.open('Balances');
    await shell.readBalance('Payout', 'KES');
    await shell.wallet('Payout', 'KES').getByRole('button', { name: 'KES' }).click();
    const around = page.getByRole('region', { name: 'Change around a payment' });
    await around.getByRole('button').click();
    await page.getByRole('option', { name: reference }).click();
    await expect(around.getByRole('status')).toHaveText(
      /^KES payout fell by ([\d,.]+) between [\d:]+ and [\d:]+; this payment accounts for \1\.$/,
    );
    const rows = page.getByRole('table', { name: 'When it changed' }).getByRole('row');
    await expect(rows.nth(1)).toBeVisible();
    const count = await rows.count();
    const repeat = page.getByRole('button', { name: /Read again while on show/ });
    await repeat.click();
    await page.getByRole('option', { name: 'Every 60 s' }).click();
    // A page that is loaded at the moment of the save may still be told what was before.
    const kept = async () => (await callBackend(page, 'settings.get', {})).layout['balances.every'];
    await expect.poll(kept).toMatchObject({ local: 60 });
    await page.reload();
    await expect(repeat).toContainText('Every 60 s');
    await expect(rows).toHaveCount(count);
    await repeat.click();
    await page.getByRole('option', { name: 'Read when asked' }).click();
    // The tests after this one have the same app.
    await page.reload();
    await expect(repeat).toContainText('Read when asked');
  },
);

test(
  'payments are found by their reference, and a search without a match can be taken back',
  pageAlone,
  async ({ page }) => {
    const { reference } = await sendPayout(page);
    await new Shell(page).open('Payments');
    const rows = page.getByRole('listbox', { name: 'Payments' }).getByRole('option');
    const search = page.getByRole('searchbox', { name: 'Search payments' });
    await search.fill(reference);
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText(reference);
    await search.fill('no-such-reference');
    await expect(page.getByText('No payment matches')).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(rows.first()).toBeVisible();
  },
);

test(
  'a list of payments is asked for in turn until each is final, says which lines it cannot ask, and is saved as CSV',
  pageAlone,
  async ({ page, app }) => {
    const { reference } = await sendPayout(page);
    const shell = new Shell(page);
    await shell.open('Lookups');
    await page.getByRole('radio', { name: 'Many' }).press('Space');
    const list = `reference,payment_uuid,product\n${reference},,payout\nno-such-payment,,payout\n,PR-17,payout`;
    await page.getByRole('textbox', { name: /^Payments, one a line/ }).fill(list);
    await page.getByText('Ask again until each is final').click();
    await page.getByRole('button', { name: 'Query all' }).click();
    await expect(page.getByText(/^Line 4: PR-17: It is no payment UUID/)).toBeVisible();
    const results = page.getByRole('region', { name: 'Answer', exact: true });
    // In the order of a column that changes while they come in each row shows what was heard last.
    const state = results.getByRole('columnheader', { name: 'State', exact: true });
    await state.getByText('State').click();
    // One that is not found may have been sent just now: it is asked for again, until somebody stops that.
    await expect(results.getByRole('status')).toHaveText('1 of 2 final, watching', { timeout: 30_000 });
    await expect(results.getByRole('row', { name: new RegExp(reference) })).toContainText('succeeded');
    await expect(results.getByRole('row', { name: /no-such-payment/ })).toContainText('not found');
    const first = results.getByRole('row').nth(1);
    await expect(first).toContainText('no-such-payment');
    await state.getByText('State').click();
    await expect(first).toContainText('succeeded');
    await state.getByText('State').click();
    await expect(state).toHaveAttribute('aria-sort', 'none');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(results.getByRole('status')).toHaveText('1 of 2 final, watch ended');
    // In a small window, too, no column stands behind the edge.
    await page.setViewportSize({ width: 960, height: 600 });
    const grid = results.getByRole('grid').or(results.getByRole('table'));
    await expect(grid.getByRole('columnheader', { name: 'UUID, or why not' })).toBeInViewport({ ratio: 1 });
    expect(await grid.evaluate((table) => table.scrollWidth - table.clientWidth)).toBe(0);
    // References of a batch have their beginning in common: the end stays in view.
    const ending = grid.getByText(reference.slice(-6), { exact: true });
    await expect(ending).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1280, height: 800 });
    await results.getByRole('row', { name: new RegExp(reference) }).click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Copy the payment UUID' })).toBeEnabled();
    await page.keyboard.press('Escape');
    const saved = await takeDownload(app, () => results.getByRole('button', { name: 'Save as CSV' }).click());
    const [head, ...lines] = saved.bytes.toString('utf8').trimEnd().split('\n');
    expect(head).toContain('payment_uuid');
    expect(lines.filter((line) => line.includes(reference) || line.includes('no-such-payment'))).toHaveLength(
      2,
    );
    await page.getByRole('radio', { name: 'One' }).press('Space');
  },
);

test('rows of every list have a menu, by pointer and by keyboard', pageAlone, async ({ page }) => {
  const shell = new Shell(page);
  const { reference } = await sendPayout(page);
  const menu = page.getByRole('menu');
  const expectMenu = async (entry: string): Promise<void> => {
    await expect(menu.getByRole('menuitem', { name: entry })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  };

  await shell.open('Payments');
  const payments = page.getByRole('listbox', { name: 'Payments' });
  await payments.getByRole('option').first().click({ button: 'right' });
  await expectMenu('Query its status');

  await shell.open('Balances');
  await shell.wallet('Payout', 'KES').getByRole('button').press('Shift+F10');
  await expectMenu('Copy what is available');

  await shell.open('Sandbox');
  for (const [tab, text, entry] of [
    ['Requests', reference, 'Open the journey'],
    ['Payments', reference, 'Copy the payment UUID'],
    ['Deliveries', reference, 'Deliver again'],
    ['Wallets', 'UGX', 'Top up…'],
  ] as const) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    const row = page.getByRole('row').filter({ hasText: text }).first();
    await row.click({ button: 'right' });
    await expectMenu(entry);
    await row.click();
    await page.keyboard.press('Shift+F10');
    await expectMenu(entry);
  }

  for (const [view, list, entry] of [
    ['Keys and tokens', 'Keys and tokens', 'Open'],
    ['Environments', 'Environments', 'Copy the address'],
  ] as const) {
    await shell.open(view);
    const option = page.getByRole('listbox', { name: list }).getByRole('option').first();
    await option.click({ button: 'right' });
    await expectMenu(entry);
    await option.focus();
    await page.keyboard.press('Shift+F10');
    await expectMenu(entry);
  }

  await shell.open('Lookups');
  const sent = page.getByRole('listbox', { name: 'Payments sent lately' });
  await sent.getByRole('option').first().click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Query its status' }).click();
  await expect(page.getByText('Sent from here as a payout: its token is used.')).toBeVisible();
  await expect(shell.main).toContainText('The payment');
});
