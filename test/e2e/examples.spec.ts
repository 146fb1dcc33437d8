import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callBackend } from './backend';
import { leaveDialog } from './by-keyboard';
import { expect, pageAlone, test } from './fixtures';
import { checkLooks, setSize, sizes } from './looks';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

const payout = 'Salary payout';
let requests: RequestsPage;
let folder: string;

test.setTimeout(120_000);

test.beforeAll(async ({ app }) => {
  requests = new RequestsPage(app.page);
  folder = join(app.dataDirectory, 'collections', 'Payments API');
  await new Shell(app.page).open('Requests');
});

test('an answer is kept beside its request, shown in a tab, and compared with the last one', async ({
  page,
  app,
}) => {
  await requests.openAsSaved(payout);
  await requests.send();
  await expect(requests.response).toContainText('Accepted for processing');
  await page.getByRole('button', { name: 'Save as example' }).click();
  await expect(page.getByRole('textbox', { name: 'Name of the example' })).toHaveValue('201 Created');
  // What is typed takes the place of the name that is offered.
  await page.keyboard.type('mine');
  await expect(page.getByRole('textbox', { name: 'Name of the example' })).toHaveValue('mine');
  await page.getByRole('textbox', { name: 'Name of the example' }).fill('201 Created');
  await page.keyboard.press('Enter');
  await requests.treeItem('201 Created').click();
  await expect(requests.tab(`${payout}.201 Created`)).toHaveAttribute('aria-current', 'true');
  await requests.close(`${payout}.201 Created`);
  await new Shell(page).open('Balances');
  await page.keyboard.press('ControlOrMeta+p');
  await page.keyboard.type('payout 201 exam');
  await expect(page.getByRole('option').first()).toContainText(`example${payout}.201 Created`);
  await page.keyboard.press('Enter');
  await expect(requests.tab(`${payout}.201 Created`)).toHaveAttribute('aria-current', 'true');
  const file = join(folder, 'Payouts', `${payout}.201 Created.example.http`);
  expect(readFileSync(file, 'utf8')).toMatch(/^# POST http.*\n# @received .*\nHTTP\/1\.1 201 Created\n/);
  await page.getByRole('tab', { name: 'Compare' }).click();
  await expect(page.getByText('The last answer has the same body.')).toBeVisible();
  await requests.tab(payout).first().click();
  await requests.send();
  await expect(requests.response).toContainText('Accepted for processing');
  await requests.treeItem('201 Created').click();
  await page.getByRole('tab', { name: 'Compare' }).click();
  await expect(page.getByRole('group', { name: 'Last answer' }).first()).toContainText('payment_uuid');
  expect(await checkLooks(app, 'example-compared')).toEqual([]);
  // A line that is broken on one side alone keeps those below it beside theirs.
  const kept = readFileSync(file, 'utf8');
  const long =
    '"payment_uuid":"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30"';
  const body = kept
    .replace(/"payment_uuid":"\d+"/, long)
    .replace(/"payment_reference":"\w+"/, '"payment_reference":"PR1"');
  expect(body).not.toBe(kept);
  writeFileSync(file, body);
  await expect(page.getByRole('group', { name: 'Example' }).first()).toContainText('29 30');
  await setSize(app, sizes[1]);
  const topsOf = (side: string): Promise<number[]> =>
    page
      .getByRole('group', { name: side })
      .filter({ hasText: 'payment_uuid' })
      .locator('span')
      .evaluateAll((lines) => lines.map((line) => Math.round(line.getBoundingClientRect().top)));
  const mine = await topsOf('Example');
  expect(mine.length).toBeGreaterThan(1);
  expect(await topsOf('Last answer')).toEqual(mine);
  await setSize(app, sizes[0]);
  await requests.choose('201 Created', 'Rename…');
  await page.getByRole('textbox', { name: 'Name' }).fill('taken');
  await page.keyboard.press('Enter');
  await expect(requests.treeItem('taken')).toBeVisible();
  await requests.choose('taken', 'Delete');
  await expect(requests.treeItem('taken')).toHaveCount(0);
});

test('what asks and shows stands well in both themes and sizes', pageAlone, async ({ page, app }) => {
  const team = join(app.dataDirectory, 'A collection with quite a long name');
  mkdirSync(join(team, 'Refunds'), { recursive: true });
  mkdirSync(join(team, '.git'));
  writeFileSync(join(team, '.git', 'HEAD'), 'ref: refs/heads/feature/longer-than-the-tree-is-wide\n');
  writeFileSync(
    join(team, 'Refunds', 'Refund of a payment that was made twice.http'),
    'GET {{base_url}}/refund\n',
  );
  const { id } = await callBackend(page, 'collections.open', { directory: team });
  await expect(requests.treeItem('A collection with quite a long name')).toBeVisible();
  const found: string[] = [];
  const look = async (name: string, open: () => Promise<void>): Promise<void> => {
    await open();
    found.push(...(await checkLooks(app, `collections-${name}`)).map((one) => `${name}: ${one}`));
    await leaveDialog(page);
  };
  const command = async (title: string): Promise<void> => {
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await page.keyboard.press('ControlOrMeta+k');
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(title);
    await expect(palette.getByRole('option').first()).toHaveAccessibleName(new RegExp(`^${title}`));
    await page.keyboard.press('Enter');
    await expect(palette).toHaveCount(0);
    await expect(page.getByRole('dialog')).toBeVisible();
  };
  await look('menu', async () => {
    await requests.treeItem('Refunds').click({ button: 'right' });
    await expect(page.getByRole('menu')).toBeVisible();
  });
  await look('search', async () => {
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await page.keyboard.type('payout');
    await expect(page.getByRole('option').first()).toBeVisible();
  });
  await look('make', () => command('New collection'));
  await look('new-request', () => command('New request'));
  await look('trash', () => command('Deleted requests'));
  if (app.host === 'web') {
    await look('open', async () => {
      await page.keyboard.press('ControlOrMeta+o');
      await page.getByRole('textbox', { name: 'Path' }).fill(`${app.dataDirectory}/`);
      await expect(page.getByRole('option').first()).toBeVisible();
    });
  }
  const file = join(folder, 'Payouts', `${payout}.http`);
  const before = readFileSync(file, 'utf8');
  await look('conflict', async () => {
    await requests.openAsSaved(payout);
    await requests.replaceInBody('"amount": 1500', '"amount": 8888');
    writeFileSync(file, before.replace('1500', '7777').replace('Joseph', 'Grace'));
    await page.getByRole('button', { name: 'Show the differences' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
  });
  expect(found).toEqual([]);
  // Other specs expect the file as the starter has it.
  writeFileSync(file, before);
  await requests.close(payout);
  await callBackend(page, 'collections.close', { collectionId: id });
  rmSync(team, { recursive: true });
});
