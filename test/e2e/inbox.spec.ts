import { createHmac, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callBackend, postWebhook } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { RequestsPage } from './pages/requests-page';
import { SandboxPage } from './pages/sandbox-page';
import { Shell } from './pages/shell';

let inbox: InboxPage;

test.beforeEach(async ({ page }) => {
  inbox = new InboxPage(page);
  await new Shell(page).open('Inbox');
  await inbox.search('');
  await inbox.filter('All');
});

/** A webhook as the service sends it, of no known request. */
function payload(reference: string, status = 'SUCCESS'): Record<string, unknown> {
  return { status, code: '200.100', amount: 1500, client_reference: reference, payment_uuid: '991' };
}

test('new webhooks come in on top and leave the chosen one as it is', async ({ page }) => {
  const [first, second] = [randomUUID(), randomUUID()];
  await postWebhook(page, payload(first));
  await inbox.choose(first);
  await postWebhook(page, payload(second));
  await expect(inbox.rows.first()).toContainText(second);
  await expect(inbox.row(first)).toHaveAttribute('aria-selected', 'true');
  await expect(inbox.detail).toContainText(first);
});

test(
  'a row that goes down under a press, as a webhook comes in, is the one that is chosen',
  pageAlone,
  async ({ page }) => {
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    const press = async (text: string, meanwhile: () => Promise<void>): Promise<void> => {
      const box = (await inbox.row(text).boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await meanwhile();
      await page.mouse.up();
    };
    const receive = async (reference: string): Promise<void> => {
      await postWebhook(page, payload(reference));
      await expect(inbox.rows.first()).toContainText(reference);
    };
    await receive(first);
    await press(first, () => receive(second));
    await expect(inbox.row(first)).toHaveAttribute('aria-selected', 'true');
    await expect(inbox.detail).toContainText(first);
    await page.keyboard.down('ControlOrMeta');
    await press(second, () => receive(third));
    await page.keyboard.up('ControlOrMeta');
    await expect(inbox.row(second)).toHaveAttribute('aria-selected', 'true');
    await expect(inbox.row(third)).toHaveAttribute('aria-selected', 'false');
    await expect(page.getByRole('group', { name: 'Chosen webhooks' })).toContainText('2');
    await page.getByRole('button', { name: 'Choose none' }).click();
  },
);

test('what was saved and lost of a damaged inbox stands over the list until it is dismissed', async ({
  page,
  app,
}) => {
  const notice = 'inbox.db was damaged. 3 webhooks were saved into a new one (1 of 4 are lost).';
  writeFileSync(join(app.dataDirectory, 'inbox.db.rescued'), `${notice}\n`);
  await page.reload();
  await expect(page.getByText(notice)).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText(notice)).toHaveCount(0);
  await page.reload();
  await expect(inbox.rows.first().or(page.getByText('No webhooks'))).toBeVisible();
  await expect(page.getByText(notice)).toHaveCount(0);
});

test('a webhook whose signature does not fit says what its sender did otherwise, when asked', async ({
  page,
}) => {
  const reference = randomUUID();
  const { secret } = await callBackend(page, 'sandbox.revealWebhookSecret', {});
  const body = JSON.stringify(payload(reference));
  const digest = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(body)
    .digest();
  await postWebhook(page, payload(reference), {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': `v1,${digest.toString('base64')}`,
  });
  await inbox.choose(reference);
  await expect(inbox.detail).toContainText('Its signature is not valid.');
  await inbox.detail.getByRole('button', { name: 'What did its sender do otherwise?' }).click();
  await expect(inbox.detail.getByRole('status')).toContainText('Signed over the body alone');
});

test('search finds a webhook by its reference, and says when none matches', pageAlone, async ({ page }) => {
  const [wanted, other] = [randomUUID(), randomUUID()];
  await postWebhook(page, payload(wanted));
  await postWebhook(page, payload(other));
  await inbox.search(wanted);
  await expect(inbox.rows).toHaveCount(1);
  await expect(inbox.row(wanted)).toBeVisible();
  await inbox.search(`${wanted}-not`);
  await expect(page.getByText('No webhook matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(inbox.row(other)).toBeVisible();
});

test('a search box takes what can be searched for, and no more', pageAlone, async ({ page }) => {
  const shell = new Shell(page);
  for (const [view, name] of [
    ['Inbox', 'Search webhooks'],
    ['Payments', 'Search payments'],
    ['History', 'Search the history'],
  ] as const) {
    await shell.open(view);
    const box = page.getByRole('searchbox', { name });
    await box.focus();
    await page.keyboard.insertText('x'.repeat(600));
    await expect(box).toHaveValue('x'.repeat(500));
    await expect(shell.main.getByRole('button', { name: 'Show all' })).toBeVisible();
    await expect(shell.main.getByText('Try again')).toHaveCount(0);
    await box.fill('');
    await page.keyboard.insertText('😀'.repeat(300));
    await expect(box).toHaveValue('😀'.repeat(300));
    await box.fill('');
  }
});

test(
  'a press for “Show all” counts though the list is asked for again meanwhile',
  pageAlone,
  async ({ page, hostKind }) => {
    test.skip(hostKind === 'electron', 'no call of the page goes over the network there');
    const reference = randomUUID();
    await postWebhook(page, payload(reference));
    await inbox.search(`${reference}-not`);
    await page.getByRole('button', { name: 'Show all' }).hover();
    await page.mouse.down();
    await inbox.search(`${reference}-not either`);
    await page.waitForResponse((response) => response.request().postData()?.includes('not either') === true);
    await page.mouse.up();
    await expect(inbox.row(reference)).toBeVisible();
  },
);

test(
  'an address of a team inbox that is no more says so, and leads back to the one of this machine',
  pageAlone,
  async ({ page }) => {
    const reference = randomUUID();
    await postWebhook(page, payload(reference));
    await page.evaluate(() => void (location.hash = '#/inbox/gone-team/wh_1'));
    const refusal = page.getByText(/^There is no such team inbox here/);
    await expect(refusal.first()).toBeVisible();
    await page.getByRole('group', { name: 'Inbox on show' }).getByRole('button').click();
    await page.getByRole('option', { name: 'On this machine' }).click();
    await expect(inbox.row(reference)).toBeVisible();
    await expect(refusal).toHaveCount(0);
  },
);

test('filters show what is unread and what failed', pageAlone, async ({ page }) => {
  const [read, unread, failed] = [randomUUID(), randomUUID(), randomUUID()];
  await postWebhook(page, payload(read));
  await inbox.choose(read);
  await postWebhook(page, payload(unread));
  await postWebhook(page, payload(failed, 'FAILED'));
  await inbox.filter('Failed');
  await expect(inbox.row(failed)).toBeVisible();
  await expect(inbox.row(unread)).toHaveCount(0);
  await inbox.filter('Unread');
  await expect(inbox.row(unread)).toBeVisible();
  await expect(inbox.row(failed)).toBeVisible();
  await expect(inbox.row(read)).toHaveCount(0);
});

test('the rail counts what is unread: up with each webhook, down when one is read', async ({ page }) => {
  await callBackend(page, 'inbox.markRead', { isAll: true });
  await expect(inbox.badge).toHaveCount(0);
  const [first, second] = [randomUUID(), randomUUID()];
  await postWebhook(page, payload(first));
  await postWebhook(page, payload(second));
  await expect(inbox.badge).toHaveText('2');
  await inbox.choose(first);
  await expect(inbox.badge).toHaveText('1');
  await page.getByRole('button', { name: 'Mark unread' }).click();
  await expect(inbox.badge).toHaveText('2');
});

test('the desktop is told of webhooks while the window is behind, where that is wanted, and leads to them', async ({
  page,
  app,
}) => {
  const shell = new Shell(page);
  await callBackend(page, 'inbox.markRead', { isAll: true });
  // The desktop's own where there is one, written down besides; in a headless browser a stand-in, which nobody has allowed yet.
  await page.evaluate((isDesktop) => {
    const shown: { title: string; body: string; onclick: (() => void) | null; close(): void }[] = [];
    class Recorder {
      static permission = 'default';
      static requestPermission = () => Promise.resolve((Recorder.permission = 'granted'));
      onclick: (() => void) | null = null;
      body: string;
      constructor(
        readonly title: string,
        options: { body: string },
      ) {
        this.body = options.body;
        shown.push(this);
      }
      close = (): void => undefined;
    }
    class Watched extends Notification {
      static override requestPermission = () => Promise.resolve('granted' as const);
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        shown.push(this as unknown as (typeof shown)[number]);
      }
    }
    Object.assign(window, { Notification: isDesktop ? Watched : Recorder, shownNotices: shown });
    document.hasFocus = () => false;
  }, app.electron !== null);
  const readNotices = () =>
    page.evaluate(() =>
      (window as unknown as { shownNotices: { title: string; body: string }[] }).shownNotices.map(
        ({ title, body }) => [title, body],
      ),
    );
  await app.electron?.evaluate(({ app: desktop }) => {
    const counts: number[] = [];
    Object.assign(globalThis, { countsAtIcon: counts });
    const setCount = desktop.setBadgeCount.bind(desktop);
    desktop.setBadgeCount = (count) => {
      counts.push(count ?? 0);
      return setCount(count);
    };
  });
  const lastCount = () =>
    app.electron!.evaluate(() => (globalThis as unknown as { countsAtIcon: number[] }).countsAtIcon.at(-1));

  const [unwanted, wanted] = [randomUUID(), randomUUID()];
  await postWebhook(page, payload(unwanted));
  await expect(inbox.row(unwanted)).toBeVisible();
  expect(await readNotices()).toEqual([]);
  await shell.open('Settings');
  const wish = page.getByRole('switch', { name: /While the window is not in front/ });
  await wish.press('Space');
  await expect(wish).toBeChecked();
  await shell.open('Payments');
  await postWebhook(page, payload(wanted, 'FAILED'));
  await expect.poll(readNotices).toEqual([['A webhook came in', `FAILED · 1500 · ${wanted}`]]);
  if (app.electron) await expect.poll(lastCount).toBe(2);
  await page.evaluate(() =>
    (window as unknown as { shownNotices: { onclick(): void }[] }).shownNotices[0]!.onclick(),
  );
  await expect(inbox.row(wanted)).toHaveAttribute('aria-selected', 'true');
  await shell.open('Settings');
  await wish.press('Space');
  await expect(wish).not.toBeChecked();
  if (app.electron) await expect.poll(lastCount).toBe(0);
  await page.reload();
});

test(
  'the rail has names where there is room, tooltips where not, and a badge beside its icon',
  pageAlone,
  async ({ page, hostKind }) => {
    test.skip(hostKind === 'electron', 'The window of the desktop app has a size of its own.');
    await postWebhook(page, payload(randomUUID()));
    await inbox.badge.evaluate((badge) => (badge.textContent = '99+'));
    const rail = page.getByRole('navigation', { name: 'Views' });
    const link = rail.getByRole('link', { name: 'Signature lab', exact: true });
    for (const [width, hasNames] of [
      [960, false],
      [1280, true],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect(link.getByText('Lab', { exact: true })).toBeVisible({ visible: hasNames });
      const badge = (await inbox.badge.boundingBox())!;
      const icon = (await rail.getByRole('link', { name: 'Inbox' }).locator('svg').boundingBox())!;
      const edge = (await rail.boundingBox())!;
      const shared =
        Math.max(0, icon.x + icon.width - badge.x) * Math.max(0, badge.y + badge.height - icon.y);
      expect(shared / (icon.width * icon.height)).toBeLessThan(0.2);
      expect(badge.x + badge.width).toBeLessThanOrEqual(edge.x + edge.width + 1);
    }
    await link.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('tooltip')).toContainText('Signature lab');
    await callBackend(page, 'inbox.markRead', { isAll: true });
  },
);

test('an answer of 500 makes the sandbox try again; the attempts stand together', async ({ page }) => {
  const shell = new Shell(page);
  const requests = new RequestsPage(page);
  await callBackend(page, 'sandbox.updateSettings', { retries: 'fast', settleMs: 100 });
  await inbox.answerWith(500, 0, '500 at once');
  await shell.open('Requests');
  await requests.openAsSaved('Salary payout');
  const reference = await requests.readSignedValue('reference');
  await requests.send();
  await expect(requests.response).toContainText('Accepted for processing');
  await shell.open('Inbox');
  await expect(inbox.row(reference).filter({ hasText: 'we answered 500' }).first()).toBeVisible();
  await inbox.answerWith(200, 0, '200 at once');
  const again = inbox.row(reference).filter({ hasText: /attempt \d/ });
  const good = again.filter({ hasNotText: 'we answered' });
  await expect(good.first()).toBeVisible({ timeout: 20_000 });
  await inbox
    .row(reference)
    .filter({ hasNotText: /attempt \d/ })
    .first()
    .click();
  await expect(inbox.detail).toContainText('1st attempt');
  await expect(inbox.detail).not.toContainText('1 in all');
  await good.first().click();
  await inbox.showPart('Attempts');
  await expect(inbox.detail.getByRole('row').filter({ hasText: 'this one' })).toContainText('200');
  await expect(inbox.detail.getByRole('row').filter({ hasText: '500' }).first()).toBeVisible();
  await inbox.showPart('Body');
  await callBackend(page, 'sandbox.updateSettings', { retries: 'standard', settleMs: 1500 });

  await shell.open('Sandbox');
  const sandbox = new SandboxPage(page);
  await sandbox.show('Deliveries');
  await expect(sandbox.row('Deliveries', reference)).toContainText('delivered, 200');
});

test(
  'with more than two pages, choosing an unread row moves nothing, and each webhook stands there once',
  pageAlone,
  async ({ freshApp: { page } }) => {
    const count = 210;
    const own = new InboxPage(page);
    await new Shell(page).open('Inbox');
    const nameOf = (index: number): string => `MANY-${String(index).padStart(3, '0')}`;
    const { listener } = await callBackend(page, 'app.status', {});
    const headers = { 'content-type': 'application/json' };
    const post = async (index: number): Promise<void> => {
      const body = JSON.stringify(payload(nameOf(index)));
      await (await fetch(listener.url!, { method: 'POST', headers, body })).arrayBuffer();
    };
    await post(1);
    await Promise.all(Array.from({ length: count - 2 }, (_, index) => post(index + 2)));
    await post(count);
    await page.reload();
    await expect(own.rows.first()).toContainText(nameOf(count));
    await own.rows.nth(5).scrollIntoViewIfNeeded();
    const readRows = () =>
      own.rows.evaluateAll((rows) =>
        rows
          // Those that are on their way have no name yet.
          .filter((row) => !row.hasAttribute('aria-busy'))
          .map((row) => [row.getAttribute('aria-posinset'), /MANY-\d+/.exec(row.textContent ?? '')?.[0]]),
      );
    const before = await readRows();
    await own.rows.nth(5).click();
    await expect(own.rows.nth(5)).toHaveAttribute('aria-selected', 'true');
    await expect(own.rows.nth(5)).not.toContainText('Unread');
    await expect(own.badge).toHaveText('99+');
    expect(await readRows()).toEqual(before);

    const list = page.getByRole('listbox', { name: 'Webhooks' });
    await list.press('End');
    const found = new Map<string, string>();
    for (let step = 0; step < 80 && found.size < count; step += 1) {
      for (const [place, name] of await readRows()) found.set(place!, name!);
      await list.press(step === 0 ? 'Home' : 'PageDown');
    }
    expect(new Set(found.values()).size).toBe(count);
    expect(found.get('1')).toBe(nameOf(count));
    expect(found.get(String(count))).toBe(nameOf(1));
    await expect(own.rows.first()).toHaveAttribute('aria-setsize', String(count));
  },
);

test('a webhook is deleted only after a word of confirmation', async ({ page }) => {
  const reference = randomUUID();
  await postWebhook(page, payload(reference));
  await inbox.choose(reference);
  const remove = page.getByRole('button', { name: 'Delete this webhook' });
  const dialog = page.getByRole('alertdialog', { name: 'Delete this webhook?' });
  await remove.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(inbox.row(reference)).toBeVisible();
  await remove.click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(inbox.row(reference)).toHaveCount(0);
  await expect(inbox.detail).not.toContainText(reference);
});

test('what is not JSON is kept and shown byte by byte', pageAlone, async ({ page }) => {
  const id = `x${randomUUID().slice(0, 8)}`;
  await postWebhook(page, `<hook id="${id}">\u00e9</hook>`, { 'content-type': 'application/xml' });
  await inbox.search(id);
  await expect(inbox.rows).toHaveCount(1);
  await inbox.rows.filter({ hasText: 'Not read' }).click();
  await inbox.showPart('Raw bytes');
  const raw = inbox.detail.getByLabel('Bytes of the body');
  await expect(raw).toContainText('3c 68 6f 6f 6b');
  await expect(raw).toContainText('c3 a9');
  // The next one is shown in the same part.
  const next = randomUUID();
  await postWebhook(page, payload(next));
  await inbox.search('');
  await inbox.choose(next);
  await expect(raw).toContainText('7b 22');
  await inbox.showPart('Body');
});

test('the keyboard goes through the list and marks unread', async ({ page }) => {
  const [older, newer] = [randomUUID(), randomUUID()];
  await postWebhook(page, payload(older));
  await postWebhook(page, payload(newer));
  await inbox.choose(newer);
  await page.keyboard.press('ArrowDown');
  await expect(inbox.row(older)).toHaveAttribute('aria-selected', 'true');
  await expect(inbox.detail).toContainText(older);
  await expect(inbox.row(older)).not.toContainText('Unread');
  await page.keyboard.press('u');
  await expect(inbox.row(older)).toContainText('Unread');

  // No key is lost while one is held down, and the address follows to where it stops.
  for (let n = 0; n < 12; n += 1) await postWebhook(page, payload(`held-${n}-${older}`));
  await inbox.choose(`held-11-${older}`);
  for (let n = 0; n < 11; n += 1) await page.keyboard.press('j');
  await expect(inbox.row(`held-0-${older}`)).toHaveAttribute('aria-selected', 'true');
  await expect(inbox.detail).toContainText(`held-0-${older}`);
  const shown = await page.evaluate(() => location.hash);
  await page.keyboard.press('k');
  await expect.poll(() => page.evaluate(() => location.hash)).not.toBe(shown);
});

test('a test webhook is sent by the service from here, as filled in, and comes in', async ({ page }) => {
  const reference = randomUUID();
  await page.getByRole('button', { name: 'Send a test webhook…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a test webhook' });
  await expect(dialog.getByLabel('Send to')).toHaveValue(/^http:\/\/127\.0\.0\.1:\d+/);
  await dialog.getByLabel('Reference').fill(reference);
  await dialog.getByLabel('Amount, sent as typed').fill('1500.00');
  const members = dialog.getByLabel('Other members, a line each');
  await members.fill('no change');
  await expect(dialog.getByText('Write a.b=VALUE').first()).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Send' })).toBeDisabled();
  await members.fill('metadata.order=7\ncode="200.100"');
  await dialog.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'FAILED', exact: true }).click();
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog).toHaveCount(0);
  await inbox.choose(reference);
  await expect(inbox.detail).toContainText('1500.00');
  await expect(inbox.row(reference)).toContainText('FAILED');
});

test('what is no webhook is told over the list until it is dismissed, and told again with the next', async ({
  page,
}) => {
  const { listener } = await callBackend(page, 'app.status', {});
  const sendNonsense = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(listener.url!).port), '127.0.0.1');
      socket.resume().once('close', () => resolve());
      socket.end('nonsense\r\n\r\n');
    });
  await sendNonsense();
  const line = inbox.listener.getByText(/not taken.*the request line cannot be read/);
  await expect(line).toBeVisible();
  await inbox.listener.getByRole('button', { name: 'Dismiss' }).click();
  await expect(line).toHaveCount(0);
  await sendNonsense();
  await expect(line).toContainText(/\d+ requests were not taken, the latest/);
  await inbox.listener.getByRole('button', { name: 'Dismiss' }).click();
});
