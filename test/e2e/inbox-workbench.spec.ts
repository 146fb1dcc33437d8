import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from '@playwright/test';
import { listOwnEntries } from '../../electron/platform/files/data-entries';
import { startBackend } from '../support/recording-backend';
import { postWebhook } from './backend';
import { readClipboard } from './clipboard';
import { takeDownload } from './downloads';
import { expect, pageAlone, test } from './fixtures';
import { checkLooks } from './looks';
import { InboxPage } from './pages/inbox-page';
import { Shell } from './pages/shell';

let inbox: InboxPage;

/** What the app makes anew, or what holds for one machine and one start alone. */
const passing =
  /\.(?:lock(?:-journal)?|holder\.json|closed)$|^(?:logs|updates|browser-profile|launch\.html)$|^(?:window|moved-to|pending-change)\.json$/;

/** What an app has written that no backup would hold, unnoticed: earlier specs of this worker have left their own things there, too. */
function listUnknownEntries(directory: string): string[] {
  const own = new Set(listOwnEntries(directory));
  return readdirSync(directory).filter((name) => !own.has(name) && !passing.test(name));
}

test.beforeEach(async ({ page }) => {
  inbox = new InboxPage(page);
  await new Shell(page).open('Inbox');
  await inbox.search('');
  await inbox.filter('All');
  await page.getByRole('textbox', { name: 'Filter' }).fill('');
});

const payload = (reference: string, amount = 1500): Record<string, unknown> => ({
  status: 'SUCCESS',
  amount,
  client_reference: reference,
});

test(
  'a filter by expression narrows the list, and says where it cannot be read',
  pageAlone,
  async ({ page }) => {
    const [small, large] = [randomUUID(), randomUUID()];
    await postWebhook(page, payload(small, 10));
    await postWebhook(page, payload(large, 2000));
    await expect(inbox.row(large)).toBeVisible();
    const field = page.getByRole('textbox', { name: 'Filter' });
    await field.fill(`body.amount >= 2000 and reference == ${large}`);
    await expect(inbox.rows).toHaveCount(1);
    await expect(inbox.row(large)).toBeVisible();
    await field.fill('body.amount = 2000');
    await expect(page.getByText("'=' alone says nothing, write ==")).toBeVisible();
    await field.fill(`reference == ${small}-not`);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(inbox.row(small)).toBeVisible();
  },
);

test(
  'a filter is saved, outlives the window, is chosen from the menu, and is forgotten',
  pageAlone,
  async ({ page }) => {
    const reference = randomUUID();
    await postWebhook(page, payload(reference, 2000));
    await postWebhook(page, payload(randomUUID(), 10));
    const expression = `reference == ${reference}`;
    const field = page.getByRole('textbox', { name: 'Filter' });
    const choose = async (action: string): Promise<void> => {
      await page.getByRole('button', { name: 'Saved filters' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await field.fill(expression);
    await expect(inbox.rows).toHaveCount(1);
    await choose('Save this filter');
    await field.fill('');
    await expect(inbox.rows.nth(1)).toBeVisible();
    await page.reload();
    await choose(expression);
    await expect(field).toHaveValue(expression);
    await expect(inbox.rows).toHaveCount(1);
    await choose('Forget this filter');
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await expect(page.getByRole('menuitem', { name: 'Save this filter' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: expression })).toHaveCount(0);
    await page.keyboard.press('Escape');
  },
);

test(
  'a webhook says what is odd about it: broken at its place, not as the schema says, older than one before it, repeated',
  pageAlone,
  async ({ page }) => {
    const reference = randomUUID();
    const now = Math.floor(Date.now() / 1000);
    const sendWith = (id: string, at: number, status = 'SUCCESS') =>
      postWebhook(
        page,
        { ...payload(reference), status },
        { 'webhook-id': id, 'webhook-timestamp': String(at) },
      );
    const ids = [randomUUID(), randomUUID()];
    await sendWith(ids[0]!, now);
    await inbox.search(reference);
    await expect(inbox.rows).toHaveCount(1);
    await sendWith(ids[1]!, now - 60);
    await expect(inbox.rows).toHaveCount(2);
    await inbox.rows.first().click();
    await expect(inbox.detail).toContainText('Out of order');
    await expect(inbox.detail).toContainText('Repeated: a webhook that says the same came');
    await inbox.detail.getByRole('tab', { name: /^Schema/ }).click();
    const schema = inbox.detail.getByRole('tabpanel');
    await expect(schema.getByRole('row', { name: /\/payment_uuid missing/ })).toBeVisible();

    await postWebhook(page, `{"client_reference": "${reference}", "a": [1, 2, }`);
    await expect(inbox.rows).toHaveCount(3);
    await inbox.rows.first().click();
    await inbox.showPart('Body');
    await expect(inbox.detail).toContainText('The body is not JSON: line 1, column');
    await expect(inbox.detail).toContainText("'}' stands here, expected a value");
    // As it came, laid out or not: a place in it is the place that is told.
    const body = inbox.detail.getByRole('group', { name: 'Body of the webhook' });
    await expect(body).toContainText(`"${reference}", "a": [1, 2, }`);
    await expect(body.locator('[class*="fault"]')).toHaveText('}');
  },
);

test('answer rules are tried on a stored webhook, put in force, and shown at what they answer', async ({
  page,
  app,
}) => {
  const reference = randomUUID();
  await postWebhook(page, payload(reference));
  await inbox.choose(reference);
  const views = page.getByRole('radiogroup', { name: 'How the body is shown' });
  await views.getByRole('radio', { name: 'Tree' }).press('Space');
  const tree = page.getByRole('tree', { name: 'Body of the webhook as a tree' });
  await expect(tree.getByRole('treeitem', { name: `client_reference` })).toContainText(reference);
  await views.getByRole('radio', { name: 'Pretty' }).press('Space');
  await inbox.listener.getByRole('button', { name: 'Rules' }).click();
  const dialog = page.getByRole('dialog', { name: 'Answer rules' });
  const text = dialog.getByRole('textbox', { name: /^Rules/ });
  await text.fill('{"version":1,"rules":[{"name":"x","anser":{}}]}');
  await expect(dialog.getByText("'anser' is not known there").first()).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Put in force' })).toBeDisabled();
  const rule = { name: 'taken', answer: { status: 202, body: '{{body.client_reference}}' } };
  await text.fill(JSON.stringify({ version: 1, rules: [rule] }));
  await dialog.getByRole('button', { name: 'Try on this webhook' }).click();
  await expect(dialog.getByText(`“taken” fits: 202`)).toContainText(reference);
  await dialog.getByRole('button', { name: 'Put in force' }).click();
  await expect(inbox.listener).toContainText('1 rule first');
  if (app.host === 'web') expect(listUnknownEntries(app.dataDirectory)).toEqual([]);
  const next = randomUUID();
  await postWebhook(page, payload(next));
  await inbox.choose(next);
  await expect(inbox.detail).toContainText('by the rule “taken”');
  await inbox.listener.getByRole('button', { name: '1 rule first' }).click();
  await text.fill('');
  await dialog.getByRole('button', { name: 'Put in force' }).click();
  await expect(inbox.listener.getByRole('button', { name: 'Rules' })).toBeVisible();
});

test(
  'what was typed into a dialog is not thrown away by Escape or a click outside, unless it is confirmed',
  pageAlone,
  async ({ page, app }) => {
    await inbox.listener.getByRole('button', { name: 'Rules' }).click();
    const dialog = page.getByRole('dialog', { name: 'Answer rules' });
    const text = dialog.getByRole('textbox', { name: /^Rules/ });
    // The file is read first; what is typed until then goes nowhere.
    await expect(text).toBeEditable();
    await text.pressSequentially('{ "version": 1');
    const question = dialog.getByText('Escape once more discards what you typed.');
    await page.keyboard.press('Escape');
    await expect(question).toBeInViewport();
    await expect(text).toBeFocused();
    expect(await checkLooks(app, 'dialog that asks before what was typed is discarded')).toEqual([]);
    await text.pressSequentially(' }');
    await expect(question).toHaveCount(0);
    for (const count of [1, 2]) await page.mouse.click(5, 5, { clickCount: count });
    await expect(question).toBeVisible();
    // The press outside takes the focus for a moment.
    await expect(text).toBeFocused();
    await page.keyboard.down('Escape');
    await page.keyboard.down('Escape');
    await expect(dialog).toHaveCount(0);
    await page.keyboard.up('Escape');
    await inbox.listener.getByRole('button', { name: 'Rules' }).click();
    await expect(text).toBeEditable();
    await expect(text).toHaveValue('');
    await text.pressSequentially('x');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  },
);

test('a webhook is replayed with its body changed, and the answer stands beside it', async ({ page }) => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => seen.push(chunk));
    request.on('end', () => response.writeHead(418).end());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const reference = randomUUID();
  // What a field of the page would drop or turn round stays, byte for byte.
  const body = `{"client_reference":"${reference}",\r\n "note":"a\u202e\u007fb",\r "amount":1.00}`;
  await postWebhook(page, body);
  await inbox.choose(reference);
  await page.getByRole('tab', { name: 'Replays' }).click();
  await expect(page.getByText('Not replayed yet')).toBeVisible();
  // The answer is shown to whoever looked at something else, too.
  await page.getByRole('tab', { name: 'Body' }).click();
  await inbox.detail.getByRole('button', { name: 'Replay…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay this webhook' });
  await dialog
    .getByRole('textbox', { name: 'Send to' })
    .fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const label = 'Body, sent as it stands here';
  await page.waitForFunction((name) => window.__countersignEditors?.[name] !== undefined, label);
  await page.evaluate(([name, text]) => window.__countersignEditors![name]!.setValue(text), [
    label,
    body.replace('1.00', '2.50'),
  ] as const);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(inbox.detail.getByRole('cell', { name: /\b418\b/ })).toBeVisible();
  await expect(inbox.detail.getByRole('cell', { name: /edited/ })).toBeVisible();
  expect(seen.join('')).toBe(body.replace('1.00', '2.50'));
  await inbox.detail.getByRole('button', { name: /^418 in/ }).click();
  await expect(inbox.detail.getByRole('group', { name: 'The answer' })).toContainText('HTTP 418');
  server.close();
});

test('webhooks are replayed several times, and one that is not answered is given up', async ({ page }) => {
  const mark = randomUUID();
  for (const at of [1, 2]) await postWebhook(page, payload(`${mark}-${at}`));
  await inbox.search(mark);
  await inbox.choose(`${mark}-2`);
  const backend = await startBackend(({ url }, response) => {
    if (url !== '/never') response.writeHead(backend.taken.length === 4 ? 500 : 200).end('taken');
  });
  await page.getByRole('listbox', { name: 'Webhooks' }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  const chosen = page.getByRole('group', { name: 'Chosen webhooks' });
  const list = page.getByRole('listbox', { name: 'Webhooks' });
  await page.setViewportSize({ width: 800, height: 600 });
  const right = async (one: Locator): Promise<number> => {
    const { x, width } = (await one.boundingBox())!;
    return x + width;
  };
  expect(await right(chosen.getByRole('button', { name: 'Choose none' }))).toBeLessThanOrEqual(
    await right(list),
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  await chosen.getByRole('button', { name: 'Replay…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Send to' }).fill(`${backend.url}/hooks`);
  await dialog.getByRole('textbox', { name: 'Times' }).fill('0');
  await expect(dialog.getByRole('button', { name: 'Send' })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Times' }).fill('2');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog).toContainText('4 of 4 answered: 3 with 200, 1 with 500.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  const references = backend.taken.map(
    ({ body }) => (JSON.parse(body.toString()) as { client_reference: string }).client_reference,
  );
  expect(references).toEqual([1, 1, 2, 2].map((at) => `${mark}-${at}`));
  await expect(inbox.detail.getByRole('button', { name: /^(200|500) in/ })).toHaveCount(2);

  await inbox.detail.getByRole('button', { name: 'Replay…' }).click();
  await dialog.getByRole('textbox', { name: 'Send to' }).fill(`${backend.url}/never`);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await backend.waitFor(5);
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(inbox.detail.getByRole('cell', { name: /^Canceled\. Look whether it has/ })).toBeVisible();
  await backend.close();
});

test('by keyboard and by right-click: search, move, pin, compare, note, delete', async ({ page }) => {
  const [first, second] = [randomUUID(), randomUUID()];
  await postWebhook(page, payload(first, 1));
  await postWebhook(page, payload(second, 2));
  await inbox.choose(second);
  await inbox.row(first).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compare with the one on show' }).click();
  const compared = inbox.detail.getByRole('row', { name: /\/amount/ });
  await expect(compared).toContainText('changed');
  await expect(page.getByRole('tab', { name: 'Compare' })).toBeInViewport({ ratio: 0.98 });
  // Cut at its beginning there: chosen, it stands whole.
  for (const name of [/^Schema/, /^Compare/, /^Schema/]) {
    await page.getByRole('tab', { name }).click();
    await expect(page.getByRole('tab', { name })).toBeInViewport({ ratio: 0.98 });
  }
  await page.getByRole('tab', { name: /^Compare/ }).click();
  await inbox.row(second).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await expect(inbox.row(second)).toContainText('pinned');
  await page.getByRole('tab', { name: 'Notes' }).click();
  await inbox.detail.getByRole('textbox', { name: /^Tags/ }).fill('ask-them');
  await inbox.detail.getByRole('button', { name: 'Keep' }).click();
  await expect(inbox.row(second)).toContainText('ask-them');
  await inbox.showPart('Body');
  await inbox.row(second).click();
  await page.getByRole('listbox', { name: 'Webhooks' }).focus();
  await page.keyboard.press('j');
  await expect(inbox.row(first)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('k');
  await expect(inbox.row(second)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(inbox.row(second)).toHaveCount(0);
  // The question gives the focus back a moment after it is gone.
  await expect(async () => {
    await page.getByRole('listbox', { name: 'Webhooks' }).focus();
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Search webhooks' })).toBeFocused({ timeout: 500 });
  }).toPass({ timeout: 10_000 });
});

test('several webhooks are chosen by keyboard and pointer, exported as one file, and deleted together', async ({
  page,
  app,
}) => {
  const mark = randomUUID();
  for (const at of [1, 2, 3, 4]) await postWebhook(page, { ...payload(`${mark}-${at}`), amount: 'odd' });
  await inbox.search(mark);
  await expect(inbox.rows).toHaveCount(4);
  await inbox.choose(`${mark}-4`);
  await page.getByRole('tab', { name: /^Schema/ }).click();
  await expect(inbox.detail.getByRole('row', { name: /amount is a string/ })).toBeVisible();
  await inbox.showPart('Body');
  await page.getByRole('listbox', { name: 'Webhooks' }).focus();
  await page.keyboard.press('Shift+ArrowDown');
  await inbox.row(`${mark}-1`).click({ modifiers: ['ControlOrMeta'] });
  const chosen = page.getByRole('group', { name: 'Chosen webhooks' });
  await expect(chosen).toContainText('3 chosen');
  const unread = inbox.rows.filter({ hasText: 'Unread: ' });
  await expect(unread).toHaveCount(2);
  // The menu of a row that is chosen is that of all of them; that of another is its own.
  await inbox.row(`${mark}-2`).click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Delete…' })).toBeVisible();
  await page.keyboard.press('Escape');
  await inbox.row(`${mark}-3`).click({ button: 'right' });
  await expect(page.getByRole('menuitem')).toHaveText([
    'Export these 3…',
    'Replay these 3…',
    'Mark these 3 read',
    /^Delete these 3…/,
  ]);
  await page.getByRole('menuitem', { name: 'Mark these 3 read' }).click();
  await expect(unread).toHaveCount(1);
  await expect(unread).toContainText(`${mark}-2`);
  await page.getByRole('listbox', { name: 'Webhooks' }).focus();
  await page.keyboard.press('u');
  await expect(unread).toHaveCount(4);
  await expect(chosen).toContainText('3 chosen');
  await inbox.row(`${mark}-3`).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Export these 3…' }).click();
  const saved = await takeDownload(app, () =>
    page.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
  );
  expect(saved.name).toMatch(/^webhooks-.*\.jsonl$/);
  expect(saved.bytes.toString('utf8').trimEnd().split('\n')).toHaveLength(3);
  await page.getByRole('listbox', { name: 'Webhooks' }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(chosen).toContainText('4 chosen');
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(inbox.rows).toHaveCount(0);
});

test('the menu of a webhook does what its pane does, on show or not, and says why something cannot be done', async ({
  page,
  app,
}) => {
  const mark = randomUUID();
  for (const at of [1, 2]) await postWebhook(page, payload(`${mark}-${at}`));
  await inbox.search(mark);
  await expect(inbox.rows).toHaveCount(2);
  await inbox.choose(`${mark}-1`);
  const menuOf = async (reference: string, entry: string): Promise<Locator> => {
    await inbox.row(reference).click({ button: 'right' });
    return page.getByRole('menuitem', { name: entry, exact: true });
  };
  const compare = await menuOf(`${mark}-1`, 'Compare with the one on show');
  await expect(compare).toBeDisabled();
  await expect(compare).toHaveAccessibleDescription('It is the one on show');
  await page.keyboard.press('Escape');

  await (await menuOf(`${mark}-2`, 'Copy as cURL')).click();
  await expect.poll(() => readClipboard(app)).toMatch(new RegExp(`^curl [^]*${mark}-2`));

  await (await menuOf(`${mark}-1`, 'Replay…')).click();
  const dialog = page.getByRole('dialog', { name: 'Replay this webhook' });
  await expect(dialog.getByRole('textbox', { name: 'Body, sent as it stands here' })).toBeVisible();
  await page.keyboard.press('Escape');
  await (await menuOf(`${mark}-2`, 'Replay…')).click();
  await expect(dialog).toContainText('Body and headers as received.');
  await page.keyboard.press('Escape');

  // The keyboard goes on in the list, whether the dialog is given up or done.
  const list = page.getByRole('listbox', { name: 'Webhooks' });
  await expect(list).toBeFocused();
  const addressOfGone = page.url();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(inbox.rows).toHaveCount(1);
  await expect(list).toBeFocused();
  await expect(page).not.toHaveURL(addressOfGone);

  await (await menuOf(`${mark}-2`, 'Open the journey')).click();
  await expect(page.getByRole('main')).toContainText(`${mark}-2`);
  await expect(page).toHaveURL(/#\/payments\//);
});
