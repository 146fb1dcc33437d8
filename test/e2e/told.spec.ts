import type { Page } from '@playwright/test';
import { leaveDialog } from './by-keyboard';
import { expect, pageAlone, test } from './fixtures';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

/** Does something whose outcome has to come into a region of the page that is there already: others are not told of. */
async function expectTold(page: Page, act: () => Promise<void>, words: RegExp): Promise<void> {
  const regions = await page.locator('[role="status"], [aria-live="polite"]').elementHandles();
  const read = () =>
    Promise.all(regions.map((one) => one.evaluate((node) => (node.isConnected ? node.textContent : ''))));
  expect((await read()).join('\n')).not.toMatch(words);
  await act();
  await expect.poll(async () => (await read()).join('\n')).toMatch(words);
}

test(
  'what came of an action comes into a region that a screen reader knows',
  pageAlone,
  async ({ freshApp: { page } }) => {
    const shell = new Shell(page);
    await shell.open('Signature lab');
    const example = page.getByRole('button', { name: 'Try an example' });
    await expect(example).toBeVisible();
    await expectTold(page, () => example.click(), /Signed with the amount as/);

    const requests = new RequestsPage(page);
    await shell.open('Requests');
    await expect(requests.treeItem('Checkout')).toBeVisible();
    await expectTold(page, () => requests.choose('Checkout', 'Delete'), /Deleted “Checkout”/);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(requests.treeItem('Checkout')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('Import…');
    await page.keyboard.press('Enter');
    const paste = page.getByRole('textbox', { name: /^Paste a curl command/ });
    await expect(paste).toBeVisible();
    await expectTold(page, () => paste.fill('curl https://api.example.com/v2/things'), /1 request/);
    await leaveDialog(page);
  },
);

test('a run tells a screen reader how it ended, and not of each request', pageAlone, async ({ page }) => {
  await new Shell(page).open('Requests');
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    new MutationObserver(() => {
      const region = document.querySelector('[role="status"][aria-label="Outcomes"]:not([aria-busy="true"])');
      const text = region?.textContent ?? '';
      if (text !== '' && told.at(-1) !== text) told.push(text);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  await new RequestsPage(page).choose('Payouts', 'Run');
  await expect(page.getByRole('status', { name: 'Outcomes' })).toHaveText('3 passed', { timeout: 30_000 });
  expect(await page.evaluate(() => (window as unknown as { told: string[] }).told)).toEqual(['3 passed']);
});
