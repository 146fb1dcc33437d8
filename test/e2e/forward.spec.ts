import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { postWebhook } from './backend';
import { expect, projectRoot, test } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { Shell } from './pages/shell';
import { findFreePort } from '../support/free-port';
import { startBackend } from '../support/recording-backend';

test('the switch forwards what passes, shows what waits, and queues what was missed on demand', async ({
  page,
}) => {
  const inbox = new InboxPage(page);
  await new Shell(page).open('Inbox');
  await inbox.search('');
  await inbox.filter('All');
  const payload = (reference: string, status: string) => ({ status, amount: 5, client_reference: reference });
  const [missed, waiting, other] = [randomUUID(), randomUUID(), randomUUID()];
  const mark = randomUUID().slice(0, 8);
  await postWebhook(page, { ...payload(missed, 'FAILED'), code: mark });
  await expect(inbox.row(missed)).toBeVisible();

  const port = await findFreePort();
  await inbox.forwardTo(`http://127.0.0.1:${port}`, `code == ${mark}`);
  await expect(inbox.ways).toContainText(`Forwarding to`);
  await postWebhook(page, { ...payload(waiting, 'FAILED'), code: mark });
  await postWebhook(page, payload(other, 'FAILED'));
  await expect(inbox.ways).toContainText('1 waits');
  await expect(inbox.ways).toContainText('nothing listens there');

  const backend = await startBackend(undefined, port);
  await backend.waitFor(1);
  await expect(inbox.ways).not.toContainText('waits');
  await inbox.choose(waiting);
  await inbox.showPart('Forwards');
  await expect(inbox.detail.getByRole('row').nth(1)).toContainText('took it: 200');
  await inbox.showPart('Body');
  await inbox.ways.getByRole('button', { name: 'Forward them' }).click();
  await backend.waitFor(2);
  expect(
    backend.taken.map(
      ({ body }) => (JSON.parse(body.toString()) as { client_reference: string }).client_reference,
    ),
  ).toEqual([waiting, missed]);
  await expect(inbox.ways.getByRole('button', { name: 'Forward them' })).toHaveCount(0);
  // What is sent again goes to the same backend.
  await inbox.detail.getByRole('button', { name: 'Replay…' }).click();
  await expect(page.getByRole('textbox', { name: 'Send to' })).toHaveValue(`http://127.0.0.1:${port}`);
  await page.keyboard.press('Escape');
  await inbox.doNotForward();
  await expect(inbox.ways).toContainText('Not forwarded');
  await backend.close();
});

test('a press counts for the button under the pointer though its line grows meanwhile', async ({ page }) => {
  const inbox = new InboxPage(page);
  await new Shell(page).open('Inbox');
  const mark = randomUUID().slice(0, 8);
  await inbox.forwardTo(`http://127.0.0.1:${await findFreePort()}`, `code == ${mark}`);
  const change = inbox.ways.getByRole('button', { name: 'Change' });
  await change.hover();
  const before = (await change.boundingBox())!;
  await page.mouse.down();
  await postWebhook(page, { status: 'FAILED', client_reference: randomUUID(), code: mark });
  await expect(inbox.ways).toContainText('1 waits');
  const after = (await change.boundingBox())!;
  expect(Math.abs(after.x - before.x) > before.width || Math.abs(after.y - before.y) > before.height).toBe(
    true,
  );
  await page.mouse.up();
  const dialog = page.getByRole('dialog', { name: 'Forward webhooks to your backend' });
  await dialog.getByText('Forward each webhook').click();
  await dialog.getByRole('button', { name: 'Do not forward' }).click();
  await expect(inbox.ways).toContainText('Not forwarded');
});

test('a tunnel is opened, its address stands in every view, and so does its end', async ({ page }) => {
  const inbox = new InboxPage(page);
  const shell = new Shell(page);
  const bar = page.getByRole('contentinfo');
  await shell.open('Inbox');
  await expect(bar).not.toContainText('Tunnel');
  await inbox.ways.getByRole('button', { name: 'Open a tunnel…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make the listener reachable from outside' });
  await dialog.getByRole('button', { name: 'Own command' }).click();
  // One that ends by itself, and starts anew: it is down in between, at another address after.
  const program = join(projectRoot, 'test/support/fake-tunnel.mjs');
  await dialog.getByRole('textbox', { name: 'Command' }).fill(`"${process.execPath}" "${program}" die 4000`);
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(inbox.ways).toContainText('Public at');
  await shell.open('Requests');
  await expect(bar).toContainText(/Tunnel\s*localhost:\d+/);
  await expect(bar.getByRole('link', { name: 'down' })).toBeVisible();
  await bar.getByRole('link', { name: 'down' }).click();
  await inbox.ways.getByRole('button', { name: 'Close' }).click();
  await expect(inbox.ways).toContainText('Not reachable from outside');
  await expect(bar).not.toContainText('Tunnel');
});
