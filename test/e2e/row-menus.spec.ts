import type { Locator, Page } from '@playwright/test';
import { postWebhook } from './backend';
import { readClipboard } from './clipboard';
import { expect, pageAlone, test } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { SandboxPage } from './pages/sandbox-page';
import { Shell } from './pages/shell';

/** Opens the menu of a row and chooses from it. */
async function choose(page: Page, row: Locator, menu: string, action: string): Promise<void> {
  await row.click({ button: 'right' });
  await page.getByRole('menu', { name: menu }).getByRole('menuitem', { name: action }).click();
}

test(
  'a webhook has the menu of its row over its facts, headers and attempts have menus of their own',
  pageAlone,
  async ({ page, app }) => {
    const shell = new Shell(page);
    const inbox = new InboxPage(page);
    const reference = 'R-own-menus';
    await postWebhook(
      page,
      { status: 'SUCCESS', client_reference: reference },
      { 'webhook-id': 'msg-own', 'X-Odd': 'a value' },
    );
    await shell.open('Inbox');
    await inbox.choose(reference);
    const delivery = inbox.detail.locator('dt', { hasText: 'Delivery' });
    await choose(page, delivery, 'Webhook', 'Pin');
    await expect(inbox.row(reference)).toContainText('pinned');
    await delivery.click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Copy the payment UUID' })).toHaveAccessibleDescription(
      'It has none',
    );
    await page.keyboard.press('Escape');
    await inbox.showPart('Headers');
    const header = inbox.detail.getByRole('row', { name: 'X-Odd' });
    await choose(page, header, 'Header', 'Copy name and value');
    await expect.poll(() => readClipboard(app)).toBe('X-Odd: a value');
    // What is selected is copied by the system's menu elsewhere: here by the one that stands in its place.
    await header.getByRole('rowheader').selectText();
    await header.getByRole('rowheader').click({ button: 'right', position: { x: 14, y: 12 } });
    await page.getByRole('menuitem', { name: 'Copy what is selected' }).click();
    await expect.poll(() => readClipboard(app)).toBe('X-Odd');
    await inbox.showPart('Attempts');
    await choose(page, inbox.detail.locator('tr[data-key]'), 'Attempt', 'Copy the webhook-id');
    await expect.poll(() => readClipboard(app)).toBe('msg-own');
    await choose(page, delivery, 'Webhook', 'Open the journey');
    const event = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first();
    await choose(page, event, 'Event', 'Open the webhook');
    await expect(inbox.detail).toContainText(reference);
  },
);

test('outcomes, registered keys and scenarios have menus', pageAlone, async ({ page, app }) => {
  const shell = new Shell(page);
  const sandbox = new SandboxPage(page);
  await shell.open('Sandbox');
  await sandbox.show('Outcomes by account');
  const outcome = sandbox.row('Outcomes by account', '0003');
  await choose(page, outcome, 'Outcomes by account', 'Copy an account that ends so');
  await expect.poll(() => readClipboard(app)).toBe('254700000003');
  await sandbox.show('Your backend');
  const key = page.getByRole('region', { name: 'Registered keys' }).getByRole('listitem').first();
  await choose(page, key.getByText(/^RSA/), 'Registered key', 'Copy the PEM');
  await expect.poll(() => readClipboard(app)).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  await shell.open('Your backend');
  await page.getByRole('tab', { name: 'Receiver check' }).click();
  const scenario = page.getByRole('list', { name: 'Scenarios' }).getByRole('listitem').first();
  await choose(page, scenario, 'Scenario', 'Choose it alone');
  await expect(page.getByText('1 of 20 chosen')).toBeVisible();
  await expect(scenario.getByRole('checkbox')).toBeChecked();
});
