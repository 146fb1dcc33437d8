import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { focusByTab, pressSeen } from './by-keyboard';
import { takeDownload } from './downloads';
import { expect, test } from './fixtures';
import { RequestsPage } from './pages/requests-page';

const three = <T>(one: T): T[] => [one, one, one];

test('by keyboard alone: a collection, a request, its body, its answer, an example, the history, an export, an import', async ({
  freshApp,
}) => {
  test.setTimeout(180_000);
  const { page, dataDirectory } = freshApp;
  const { keyboard } = page;
  const requests = new RequestsPage(page);
  const folder = join(dataDirectory, 'collections', 'By hand');
  const offers = page.getByRole('listbox', { name: 'Offers' });
  const dialog = page.getByRole('dialog');
  const run = async (command: string): Promise<void> => {
    await pressSeen(page, 'ControlOrMeta+k');
    await keyboard.type(command);
    await expect(dialog.getByRole('option').first()).toContainText(command);
    await keyboard.press('Enter');
  };
  await expect(requests.treeItem('Salary payout')).toBeVisible();

  await test.step('a new collection is where the next request goes', async () => {
    await run('New collection');
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await keyboard.type('By hand');
    await pressSeen(page, 'Tab', 'Enter', 'ArrowDown', 'Enter');
    await expect(dialog.getByRole('button', { name: /Begins with/ })).toContainText('Empty');
    await pressSeen(page, 'Tab', 'Tab', 'Tab', 'Enter');
    await expect(requests.treeItem('By hand')).toBeVisible();
    expect(existsSync(folder)).toBe(true);
    // A dialog has the keyboard to itself until it is gone.
    await expect(dialog).toHaveCount(0);

    await pressSeen(page, 'Alt+n');
    await expect(dialog).toContainText('In By hand');
    await keyboard.type('Wages');
    await pressSeen(page, 'Tab', 'Enter');
    await keyboard.type('Initiate payout');
    await pressSeen(page, 'Enter', 'Tab', 'Tab', 'Enter');
    await expect(dialog).toHaveCount(0);
    await expect(requests.tab('Wages')).toHaveAttribute('aria-current', 'true');
    expect(existsSync(join(folder, 'Wages.http'))).toBe(true);
  });

  await test.step('the body is completed, explained and mended', async () => {
    await requests.waitForEditor();
    await focusByTab(page, 'textbox', /^Body/);
    await pressSeen(page, 'ControlOrMeta+Home');
    for (let line = 1; line < 5; line += 1) await keyboard.press('ArrowDown');
    await pressSeen(page, 'End', 'ArrowLeft', 'ArrowLeft', ...three('Backspace'));
    await keyboard.press('ControlOrMeta+Space');
    await expect(offers.getByRole('option', { name: /^AED/ })).toBeVisible();
    await keyboard.type('KE');
    await expect(offers.getByRole('option')).toHaveText([/^KES/]);
    await pressSeen(page, 'Enter');
    expect(await requests.readBody()).toContain('"currency": "KES"');

    await pressSeen(page, 'ArrowLeft', 'ControlOrMeta+i');
    const told = page.locator('.monaco-hover').filter({ hasText: 'Kenyan shilling' });
    await expect(told).toBeVisible();
    await pressSeen(page, 'Escape');
    await expect(told).toBeHidden();

    await pressSeen(page, 'End', 'ArrowLeft', 'ArrowLeft', ...three('Backspace'));
    await keyboard.type('kes');
    await pressSeen(page, 'Escape');
    await expect(requests.stringToSign).toContainText('transaction.currency must be an ISO 4217 code');
    await keyboard.press('ControlOrMeta+.');
    await expect(offers.getByRole('option', { name: /^Write KES/ })).toBeVisible();
    await pressSeen(page, 'Enter');
    await expect(requests.stringToSign).not.toContainText('ISO 4217');
    await pressSeen(page, 'ControlOrMeta+s');
    await expect(requests.tab('Wages').getByRole('img', { name: 'not saved' })).toHaveCount(0);
  });

  await test.step('the answer is read as a tree, searched and filtered', async () => {
    await pressSeen(page, 'ControlOrMeta+Enter');
    await expect(requests.response).toContainText('Accepted for processing');
    await focusByTab(page, 'radio', /^Pretty/);
    await pressSeen(page, 'ArrowRight', 'ArrowRight', 'Enter');
    const tree = page.getByRole('tree', { name: 'Response body as a tree' });
    await expect(tree).toBeVisible();
    await focusByTab(page, 'tree', /Response body/);
    await pressSeen(page, 'End', 'ArrowUp', 'ArrowLeft');
    await expect(tree.getByRole('treeitem', { selected: true })).toContainText('data');

    await focusByTab(page, 'searchbox', /^Find in the answer/);
    await keyboard.type('payment_');
    await expect(requests.response.getByRole('status').filter({ hasText: '1 of 2' })).toBeVisible();
    await pressSeen(page, 'Enter');
    await expect(tree.getByRole('treeitem', { selected: true })).toContainText('payment_reference');
    await pressSeen(page, 'Escape');
    await focusByTab(page, 'searchbox', /^Filter by JSON/);
    for (const [path, found] of [
      ['/data/amount', '1500'],
      ['$.data[?@ == 1500]', '1 found.'],
    ] as const) {
      await keyboard.type(path);
      await expect(requests.response).toContainText(found);
      await pressSeen(page, 'Escape');
    }
  });

  await test.step('it is kept as an example and compared with the next', async () => {
    await run('Save the answer');
    await expect(dialog.getByRole('textbox', { name: 'Name of the example' })).toBeFocused();
    await keyboard.type('taken');
    await pressSeen(page, 'Enter');
    await expect(requests.treeItem('taken')).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await pressSeen(page, 'ControlOrMeta+Enter');
    await expect(requests.response).toContainText('Accepted for processing');
    await focusByTab(page, 'treegrid', /Requests of the collection/);
    await pressSeen(page, 'ArrowDown');
    await expect(requests.tab('Wages.taken')).toHaveAttribute('aria-current', 'true');
    await focusByTab(page, 'tab', /^Body/);
    await pressSeen(page, 'End');
    await expect(page.getByRole('group', { name: 'Last answer' }).first()).toContainText('payment_uuid');
  });

  const rows = page.getByRole('listbox', { name: 'Exchanges' }).getByRole('option');
  await test.step('the history compares two and sends one again', async () => {
    await pressSeen(page, 'ControlOrMeta+Shift+h');
    await expect(rows).toHaveCount(2);
    await focusByTab(page, 'listbox', /^Exchanges/);
    await pressSeen(page, 'Home', 'c', 'ArrowDown');
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await expect(comparison.getByRole('row', { name: /transaction\/reference/ })).toBeVisible();
    await pressSeen(page, 'ControlOrMeta+Enter');
    await expect(rows).toHaveCount(3);
    await expect(rows.first()).toContainText('200');
    await run('What the history keeps');
    await expect(dialog.getByRole('textbox', { name: 'Newest exchanges' })).toBeFocused();
    await pressSeen(page, 'Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('listbox', { name: 'Exchanges' })).toBeFocused();
  });

  await test.step('the collection is exported', async () => {
    await run('Export the collection');
    await expect(dialog.getByRole('button', { name: /Format$/ })).toBeFocused();
    await pressSeen(page, 'Enter', 'Home', 'Enter', 'Tab', 'Tab', 'Tab');
    await expect(dialog.getByRole('button', { name: 'Export', exact: true })).toBeFocused();
    const { bytes } = await takeDownload(freshApp, () => keyboard.press('Enter'));
    expect(bytes.toString()).toContain('curl');
    // Where something was left out, that is said.
    await expect(dialog.getByRole('button', { name: 'Export', exact: true })).toHaveCount(0);
    await pressSeen(page, 'Escape');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('a curl that is pasted becomes a request', async () => {
    await pressSeen(page, 'ControlOrMeta+1');
    await focusByTab(page, 'treegrid', /Requests of the collection/);
    await page.evaluate(() =>
      navigator.clipboard.writeText(`curl 'https://api.example.com/v2/things?a=1' -d '{"n":1.50}'`),
    );
    await pressSeen(page, 'ControlOrMeta+v');
    await expect(dialog).toContainText('curl: 1 request');
    await focusSubmit(page, 'Import');
    await pressSeen(page, 'Enter');
    await expect(page.getByRole('dialog', { name: 'Imported' })).toBeVisible();
    await pressSeen(page, 'Enter');
    await expect(dialog).toHaveCount(0);
    await expect(requests.tab('things')).toHaveAttribute('aria-current', 'true');
    await requests.waitForEditor();
    expect(await requests.readBody()).toBe('{"n":1.50}');
    const made = readdirSync(folder).find((name) => name.includes('things'));
    expect(readFileSync(join(folder, made!), 'utf8')).toContain('{"n":1.50}');
  });
});

/** Goes to a button of the dialog that is open. */
async function focusSubmit(page: RequestsPage['page'], name: string): Promise<void> {
  const button = page.getByRole('dialog').getByRole('button', { name, exact: true });
  await expect(button).toBeEnabled();
  for (let stops = 0; stops < 12; stops += 1) {
    if (await button.evaluate((one) => one === document.activeElement)) return;
    await pressSeen(page, 'Tab');
  }
  throw new Error(`“${name}” cannot be reached with Tab.`);
}
