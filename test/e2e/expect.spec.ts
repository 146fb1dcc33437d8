import { expect, test } from './fixtures';
import { showPicture } from './looks';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

test('judges expectations by the last answer as they are typed, completes them, and expects what came', async ({
  freshApp: { page },
}) => {
  const requests = new RequestsPage(page);
  await new Shell(page).open('Requests');
  await requests.openAsSaved('Checkout');
  await page.getByRole('tab', { name: /^Expect/ }).click();
  const field = page.getByRole('textbox', { name: /countersign run/ });
  const verdicts = page.getByRole('list', { name: 'What the last answer says' });
  await expect(verdicts.getByRole('listitem').first()).toContainText('No answer has come yet');
  await expect(page.getByRole('button', { name: 'Expect what came' })).toBeDisabled();

  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(verdicts.getByRole('listitem').first()).toContainText('Holds');
  await field.fill('status 200\nstauts 1\nstate wi');
  await expect(verdicts.getByRole('listitem').nth(0)).toContainText('Received 201');
  await expect(verdicts.getByRole('listitem').nth(1)).toContainText("no expectation 'stauts'");
  await page.getByRole('button', { name: 'state within 30s == succeeded' }).click();
  await expect(verdicts.getByRole('listitem').nth(2)).toContainText('Judged in a run');

  // Of the environment, whether the request itself has it or not; and one that nobody gives.
  await field.fill('status in {{base_url}},{{callback_url}},201\nstatus in {{nobody}},201');
  await expect(verdicts.getByRole('listitem').nth(0)).toContainText('Holds');
  await expect(verdicts.getByRole('listitem').nth(1)).toContainText('{{nobody}} has no value here');

  await field.fill('status 201');
  await page.getByRole('button', { name: 'Expect what came' }).click();
  await expect(field).toHaveValue(
    /^status 201\nschema collection\n(?:body .*\n)*body data\.checkout_url exists/m,
  );
  await expect(verdicts.getByText('Holds')).toHaveCount(await verdicts.getByRole('listitem').count());
  await showPicture(page, 'expectations');
});

test('says what captures would take from the last answer', async ({ page }) => {
  const requests = new RequestsPage(page);
  await new Shell(page).open('Requests');
  await requests.openAsSaved('Checkout');
  await requests.showPart('File');
  await requests.waitForEditor('File');
  await page.evaluate(() => {
    const editor = window.__countersignEditors!['File']!;
    const captures = [
      'uuid = body data.payment_uuid',
      'gone = body data.gone',
      'later = webhook payment_uuid',
    ];
    const lines = captures.map((one) => `# @capture ${one}\n`).join('');
    editor.setValue(editor.getValue().replace(/^POST /m, `${lines}POST `));
  });
  await page.getByRole('tab', { name: /^Expect/ }).click();
  const verdicts = page.getByRole('list', { name: 'What the last answer says' });
  const of = (name: string) => verdicts.getByRole('listitem').filter({ hasText: `capture ${name}` });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(of('uuid')).toContainText(/Takes \d+/);
  await expect(of('gone')).toContainText('Finds nothing');
  await expect(of('later')).toContainText('Taken in a run');
});
