import { choose, inTurn, open, openRequest, press, see } from './steps.mjs';
import { writeMovingPng } from './write-moving-png.mjs';

const size = { width: 1120, height: 700 };

/** Chooses the amount of the body: four digits and a comma end its line. */
const chooseAmount = async ({ page }) => {
  await page.locator('.view-line', { hasText: '"amount"' }).first().click();
  for (const combination of ['End', 'ArrowLeft', ...Array(4).fill('Shift+ArrowLeft')])
    await page.keyboard.press(combination);
};

const type =
  (text) =>
  ({ page }) =>
    page.keyboard.type(text);

/** What happens before each picture, and for how long it stays. */
const scenes = [
  [inTurn(open('requests'), openRequest('Remittance to M-Pesa'), see('Remittance to M-Pesa')), 1600],
  [chooseAmount, 700],
  [type('2'), 300],
  [type('5'), 300],
  [type('0'), 300],
  [type('0'), 1600],
  [inTurn(press('Send'), see('Accepted for processing')), 2200],
  [inTurn(open('inbox'), see('SUCCESS'), choose('Webhooks')), 2400],
  [inTurn(open('payments'), choose('Payments')), 2600],
];

/**
 * Makes the moving picture of the README: a payment from its body to its webhook, in an app that was just started.
 * @returns the bytes of a PNG
 */
export async function filmPayment(app) {
  const { page } = app;
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const frames = [];
  for (const [act, ms] of scenes) {
    await act(app);
    await page.waitForTimeout(400);
    frames.push({ png: await page.screenshot({ caret: 'initial' }), ms });
  }
  return writeMovingPng(frames);
}
