import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, pageAlone, test } from './fixtures';
import { findOverflow, findViolations } from '../support/find-look-faults.mjs';
import { setSize, setTheme, showPicture, sizes, themes } from './looks';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

const payout = 'Salary payout';
const file = join('collections', 'Payments API', 'Payouts', 'Salary payout.http');
let requests: RequestsPage;

test.beforeEach(async ({ page }) => {
  requests = new RequestsPage(page);
  await new Shell(page).open('Requests');
  await requests.openAsSaved(payout);
});

test(
  'the body offers what the interface has, says what is wrong and mends it',
  pageAlone,
  async ({ page }) => {
    const offers = page.getByRole('listbox', { name: 'Offers' });
    await requests.replaceInBody('"currency": "KES"', '"currency": "kes",\n    "curency": 1');
    await requests.replaceInBody('    "description": "Salary",\n', '');
    const problems = requests.stringToSign;
    await expect(problems).toContainText('transaction.currency must be an ISO 4217 code');
    await expect(problems).toContainText('transaction.curency is no field of the interface');
    await problems.getByRole('button', { name: 'Write KES' }).click();
    await problems.getByRole('button', { name: 'Remove curency' }).click();
    await problems.getByRole('button', { name: 'Add description' }).click();
    expect(await requests.readBody()).toContain('"currency": "KES",\n    "description": "",\n');
    await expect(problems).toContainText('transaction.description must not be empty');

    await page.locator('[data-editor="Body"]').getByText('"description"').click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('{{b');
    await expect(offers).toContainText('{{base_url}}');
    // What is typed at once with Enter belongs to the word that is replaced, though the list has not been made anew.
    await Promise.all(['a', 's', 'e', 'Enter'].map((key) => page.keyboard.press(key)));
    expect(await requests.readBody()).toContain('"description": "{{base_url}}",');

    await requests.replaceInBody('"MPESA-B2C"', '""');
    await page.locator('[data-editor="Body"]').getByText('"country"').click();
    await page.keyboard.press('End');
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ControlOrMeta+Space');
    await expect(offers.getByRole('option', { name: /^KE Kenya/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(offers).toBeHidden();
    await page.locator('[data-editor="Body"]').getByText('"service_code"').hover();
    await expect(page.getByText('Required text, part of the string to sign.')).toBeVisible();
  },
);

test('each way to mend a field is said in whole, once, and none is cut', pageAlone, async () => {
  await requests.setBody('{"transaction":{},"recipient":{}}');
  const problems = requests.stringToSign;
  await problems.getByRole('button', { name: /^Show \d+ more problems$/ }).click();
  const labels = await problems.getByRole('button', { name: /^Add / }).allTextContents();
  expect(labels).toContain('Add reference');
  expect(labels.filter((label) => label === 'Add all 6 missing')).toHaveLength(1);
  // A list longer than its room keeps in sight what makes it short again.
  const fewer = problems.getByRole('button', { name: 'Show fewer problems' });
  await expect(fewer).toBeInViewport({ ratio: 1 });
  const lines = problems.locator('> :first-child');
  expect(await lines.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
  await problems.getByRole('button', { name: 'Add all 6 missing' }).click();
  expect(
    Object.keys((JSON.parse(await requests.readBody()) as { transaction: object }).transaction),
  ).toHaveLength(6);
});

test('fields that could not be checked are not said to be right', pageAlone, async ({ page, hostKind }) => {
  test.skip(hostKind === 'electron', 'no script of the page goes over the network there');
  await page.route(/body-knowledge-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await requests.openAsSaved(payout);
  await requests.replaceInBody('"currency": "KES"', '"currency": "kes"');
  await expect(requests.stringToSign).toContainText('The fields are not checked');
  await page.unroute(/body-knowledge-[^/]*\.js$/);
  await page.reload();
  await requests.openAsSaved(payout);
});

test('form, headers and body are undone as one, and the form leaves every other byte', async ({
  page,
  app,
}) => {
  const saved = readFileSync(join(app.dataDirectory, file), 'utf8');
  await requests.waitForEditor();
  const before = await requests.readBody();
  const showsForm = page.getByRole('button', { name: 'Form', exact: true });
  await showsForm.click();
  const amount = page.getByRole('combobox', { name: 'transaction.amount' });
  await amount.fill('2500.00');
  await expect(requests.signedSpan('amount')).toHaveText('2500.00');
  await requests.showPart('Headers');
  await page.getByRole('checkbox', { name: 'Send Content-Type' }).uncheck();
  await requests.showPart('Body');
  await showsForm.click();
  await requests.waitForEditor();
  expect(await requests.readBody()).toBe(before.replace('1500', '2500.00'));
  await page.locator('[data-editor="Body"]').getByText('"purpose"').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' ');
  const body = await requests.readBody();
  expect(body).not.toBe(before.replace('1500', '2500.00'));

  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => requests.readBody()).toBe(before.replace('1500', '2500.00'));
  // The second comes before the headers stand there: none of the keys may be lost on the way.
  await Promise.all([page.keyboard.press('ControlOrMeta+z'), page.keyboard.press('ControlOrMeta+z')]);
  await expect(amount).toHaveValue('1500');
  await expect(requests.tab(payout).getByRole('img', { name: 'not saved' })).toHaveCount(0);
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => requests.readBody()).toBe(body);
  expect(readFileSync(join(app.dataDirectory, file), 'utf8')).toBe(saved);
});

test(
  'query and headers are tables whose rows can be off, move, and be edited as text',
  pageAlone,
  async ({ page }) => {
    await requests.showPart('Query');
    await page.getByRole('button', { name: 'Add a parameter' }).click();
    await page.getByRole('textbox', { name: 'Name of parameter 1' }).fill('trace id');
    await page.getByRole('combobox', { name: 'Value of trace id' }).fill('a&b');
    const address = page.getByRole('combobox', { name: 'Address' });
    const typed = await address.inputValue();
    await address.press('End');
    await page.keyboard.type('/{{call');
    await expect(page.getByRole('listbox', { name: 'Offers' })).toContainText('{{callback_url}}');
    await page.keyboard.press('Enter');
    await expect(address).toHaveValue(`${typed}/{{callback_url}}`);
    await address.fill(typed);
    await expect(address).toHaveValue('{{base_url}}/payments/v1/payouts?trace%20id=a%26b');
    await page.getByRole('button', { name: 'Edit as text' }).click();
    await page.getByRole('textbox', { name: 'parameters as text' }).fill('trace id=a&b\n# page=2\nsize=5');
    await page.getByRole('button', { name: 'Show as rows' }).click();
    await expect(page.getByRole('checkbox', { name: 'Send page' })).not.toBeChecked();
    await page.getByRole('button', { name: 'Move size up' }).click();
    await page.getByRole('checkbox', { name: 'Send page' }).check();
    await expect(address).toHaveValue('{{base_url}}/payments/v1/payouts?trace%20id=a%26b&size=5&page=2');
    await requests.showPart('Headers');
    // What cannot stand there is told of as it is typed, and is not lost with the change to rows.
    await page.getByRole('button', { name: 'Edit as text' }).click();
    const bulk = page.getByRole('textbox', { name: 'headers as text' });
    const before = await bulk.inputValue();
    await bulk.fill(`${before}\nX One`);
    const told = page.getByText('The header “X One” is not in the request: write it as “Name: value”');
    await expect(told).toBeVisible();
    await page.getByRole('button', { name: 'Show as rows' }).click();
    await expect(page.getByRole('textbox', { name: 'Name of header 4' })).toHaveValue('X One');
    await expect(told).toBeVisible();
    await page.getByRole('button', { name: 'Remove X One' }).click();
    await expect(told).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Send X-Custom-Signature' }).uncheck();
    await page.getByRole('button', { name: 'Remove Content-Type' }).click();
    await requests.showPart('File');
    await requests.waitForEditor('File');
    const text = await page.evaluate(() => window.__countersignEditors!['File']!.getValue());
    expect(text).toContain('\n# X-Custom-Signature: {{signature}}\n\n{');
  },
);

test(
  'rows of headers are added, moved and removed by keyboard, and the focus goes with them',
  pageAlone,
  async ({ page }) => {
    await requests.showPart('Headers');
    const nameOf = (index: number): Locator => page.getByRole('textbox', { name: `Name of header ${index}` });
    await page.getByRole('button', { name: 'Add a header' }).focus();
    await page.keyboard.press('Enter');
    await expect(nameOf(4)).toBeFocused();
    await page.keyboard.type('X-Mine');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1');
    await expect(page.getByRole('tab', { name: 'Headers 4' })).toBeVisible();
    // Twice the same key takes the same row on; at the end the way back has the focus.
    await page.getByRole('button', { name: 'Move X-Mine up' }).focus();
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('Enter');
    await expect(nameOf(1)).toHaveValue('X-Mine');
    await expect(page.getByRole('button', { name: 'Move X-Mine down' })).toBeFocused();
    await page.getByRole('button', { name: 'Remove X-Mine' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Remove Authorization' })).toBeFocused();
    await expect(page.getByRole('tab', { name: 'Headers 3' })).toBeVisible();
  },
);

test(
  'values of a form begin one below the other, however deep their fields stand',
  pageAlone,
  async ({ page }) => {
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    const left = async (name: string): Promise<number> =>
      (await page.getByRole('combobox', { name, exact: true }).boundingBox())!.x;
    expect(await left('callback_url')).toBe(await left('transaction.amount'));
    await page.getByRole('button', { name: 'Form', exact: true }).click();
  },
);

test('form and tables look right and have no finding of axe', pageAlone, async ({ page, app, hostKind }) => {
  test.skip(hostKind === 'electron', 'the page is the same');
  for (const theme of themes) {
    await setTheme(page, theme);
    for (const size of sizes) {
      await setSize(app, size);
      await requests.showPart('Body');
      const form = page.getByRole('button', { name: 'Form', exact: true });
      if ((await form.getAttribute('aria-pressed')) === 'false') await form.click();
      await page.getByRole('combobox', { name: 'transaction.currency' }).fill('KE');
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('listbox', { name: 'Offers' })).toBeVisible();
      const name = `body-form-${size.width}-${theme}`;
      await showPicture(page, name);
      expect(await findOverflow(page), name).toEqual([]);
      expect(await findOwn(page), name).toEqual([]);
      await page.keyboard.press('Escape');
      await requests.showPart('Headers');
      await showPicture(page, `headers-table-${size.width}-${theme}`);
      const signature = page.getByRole('textbox', { name: 'Name of header 2' });
      await expect(signature).toHaveValue('X-Custom-Signature');
      expect(await signature.evaluate((input) => input.scrollWidth - input.clientWidth), name).toBe(0);
      expect(await findOwn(page), name).toEqual([]);
    }
  }
});

test.afterAll(async ({ app }) => {
  await setSize(app, sizes[0]);
  await setTheme(app.page, 'light');
});

/** The strip below is asked about with its view. */
async function findOwn(page: Page): Promise<string[]> {
  const found = await findViolations(page);
  return found.filter((line) => !/^target-size: \._(?:reference|amount|country|service)/.test(line));
}
