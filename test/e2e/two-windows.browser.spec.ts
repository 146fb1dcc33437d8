import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Page } from '@playwright/test';
import { cliEntry } from '../support/run-cli';
import { callBackend, postWebhook } from './backend';
import { endProcess, expect, test, type RunningApp } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

/** Opens one more window of the browser on the same app, as `countersign app` does. */
async function openAnother({ page, dataDirectory }: RunningApp): Promise<Page> {
  const leading = readFileSync(join(dataDirectory, 'launch.html'), 'utf8');
  const another = await page.context().newPage();
  await another.goto(/url=([^"]+)/.exec(leading)![1]!);
  await another.getByRole('main').waitFor();
  return another;
}

async function typeAtEnd(requests: RequestsPage, text: string): Promise<void> {
  await requests.page.bringToFront();
  await requests.page.locator('.monaco-editor').first().click();
  await requests.page.keyboard.press('Control+End');
  await requests.page.keyboard.type(text);
}

const bodyOf = (requests: RequestsPage) => requests.page.locator('.monaco-editor .view-lines').first();
const close = (page: Page): Promise<void> => page.close({ runBeforeUnload: true });

test('what is typed in two windows of the browser is lost in neither, and comes back where both are closed', async ({
  freshApp,
}) => {
  const first = new RequestsPage(freshApp.page);
  await first.open('Checkout');
  await typeAtEnd(first, ' first-window');
  await expect(first.tab('Checkout').getByRole('img', { name: 'not saved' })).toBeVisible();
  const second = new RequestsPage(await openAnother(freshApp));
  // It begins with the tabs of the other, as their files are.
  await expect(second.tab('Checkout')).toBeVisible();
  await expect(second.tab('Checkout').getByRole('img', { name: 'not saved' })).toHaveCount(0);
  await second.open('Salary payout');
  await typeAtEnd(second, ' second-window');
  await second.open('Checkout');
  await typeAtEnd(second, ' of-both');

  // One that is loaded anew has its own again, and not the other's.
  await second.page.reload();
  await expect(second.tab('Salary payout').getByRole('img', { name: 'not saved' })).toBeVisible();
  await expect(bodyOf(second)).toContainText('of-both');
  await expect(bodyOf(first)).toContainText('first-window');
  await close(first.page);
  await close(second.page);

  const third = new RequestsPage(await openAnother({ ...freshApp, page: await blankPage(freshApp) }));
  await third.tab('Salary payout').click();
  await expect(bodyOf(third)).toContainText('second-window');
  await third.openTabs.locator('[title$="/Checkout.http"]').click();
  await expect(bodyOf(third)).toContainText('of-both');
  await third.tab('Checkout (other window)').click();
  await expect(bodyOf(third)).toContainText('first-window');
});

test('a window that was opened by the address of another one says that it is not known, and how to open one', async ({
  freshApp: { page },
}) => {
  const copied = await page.context().newPage();
  await copied.goto(new URL(page.url()).origin);
  await expect(copied.getByRole('main')).toContainText('Countersign does not know this window');
  await expect(copied.getByRole('main')).toContainText('run “countersign app” once more');
  await expect(copied.locator('footer')).toHaveText(
    'Countersign does not know this window: open the address that it printed last',
  );
  await copied.close();
});

test('a back end that answers with a fault is not said to be silent', async ({ freshApp: { page } }) => {
  const error = { code: 'app.internal', message: 'It failed inside.', details: {}, retryable: false };
  await page.route('**/api/call', (route) => route.fulfill({ json: { ok: false, error } }));
  await page.reload();
  await expect(page.getByRole('main')).toContainText('The back end answers with a fault');
  await expect(page.getByRole('main')).toContainText('It failed inside.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('main')).not.toContainText('The back end');
});

test('in a narrow window the addresses stand whole beside the sentence that nothing reaches the back end', async ({
  freshApp: { page },
}) => {
  await page.setViewportSize({ width: 640, height: 500 });
  await page.context().setOffline(true);
  const bar = page.locator('footer');
  await expect(bar).toContainText('Back end not reachable, reconnecting…', { timeout: 20_000 });
  const parts = bar
    .getByRole('button')
    .or(bar.getByText('Back end not reachable'))
    .or(bar.getByText('Local sandbox'));
  const cut = await parts.evaluateAll((all) =>
    all
      .flatMap((one) => [one.parentElement!, one, ...one.children])
      .map((one) => one.scrollWidth - one.clientWidth),
  );
  expect(Math.max(...cut)).toBeLessThanOrEqual(0);
  await page.context().setOffline(false);
});

/** A window of the browser that shows nothing: without one its context has none to open another from. */
const blankPage = ({ page }: RunningApp): Promise<Page> => page.context().newPage();

test('a setting that another window or a command changes is shown as it is', async ({
  freshApp: { page },
}) => {
  await new Shell(page).open('Settings');
  const minutes = page.getByRole('textbox', { name: /^Lock the vault after/ });
  await expect(minutes).toHaveValue('0');
  await callBackend(page, 'settings.update', { autoLockMinutes: 30 });
  await expect(minutes).toHaveValue('30');
});

test('what a command has set or marked as read meanwhile is shown when the window comes to the front again', async ({
  freshApp: { page, dataDirectory },
}) => {
  await postWebhook(page, { client_reference: 'by-command' });
  const badge = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /^Inbox/ });
  await expect(badge).toContainText('1');
  await new Shell(page).open('Settings');
  const { webhooks } = await callBackend(page, 'inbox.list', {});
  const command = (args: readonly string[], input = ''): unknown =>
    execFileSync(process.execPath, [cliEntry, ...args, '--data', dataDirectory], { input });
  command(['inbox', 'mark', webhooks[0]!.id, '--read']);
  command(['call', 'settings.update'], '{"autoLockMinutes":20}');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(badge).not.toContainText('1');
  await expect(page.getByRole('textbox', { name: /^Lock the vault after/ })).toHaveValue('20');
});

test('what a command receives and marks stands in a window that is looked at', async ({
  freshApp: { page, dataDirectory },
}) => {
  const shell = new Shell(page);
  const { rows } = new InboxPage(page);
  const over = ['--data', dataDirectory];
  await postWebhook(page, { client_reference: 'by-app' });
  await shell.open('Inbox');
  await expect(rows).toHaveCount(1);
  const listening = spawn(process.execPath, [cliEntry, 'listen', '--port', '0', '--json', ...over]);
  const lines = createInterface({ input: listening.stdout });
  try {
    const [ready] = (await once(lines, 'line')) as [string];
    const { url } = JSON.parse(ready) as { url: string };
    await fetch(url, { method: 'POST', body: '{"client_reference":"by-listen"}' });
    await expect(rows.first()).toContainText('by-listen');
    await expect(page.getByRole('link', { name: /^Inbox/ })).toContainText('2');
  } finally {
    await endProcess(listening);
  }
  const { webhooks } = await callBackend(page, 'inbox.list', {});
  await rows.first().click();
  execFileSync(process.execPath, [
    cliEntry,
    'inbox',
    'mark',
    webhooks[0]!.id,
    '--tags',
    'by-command',
    ...over,
  ]);
  await expect(rows.first()).toContainText('by-command');
});
