import { chromium, expect, test, type Browser } from '@playwright/test';
import type { Journey } from '@shared/contract/journey';
import { writeHtml } from '@shared/golive/write-report';
import { writeJourneyHtml } from '@shared/journey/write-journey';
import { writeReceiverHtml } from '@shared/receiver-check/write-reports';
import { findViolations } from '../support/find-look-faults.mjs';

const odd = `</title><script>document.title="taken"</script>مرجع الدفعة 😀${'9'.repeat(300)}`;
const pages = {
  'a payment': writeJourneyHtml({
    journey: {
      summary: {
        reference: odd,
        title: odd,
        environment: '',
        sentTo: [],
        startedAt: 0,
        amount: null,
        currency: null,
        state: null,
      },
      events: [{ at: 0, title: odd, detail: odd }],
    } as unknown as Journey,
    remarks: [{ kind: 'gap', text: odd, canAsk: false, service: null }],
    exchanges: [],
  }),
  'the go-live report': writeHtml([
    { rule: 'signature.sent', verdict: 'held', message: odd, evidence: [odd], exercise: '' },
    { rule: 'token.reused', verdict: 'broken', message: odd, evidence: [odd], exercise: '' },
    { rule: 'url.no_secret', verdict: 'not_seen', message: odd, evidence: [], exercise: odd },
  ]),
  'the check of a receiver': writeReceiverHtml(odd, [
    { scenario: 'success', verdict: 'fail', reason: odd, elapsedMs: 12 },
  ] as unknown as Parameters<typeof writeReceiverHtml>[1]),
};

let browser: Browser;
test.beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['COUNTERSIGN_TEST_CHROMIUM'] || undefined,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
});
test.afterAll(() => browser.close());

for (const [name, html] of Object.entries(pages)) {
  test(`${name}, given away as a page, can be read in light, dark and on paper, however narrow, and runs nothing`, async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 400, height: 600 } });
      await page.setContent(html);
      expect(await page.title()).not.toBe('taken');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
      expect(await findViolations(page)).toEqual([]);
      const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      expect((await ground()) === 'rgb(255, 255, 255)').toBe(colorScheme === 'light');
      await page.emulateMedia({ media: 'print', colorScheme });
      expect(await ground()).toBe('rgb(255, 255, 255)');
      await page.close();
    }
  });
}
