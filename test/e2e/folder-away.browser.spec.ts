import { renameSync } from 'node:fs';
import { callBackend } from './backend';
import { expect, test } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { Shell } from './pages/shell';

test('while the data folder is away the status bar marks the listener in every view and the Inbox says why; both end with it', async ({
  freshApp: { page, dataDirectory },
}) => {
  const shell = new Shell(page);
  const inbox = new InboxPage(page);
  const { listener } = await callBackend(page, 'app.status', {});
  const send = async () => (await fetch(listener.url!, { method: 'POST', body: '{}' })).status;
  const marked = shell.status.getByTitle('Webhooks are not stored').locator('[data-tone="warn"]');
  await shell.open('Inbox');
  await expect(inbox.listener).toContainText('on http');
  await expect(marked).toHaveCount(0);

  renameSync(dataDirectory, `${dataDirectory}-away`);
  await expect(marked).toBeVisible();
  await expect(inbox.listener).toContainText('was moved, removed or unmounted');
  await expect(inbox.listener).toContainText('Answering503: not stored');
  expect(await send()).toBe(503);

  renameSync(`${dataDirectory}-away`, dataDirectory);
  await expect(marked).toHaveCount(0);
  await expect(inbox.listener).not.toContainText('was moved');
  await expect(inbox.listener).toContainText('Answering200 at once');
  expect(await send()).toBe(200);
  await expect(inbox.rows).toHaveCount(1);
});

test('views that were opened while the data folder was away show what is in it once it is back, untouched', async ({
  freshApp: { page, dataDirectory },
}) => {
  const shell = new Shell(page);
  const away = page.getByRole('main').getByText('was moved, removed or unmounted');
  for (const view of ['Payments', 'Balances', 'History', 'Inbox'] as const) {
    renameSync(dataDirectory, `${dataDirectory}-away`);
    await shell.open(view);
    await expect(away.first()).toBeVisible();
    renameSync(`${dataDirectory}-away`, dataDirectory);
    await expect(away).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  }
});
