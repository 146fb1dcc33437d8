import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postWebhook } from './backend';
import { expect, pageAlone, test, type RunningApp } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { Shell } from './pages/shell';

/** Keeps what asks before the window goes, each answered by staying. In a browser: that it was asked. */
async function keepQuestions({ electron, page }: RunningApp): Promise<() => Promise<string[]>> {
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    if (dialog.type() === 'beforeunload') asked.push('asked');
    void dialog.dismiss().catch(() => undefined);
  });
  if (electron === null) return () => Promise.resolve(asked);
  await electron.evaluate(({ dialog }) => {
    const kept = globalThis as unknown as { asked: string[] };
    kept.asked = [];
    dialog.showMessageBox = (...given: unknown[]) => {
      kept.asked.push((given.at(-1) as { message: string }).message);
      return Promise.resolve({ response: 0, checkboxChecked: false });
    };
  });
  return () => electron.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
}

/** A server that answers when it is told to. */
async function holdAnswers(): Promise<{
  url: string;
  held: ServerResponse[];
  answer(): void;
  close(): void;
}> {
  const held: ServerResponse[] = [];
  let isHolding = true;
  const server = createServer((_request, response) => {
    if (isHolding) held.push(response);
    else response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    held,
    answer: () => {
      isHolding = false;
      held.forEach((response) => response.end());
    },
    close: () => void server.close(),
  };
}

test('the window asks before it goes while webhooks are replayed, and a press outside does not give that up', async ({
  freshApp,
}) => {
  const { page, electron } = freshApp;
  const server = await holdAnswers();
  const inbox = new InboxPage(page);
  const readAsked = await keepQuestions(freshApp);
  for (const reference of ['a', 'b', 'c']) await postWebhook(page, { client_reference: reference });
  await new Shell(page).open('Inbox');
  await inbox.choose('a');
  await page.keyboard.press('Control+a');
  await page.getByRole('group', { name: 'Chosen webhooks' }).getByRole('button', { name: 'Replay…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay 3 webhooks' });
  await dialog.getByRole('textbox', { name: 'Send to' }).fill(server.url);
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => server.held.length).toBe(1);
  await page.mouse.click(5, 5);
  await page.evaluate(() => void setTimeout(() => location.reload()));
  await expect.poll(readAsked).toHaveLength(1);
  // One question at a time: the next wish comes after the answer to the one before.
  if (electron) {
    await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
    await expect.poll(readAsked).toHaveLength(2);
    await electron.evaluate(({ app }) => app.quit());
    await expect.poll(readAsked).toEqual([1, 2, 3].map(() => 'Break off what is under way?'));
  }
  server.answer();
  await expect(dialog).toContainText('3 of 3 answered: 3 with 200');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.evaluate(() => (document.title = 'before'));
  await page.evaluate(() => void setTimeout(() => location.reload()));
  await expect(page).not.toHaveTitle('before');
  expect(await readAsked()).toHaveLength(electron ? 3 : 1);
  server.close();
});

test(
  'a dialog whose action is under way asks before it closes, and shows how that ended',
  pageAlone,
  async ({ freshApp: { page } }) => {
    let refuse = (): void => undefined;
    await page.route('**/api/call', async (route) => {
      if (!route.request().postData()?.includes('"collections.make"')) return route.fallback();
      await new Promise<void>((resolve) => (refuse = resolve));
      const error = {
        code: 'platform.disk_full',
        message: 'The disk is full.',
        details: {},
        retryable: true,
      };
      return route.fulfill({ json: { ok: false, error } });
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('New collection');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New collection' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Refunds');
    await page.keyboard.press('Enter');
    const question = dialog.getByText('This is still under way.');
    await expect(dialog.getByRole('status')).toBeVisible();
    await expect(question).toHaveCount(0);
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 5),
      () => page.evaluate(() => history.back()),
    ]) {
      await leave();
      await expect(question).toBeVisible();
    }
    refuse();
    await expect(dialog.getByText('The disk is full.')).toBeVisible();
    await expect(question).toHaveCount(0);
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Refunds');

    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('status')).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    // What comes then does not close another one.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('New collection');
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Payouts');
    refuse();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Payouts');
  },
);
