import { expect, test } from './fixtures';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

const ROUNDS = 3;
/** What one round left in the window for good, before, was a whole view of some 370. */
const mostNodes = 20;

test('a view, a tab and the palette leave nothing in the window once they are gone', async ({ page }) => {
  const shell = new Shell(page);
  const requests = new RequestsPage(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const countNodes = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'Nodes')!.value;
  };
  const goRound = async (): Promise<void> => {
    await shell.open('Requests');
    await requests.open('Salary payout');
    await requests.waitForEditor();
    await requests.close('Salary payout');
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
    await page.keyboard.press('Escape');
    for (const view of ['Inbox', 'Signature lab'] as const) {
      await shell.open(view);
      await shell.waitUntilShown();
    }
  };
  await goRound();
  const before = await countNodes();
  for (let round = 0; round < ROUNDS; round++) await goRound();
  // What was let go of a moment ago is not always taken in at the first asking.
  await expect.poll(async () => (await countNodes()) - before).toBeLessThan(mostNodes * ROUNDS);
});
