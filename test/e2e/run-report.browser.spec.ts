import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, expect, test, type Browser } from '@playwright/test';
import { RunCounter, type RequestResult } from '@shared/run/run-result';
import { htmlReport } from '@shared/run/reports/html-report';
import { findViolations } from '../support/find-look-faults.mjs';

const result = (title: string, outcome: RequestResult['outcome'], received: string): RequestResult => ({
  title,
  name: title,
  folder: 'Payouts',
  file: `Payouts/${title}.http`,
  line: 3,
  operation: 'payout',
  iteration: 1,
  row: null,
  outcome,
  reason: outcome === 'error' ? 'No answer came.' : null,
  errorCode: null,
  attempts: 1,
  reference: 'R-1',
  startedAt: 0,
  durationMs: 12,
  expectations:
    outcome === 'error'
      ? []
      : [
          {
            text: 'status 201',
            line: 1,
            outcome: outcome === 'passed' ? 'held' : 'failed',
            expected: 'status == 201',
            received,
            advice: outcome === 'passed' ? null : 'Look at the answer.',
          },
        ],
  exchange: {
    id: title,
    method: 'POST',
    url: 'http://127.0.0.1:9/payments/v1/payouts',
    requestHeaders: [['Content-Type', 'application/json']],
    requestBody: '{"transaction":{}}',
    stringToSign: 'R-11500KEMPESA',
    httpStatus: 201,
    summary: 'Accepted',
    responseHeaders: [],
    responseBody: `${received} ${'long '.repeat(400)}`,
    timings: { totalMs: 12 },
  },
  later: null,
  webhooks: [{ id: 'w', afterMs: 80, headers: [], body: '{"status":"SUCCESS"}' }],
});
const results = [
  result(
    'Refused',
    'failed',
    '</pre><script>document.title="taken"</script><img src=x onerror="document.title=1">',
  ),
  result('Silent', 'error', ''),
  result('Good', 'passed', '201'),
];

let folder: string;
let browser: Browser;
test.beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['COUNTERSIGN_TEST_CHROMIUM'] || undefined,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  folder = mkdtempSync(join(tmpdir(), 'countersign-report-'));
  writeReport('report.html', results);
  writeReport(
    'long.html',
    Array.from({ length: 500 }, (_, at) => result(`Row ${at}`, 'failed', '400')),
  );
});
test.afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

function writeReport(name: string, told: readonly RequestResult[]): void {
  const counter = new RunCounter();
  const parts = told.map((one, index) => {
    counter.add(one);
    return htmlReport.part(one, index);
  });
  const { counts, expectations, withoutExpectations } = counter;
  const usual = { startedAt: 0, durationMs: 5000, counts, expectations, withoutExpectations };
  const end = { isComplete: false, notSent: 3, rows: null, isInterrupted: true, worstError: 0 } as const;
  const { head, tail } = htmlReport.finish({ ...usual, ...end }, 130);
  writeFileSync(join(folder, name), head + parts.join('') + tail);
}

test('of a long report what is in sight is laid out, and all of it on paper', async () => {
  const page = await browser.newPage({ viewport: { width: 960, height: 600 } });
  await page.goto(pathToFileURL(join(folder, 'long.html')).href);
  const texts = page.locator('details pre');
  const countLaidOut = (): Promise<number> =>
    texts.evaluateAll(
      (all) => all.filter((pre) => pre.checkVisibility({ contentVisibilityAuto: true })).length,
    );
  const total = await texts.count();
  await expect.poll(countLaidOut).toBeGreaterThan(0);
  expect(await countLaidOut()).toBeLessThan(total / 10);
  const last = page.locator('details').last();
  // What is laid out on the way is as high as it is, and no longer as high as it was taken to be.
  await expect(async () => {
    await last.evaluate((one) => one.scrollIntoView());
    await expect(last.getByText('Look at the answer.')).toBeInViewport({ timeout: 500 });
  }).toPass();
  await page.emulateMedia({ media: 'print' });
  await expect.poll(countLaidOut).toBe(total);
  await page.close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the report of a run can be read and filtered, asks nobody, and runs nothing of an answer: ${colorScheme}`, async () => {
    const page = await browser.newPage({ colorScheme, viewport: { width: 960, height: 600 } });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    const address = pathToFileURL(join(folder, 'report.html')).href;
    await page.goto(address);
    await expect(page).toHaveTitle('countersign run');
    expect([asked, said]).toEqual([[address], []]);
    await expect(page.locator('header')).toContainText('The run was ended: 3 requests were not sent.');
    const shown = page.locator('details:not([hidden])');
    await expect(shown).toHaveCount(3);
    // What failed is open, and says all of it.
    await expect(shown.first()).toContainText('Look at the answer.');
    await expect(shown.first()).toContainText('R-11500KEMPESA');
    await expect(shown.first()).toContainText('<script>document.title="taken"</script>');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(960);
    expect(await findViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 400, height: 600 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
    // On paper nothing can be scrolled.
    await page.emulateMedia({ media: 'print' });
    const texts = shown.first().locator('pre');
    expect(
      await texts.evaluateAll((all) => all.filter((pre) => pre.scrollHeight > pre.clientHeight).length),
    ).toBe(0);
    await page.emulateMedia({ media: null });
    await page.getByRole('checkbox', { name: '1 failed' }).uncheck();
    await expect(shown).toHaveCount(2);
    await page.getByRole('searchbox').fill('good');
    await expect(shown).toHaveCount(1);
    await expect(shown).toContainText('Payouts › Good');
    const nothing = page.getByText('No request of the chosen outcomes has this text.');
    await expect(nothing).toHaveCount(0);
    await page.getByRole('searchbox').fill('nowhere');
    await expect(nothing).toBeVisible();
    await page.close();
  });
}
