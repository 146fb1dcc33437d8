import { randomUUID } from 'node:crypto';
import { startBackend } from '../support/recording-backend';
import { startPostgres, whyNoPostgres, type TestPostgres } from '../support/postgres';
import { makeTeamStore, makeWebhook, type TestTeamStore } from '../support/team-store';
import { callBackend, postWebhook } from './backend';
import { expect, test } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { Shell } from './pages/shell';

test.skip(whyNoPostgres !== null, whyNoPostgres ?? '');

let server: TestPostgres;
let store: TestTeamStore;
test.beforeAll(async () => {
  server = await startPostgres();
  store = await makeTeamStore(server);
});
test.afterAll(async () => {
  await store.close();
  await server.stop();
});

test('a team inbox is added, tells what comes in, is searched, noted and replayed, and comes back when it is lost', async ({
  page,
}) => {
  const inbox = new InboxPage(page);
  await new Shell(page).open('Inbox');
  // What a spec before it looked for stays, whichever inbox is on show.
  await inbox.search('');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Add a team inbox…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a team inbox' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Payments team');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('postgres://owner:secret@127.0.0.1/x');
  await dialog.getByRole('button', { name: 'Test the connection' }).click();
  await expect(dialog.getByRole('alert')).toContainText('holds a password');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(store.url);
  await dialog.getByRole('textbox', { name: 'Password' }).fill('sentinel-team-password');
  await dialog.getByRole('button', { name: 'Test the connection' }).click();
  await expect(dialog).toContainText('Connected, not encrypted. It stays on this machine.');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  await expect(inbox.onShow).toContainText('Live');
  await expect(inbox.onShow).toContainText('Read marks are yours, as owner.');
  await expect(inbox.listener).toHaveCount(0);
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
  await store.write([makeWebhook({ client_reference: first, status: 'FAILED', amount: 5 })]);
  await expect(inbox.row(first)).toBeVisible();
  await store.write([makeWebhook({ client_reference: second, status: 'SUCCESS', amount: 7 })]);
  await expect(inbox.row(second)).toBeVisible();
  await inbox.filter('Failed');
  await expect(inbox.rows).toHaveCount(1);
  await inbox.filter('All');
  await inbox.search(second.slice(0, 13));
  await expect(inbox.rows).toHaveCount(1);
  await inbox.choose(second);
  await expect(inbox.detail.getByRole('button', { name: 'Delete this webhook' })).toHaveCount(0);

  await page.getByRole('tab', { name: 'Notes' }).click();
  await inbox.detail.getByRole('textbox', { name: 'Note, for the team' }).fill('ask them');
  await inbox.detail.getByRole('button', { name: 'Keep' }).click();
  await expect(inbox.detail).toContainText('Last marked by owner');
  const backend = await startBackend();
  await page.getByRole('tab', { name: 'Replays' }).click();
  await inbox.detail.getByRole('button', { name: 'Replay…' }).click();
  const replay = page.getByRole('dialog', { name: 'Replay this webhook' });
  await replay.getByRole('textbox', { name: 'Send to' }).fill(backend.url);
  await replay.getByRole('button', { name: 'Send' }).click();
  await expect(inbox.detail.getByRole('cell', { name: /\b200\b/ })).toBeVisible();
  await backend.close();

  await inbox.search('');
  // Whoever may write to the database may have made it up: it is shown as what it is, and harms nobody.
  await server.run(
    store.database,
    `INSERT INTO countersign.webhooks (id, received_at, method, path, size_bytes, responded_status, is_cut, words, head,
       body, client_reference, status)
     SELECT max(id) + 1, 9223372036854775807, E'\\x1b[31mPO', repeat('/<img src=x onerror=alert(1)>', 9000), -1, 9e18, 7, '',
       decode('00ff0d0a', 'hex'), convert_to(repeat('[', 9000000), 'UTF8'), 'made-up' || chr(8238) || 'evil', E'\\x07'
     FROM countersign.webhooks`,
  );
  await inbox.choose('made-up');
  await expect(inbox.detail).toContainText('made-up[RLO]evil');
  await expect(inbox.row(second)).toBeVisible();
  await server.stopAtOnce();
  await expect(inbox.onShow).toContainText('Connection lost at', { timeout: 20_000 });
  await expect(inbox.onShow).toContainText('What stands below is from before');
  await expect(inbox.onShow.getByRole('alert')).toHaveCount(0);
  const own = randomUUID();
  await postWebhook(page, { client_reference: own, status: 'SUCCESS' });
  const { unasked } = await callBackend(page, 'journey.get', { reference: own });
  expect(unasked).toEqual(['Payments team']);
  await server.startAgain();
  await store.write([makeWebhook({ client_reference: third })]);
  await expect(inbox.onShow).toContainText('Live', { timeout: 20_000 });
  await expect(inbox.row(third)).toBeVisible();
  expect(await page.content()).not.toContain('sentinel-team-password');

  await inbox.onShow.getByRole('button', { name: 'Team inbox', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(inbox.onShow).toHaveCount(0);
  await expect(inbox.listener).toBeVisible();
});
