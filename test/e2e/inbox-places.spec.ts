import type { Locator, Page } from '@playwright/test';
import { rawRequest, runLoad } from '../support/load-generator';
import { callBackend, postWebhook } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { Shell } from './pages/shell';

/** More than are loaded together, by far. */
const COUNT = 1000;
const nameOf = (index: number): string => `PLACE-${String(index).padStart(5, '0')}`;
const webhookOf = (reference: string) => ({ status: 'SUCCESS', amount: 5, client_reference: reference });

async function fillInbox(page: Page, count = COUNT): Promise<void> {
  const { listener } = await callBackend(page, 'app.status', {});
  const requests = Array.from({ length: count }, (_, at) =>
    rawRequest(
      'POST',
      '/h',
      [['Content-Type', 'application/json']],
      JSON.stringify(webhookOf(nameOf(at + 1))),
    ),
  );
  const port = Number(new URL(listener.url!).port);
  // One connection: they stand in the order of their names.
  const { statuses } = await runLoad({ port, requests, connections: 1, total: count });
  expect(statuses).toEqual({ 200: count });
  expect(await findStrangers(page)).toEqual([]);
  await page.reload();
}

/** What the inbox keeps besides the webhooks of this spec: its port is one that others of the machine may deliver to. */
async function findStrangers(page: Page): Promise<unknown[]> {
  const pages = [0, 500, COUNT].map((skip) => callBackend(page, 'inbox.list', { limit: 500, skip }));
  const webhooks = (await Promise.all(pages)).flatMap((list) => list.webhooks);
  return webhooks.filter(({ clientReference }) => !clientReference?.startsWith('PLACE-'));
}

const placeOf = (row: Locator): Promise<string | null> => row.getAttribute('aria-posinset');
/** Of all scrolling in the list: how far down it is, and how far it goes. */
const readScroll = (list: Locator) =>
  list.evaluate(({ parentElement: scroll }) => ({
    top: scroll!.scrollTop,
    end: scroll!.scrollHeight - scroll!.clientHeight,
  }));

test(
  'the scroll bar and the keys know the whole list, and what comes in on top moves nothing',
  pageAlone,
  async ({ freshApp: { page } }) => {
    const inbox = new InboxPage(page);
    const list = page.getByRole('listbox', { name: 'Webhooks' });
    const selected = list.locator('[aria-selected=true]');
    await fillInbox(page);
    await new Shell(page).open('Inbox');
    await expect(inbox.rows.first()).toContainText(nameOf(COUNT));
    await expect(inbox.rows.first()).toHaveAttribute('aria-setsize', String(COUNT));

    await list.press('End');
    await expect(selected).toContainText(nameOf(1));
    expect(await placeOf(selected)).toBe(String(COUNT));
    await expect(inbox.detail).toContainText(nameOf(1));
    const { top, end } = await readScroll(list);
    expect(end - top).toBeLessThan(2);

    // What comes in while the oldest is read stays out of the way.
    const before = await selected.boundingBox();
    await postWebhook(page, webhookOf('NEWCOMER'));
    await expect(inbox.rows.first()).toHaveAttribute('aria-setsize', String(COUNT + 1));
    await expect(selected).toHaveAttribute('aria-posinset', String(COUNT + 1));
    await expect(selected).toContainText(nameOf(1));
    expect(await selected.boundingBox()).toEqual(before);

    await list.press('PageUp');
    await expect(selected).not.toContainText(nameOf(1));
    const up = Number(/PLACE-(\d+)/.exec((await selected.textContent())!)![1]);
    expect(Number(await placeOf(selected))).toBe(COUNT + 2 - up);
    await list.press('Home');
    await expect(selected).toContainText('NEWCOMER');

    // By the scroll bar, to the middle: the rows that belong there.
    await list.evaluate(({ parentElement: scroll }) => (scroll!.scrollTop = scroll!.scrollHeight / 2));
    await expect(async () => {
      const places = await inbox.rows.evaluateAll((rows) =>
        rows.map((row) => [
          Number(row.getAttribute('aria-posinset')),
          Number(/PLACE-(\d+)/.exec(row.textContent ?? '')?.[1]),
        ]),
      );
      expect(places.length).toBeGreaterThan(5);
      expect(places[0]![0]).toBeGreaterThan(COUNT / 4);
      for (const [place, name] of places) expect(place! + name!).toBe(COUNT + 2);
    }).toPass({ timeout: 10_000 });

    // A range from the newest to the oldest holds all between, whether or not it was loaded.
    await list.press('Home');
    await expect(selected).toContainText('NEWCOMER');
    await list.press('Shift+End');
    await expect(page.getByText(`${(COUNT + 1).toLocaleString('en')} chosen`)).toBeVisible({
      timeout: 30_000,
    });
  },
);

test('the end of a list that was filtered is its end, too', pageAlone, async ({ freshApp: { page } }) => {
  const inbox = new InboxPage(page);
  const list = page.getByRole('listbox', { name: 'Webhooks' });
  const selected = list.locator('[aria-selected=true]');
  await fillInbox(page);
  await new Shell(page).open('Inbox');
  await inbox.filter('Unread');
  await expect(inbox.rows.first()).toHaveAttribute('aria-setsize', String(COUNT));
  await list.press('ControlOrMeta+a');
  const chosen = page.getByRole('group', { name: 'Chosen webhooks' });
  await expect(chosen).toContainText(`${COUNT.toLocaleString('en')} chosen`);
  await expect(chosen).toContainText('Only Export takes those that the list has not loaded.');
  await expect(chosen.getByRole('button', { name: 'Delete…' })).toHaveCount(0);
  await list.press('Escape');
  await list.press('End');
  await expect(selected).toContainText(nameOf(1));
  // Looked at one by one, so that nobody knows how many there are before they were all looked at.
  await page.getByRole('textbox', { name: 'Filter' }).fill('body.amount == 5');
  await expect(inbox.rows.first()).toContainText(nameOf(COUNT));
  await list.press('End');
  await expect(selected).toContainText(nameOf(2), { timeout: 30_000 });
});

test(
  'the key deletes all that are chosen where all are loaded, the end of the list apart from its beginning',
  pageAlone,
  async ({ freshApp: { page } }) => {
    const list = page.getByRole('listbox', { name: 'Webhooks' });
    await fillInbox(page, 290);
    await new Shell(page).open('Inbox');
    await expect(new InboxPage(page).rows.first()).toHaveAttribute('aria-setsize', '290');
    await list.press('End');
    await expect(list.locator('[aria-selected=true]')).toContainText(nameOf(1));
    await list.press('ControlOrMeta+a');
    const chosen = page.getByRole('group', { name: 'Chosen webhooks' });
    await expect(chosen.getByRole('button', { name: 'Delete…' })).toBeVisible();
    await list.press('Delete');
    await expect(page.getByRole('alertdialog', { name: 'Delete these 290 webhooks?' })).toBeVisible();
  },
);
