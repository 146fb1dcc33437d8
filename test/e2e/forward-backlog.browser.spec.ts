import { readdirSync, readFileSync } from 'node:fs';
import { casesOf } from '../support/effort';
import { rawRequest, runLoad } from '../support/load-generator';
import { findFreePort } from '../support/free-port';
import { startBackend } from '../support/recording-backend';
import { callBackend } from './backend';
import { expect, test } from './fixtures';
import { InboxPage } from './pages/inbox-page';
import { Shell } from './pages/shell';
import { measureLongestTask } from './window-load';

const QUEUED = casesOf(8_000, 20_000);
const REFERENCES = QUEUED / 10;
/** Of the process that serves the window; `listen` alone has a bound of its own (forward-memory.test). */
const MOST_MIB = 150;
/** Of the window's main thread, by its own time. */
const MOST_TASK_MS = 100;

/** The most memory that the process which serves the window ever held; null: this system does not tell. */
function readPeakMib(dataDirectory: string): number | null {
  if (process.platform !== 'linux') return null;
  const peaks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0${dataDirectory}\0`)) return 0;
        return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
      } catch {
        return 0;
      }
    });
  return Math.max(...peaks);
}

test(`${QUEUED} webhooks wait for a backend that is down: the list is usable, and all arrive in order`, async ({
  freshApp: { page, dataDirectory },
}) => {
  test.setTimeout(240_000);
  const inbox = new InboxPage(page);
  await new Shell(page).open('Inbox');
  const port = await findFreePort();
  await callBackend(page, 'forwarding.set', { isOn: true, url: `http://127.0.0.1:${port}` });
  const { listener } = await callBackend(page, 'app.status', {});
  const requests = Array.from({ length: QUEUED }, (_, n) =>
    rawRequest(
      'POST',
      '/hooks',
      [],
      JSON.stringify({ status: 'SUCCESS', client_reference: `R${n % REFERENCES}`, n, pad: 'x'.repeat(300) }),
    ),
  );
  const listenerPort = Number(new URL(listener.url!).port);
  const figures: Record<string, number | null> = {};
  const receivingSince = performance.now();
  const { statuses } = await runLoad({ port: listenerPort, requests, connections: 20, total: QUEUED });
  expect(statuses).toEqual({ 200: QUEUED });
  figures['receivingMs'] = Math.round(performance.now() - receivingSince);
  await expect(inbox.ways).toContainText(`${QUEUED.toLocaleString('en')} wait`);
  await expect(inbox.ways).toContainText('The backend cannot be reached: nothing listens there.');
  await expect(inbox.ways).not.toContainText('not taken');

  const list = page.getByRole('listbox', { name: 'Webhooks' });
  const selected = list.locator('[aria-selected=true]');
  figures['scroll'] = await measureLongestTask(page, async () => {
    await list.hover();
    for (let step = 0; step < 40; step++) await page.mouse.wheel(0, 600);
    await list.press('End');
    await expect(selected).toHaveAttribute('aria-posinset', String(QUEUED));
    await list.press('Home');
  });
  figures['select'] = await measureLongestTask(page, async () => {
    await inbox.rows.nth(3).click();
    await expect(inbox.rows.nth(3)).toHaveAttribute('aria-selected', 'true');
    const [reference] = /R\d+/.exec((await inbox.rows.nth(3).textContent())!)!;
    await expect(inbox.detail).toContainText(reference);
  });
  figures['filter'] = await measureLongestTask(page, async () => {
    await page.getByRole('textbox', { name: 'Filter' }).fill('reference == R77');
    await expect(inbox.rows.first()).toContainText('R77');
    expect(Number(await inbox.rows.first().getAttribute('aria-setsize'))).toBeLessThan(100);
    await page.getByRole('textbox', { name: 'Filter' }).fill('');
    await expect(inbox.rows.first()).toHaveAttribute('aria-setsize', String(QUEUED));
  });

  const backend = await startBackend(undefined, port);
  const forwardingSince = performance.now();
  await expect.poll(() => backend.taken.length, { timeout: 150_000 }).toBeGreaterThanOrEqual(QUEUED);
  await expect(inbox.ways).not.toContainText('wait');
  await expect(inbox.ways).not.toContainText('cannot be reached');
  figures['forwardingMs'] = Math.round(performance.now() - forwardingSince);
  // Ids grow in the order of arrival.
  const lastOf = new Map<string, string>();
  const all = new Set<string>();
  const outOfOrder: string[] = [];
  for (const { body, header } of backend.taken) {
    const { client_reference: reference } = JSON.parse(body.toString()) as { client_reference: string };
    const id = header('countersign-webhook-id')!;
    if (id < (lastOf.get(reference) ?? '')) outOfOrder.push(`${reference} ${id}`);
    lastOf.set(reference, id);
    all.add(id);
  }
  expect([all.size, outOfOrder]).toEqual([QUEUED, []]);
  await backend.close();
  figures['peakMib'] = readPeakMib(dataDirectory);
  console.log(JSON.stringify(figures));
  for (const part of ['scroll', 'select', 'filter']) expect(figures[part], part).toBeLessThan(MOST_TASK_MS);
  expect(figures['peakMib'] ?? 0).toBeLessThan(MOST_MIB);
});
