import type { Page } from '@playwright/test';
import { postWebhook } from './backend';
import { expect, test } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { Shell } from './pages/shell';

const MIB = 1024 * 1024;

/** Bodies that held the window up, for seconds or for good. */
const bodies: Readonly<Record<string, string>> = {
  'a text without an end': `{"a":"${'\\"x'.repeat(53_000)}`,
  'nearly two megabytes of small tokens': `[${'1,'.repeat(900_000)}1]`,
  'half a million combining marks': `{"a":"a${'\u0301'.repeat(500_000)}"}`,
  'a hundred thousand levels': '{"a":'.repeat(100_000),
  'ten megabytes on one line': `{"a":"${'x'.repeat(10 * MIB)}"}`,
  'ten megabytes of line ends': '\n'.repeat(10 * MIB),
};

/** Longest task of the window while something is done, milliseconds; and how long it took until it was drawn. */
async function measure(
  page: Page,
  act: () => Promise<void>,
): Promise<{ longestMs: number; drawnMs: number }> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration))).observe({
      entryTypes: ['longtask'],
    });
    Object.assign(window, { longTasks: tasks });
  });
  const startedAt = Date.now();
  await act();
  const drawnMs = Date.now() - startedAt;
  await page.waitForTimeout(1_500);
  const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks);
  return { longestMs: Math.max(0, ...tasks), drawnMs };
}

for (const [name, body] of Object.entries(bodies)) {
  test(`a webhook of ${name} does not hold the window up`, async ({ page }) => {
    const inbox = new InboxPage(page);
    await new Shell(page).open('Inbox');
    const small = `before ${name}`;
    await postWebhook(page, JSON.stringify({ client_reference: small }));
    await inbox.choose(small);
    await postWebhook(page, body);
    await expect(inbox.rows.first()).not.toContainText(small);
    const { longestMs, drawnMs } = await measure(page, async () => {
      await inbox.rows.first().click();
      await expect(page.getByRole('group', { name: 'Body of the webhook' })).not.toContainText(small);
      await expect(page.getByRole('group', { name: 'Body of the webhook' })).toBeVisible();
    });
    // 50 ms and 200 ms on a machine that does nothing else; these were seconds.
    expect(longestMs).toBeLessThan(300);
    expect(drawnMs).toBeLessThan(3_000);
  });
}
