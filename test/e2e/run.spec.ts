import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callBackend } from './backend';
import { expect, test } from './fixtures';
import { checkLooks, showPicture } from './looks';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

test('runs a folder beside the tree: failed first, why, mended and rerun, by keyboard', async ({
  freshApp,
}) => {
  test.slow();
  const { page, dataDirectory } = freshApp;
  const requests = new RequestsPage(page);
  const file = join(dataDirectory, 'collections', 'Payments API', 'Payouts', 'Payout that fails.http');
  const saved = readFileSync(file, 'utf8');
  writeFileSync(file, saved.replace('# @expect status 201', '# @expect status 299'));
  await new Shell(page).open('Requests');
  await requests.open('Salary payout');

  // The keyboard goes from the request to its folder, and asks for its menu.
  await requests.treeItem('Payouts').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Run' }).press('Enter');
  const run = page.getByRole('region', { name: 'Run', exact: true });
  const rows = run.getByRole('listbox', { name: 'Requests of the run' }).getByRole('option');
  await expect(run.getByRole('status', { name: 'Outcomes' })).toHaveText('1 failed, 2 passed', {
    timeout: 30_000,
  });
  await expect(rows.first()).toContainText('Payout that fails');
  await expect(rows.first()).toContainText('status 299 · received 201');
  const result = page.getByRole('region', { name: 'Result', exact: true });
  await expect(result.getByRole('listitem').first()).toContainText('Expectedstatus == 299');
  await expect(result.getByRole('listitem')).toHaveCount(3);
  // What was answered, and what came of it: in the result, and of what passed in its line.
  await expect(result).toContainText('201 Accepted for processing, then failed');
  await expect(rows.filter({ hasText: 'Salary payout' })).toContainText(
    '201 Accepted for processing, then succeeded',
  );
  await expect(
    requests.treeItem('Payout that fails').getByRole('img', { name: 'last run: failed' }),
  ).toBeVisible();
  await expect(
    requests.treeItem('Salary payout').getByRole('img', { name: 'last run: passed' }),
  ).toBeVisible();
  expect(await checkLooks(freshApp, 'run')).toEqual([]);

  await expect(run).toContainText('in Local sandbox');

  // From the tree, too: what the run sent is the request's last answer, and not "Nothing sent yet".
  await requests.treeItem('Salary payout').click();
  await expect(requests.response).toContainText('Accepted for processing');
  await page.getByRole('button', { name: 'Show', exact: true }).click();

  // From the row to the request with the answer that it got, and back.
  await run.getByRole('listbox').focus();
  await page.keyboard.press('Enter');
  await expect(requests.tab('Payout that fails')).toHaveAttribute('aria-current', 'true');
  await expect(requests.response).toContainText('201');
  await page.getByRole('button', { name: 'Show', exact: true }).click();

  writeFileSync(file, saved);
  await run.getByRole('button', { name: 'Rerun failed' }).click();
  await expect(run.getByRole('status', { name: 'Outcomes' })).toHaveText('3 passed', { timeout: 30_000 });
  await expect(run.getByRole('button', { name: 'Rerun failed' })).toBeDisabled();

  // A window that comes later has all of it, what was kept beside the rerun, too, and when it was.
  await page.reload();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(run.getByRole('status', { name: 'Outcomes' })).toHaveText('3 passed');
  await expect(run.getByRole('heading', { name: 'Run of Payouts' })).toBeVisible();
  await expect(run.locator('time')).toHaveText(/ago|just now/);
  await showPicture(page, 'run-kept');

  await run.getByRole('button', { name: 'Back to the request' }).click();
  await page.getByRole('heading', { name: 'Payments API' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Show the last run' }).press('Enter');
  await expect(run.getByRole('status', { name: 'Outcomes' })).toHaveText('3 passed');

  // A line that is no expectation: nothing is sent, and its file is a key away.
  writeFileSync(file, saved.replace('# @expect status 201', '# @expect stauts 201'));
  await requests.treeItem('Payouts').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Run' }).press('Enter');
  await expect(page.getByRole('dialog', { name: /cannot be run yet/ })).toContainText(
    "no expectation 'stauts'",
  );
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // A run that is ended says what left and what did not; all of that can be run again.
  writeFileSync(file, saved);
  const many = join(dataDirectory, 'collections', 'Payments API', 'Many');
  mkdirSync(many);
  const name = (index: number): string => (index === 0 ? `long ${'name '.repeat(40)}` : `r${index}`);
  const blocks = Array.from(
    { length: 100 },
    (_, index) => `### ${name(index)}\n# @expect status 404\nGET {{base_url}}/${index}\n\n`,
  );
  writeFileSync(join(many, 'many.http'), blocks.join(''));
  await requests.treeItem('Many').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Run' }).press('Enter');
  await run.getByRole('button', { name: 'Cancel the run' }).click();
  const outcomes = run.getByRole('status', { name: 'Outcomes' });
  await expect(outcomes).toHaveText(/^\d+ not sent, \d+ passed$/, { timeout: 30_000 });
  await expect(rows.first()).toContainText('not sent');
  await showPicture(page, 'run-ended');
  await run.getByRole('button', { name: 'Rerun failed' }).click();
  await expect(outcomes).toHaveText(/^\d+ passed$/, { timeout: 60_000 });
  await requests.treeItem('Payout that fails').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Run' }).press('Enter');
  await expect(outcomes).toHaveText('1 passed', { timeout: 30_000 });

  // In production it says what would be paid, and runs only where the environment's name is typed.
  const live = { name: 'live', kind: 'production' as const, baseUrl: 'https://127.0.0.1:9', variables: {} };
  await callBackend(page, 'environments.save', live);
  await callBackend(page, 'environments.select', { id: 'data/live' });
  await expect(new Shell(page).status).toContainText('Production');
  const ask = async (): Promise<void> => {
    await requests.treeItem('Payouts').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Run' }).press('Enter');
  };
  // What the environment lacks is said once, before anything is asked or sent.
  await ask();
  await expect(run.getByRole('alert')).toContainText("No key signs for 'live' yet");
  await expect(run.getByRole('alert')).not.toHaveCSS('padding-left', '0px');
  const question = page.getByRole('alertdialog', { name: 'Run “Payouts” in production?' });
  await expect(question).toBeHidden();
  await callBackend(page, 'keys.generate', { name: 'live', environment: 'data/live' });
  const credentials = { consumerKey: 'key-of-live', consumerSecret: 'secret-of-live' };
  await callBackend(page, 'credentials.save', { environment: 'data/live', ...credentials });
  await ask();
  await expect(question).toContainText('3 requests go to 127.0.0.1:9 in “live”');
  await expect(question.getByRole('row').filter({ hasText: 'Salary payout' })).toContainText('KES 1500');
  const submit = question.getByRole('button', { name: 'Run in production' });
  await expect(submit).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(run.getByRole('status', { name: 'Outcomes' })).toHaveText('1 passed');
  await ask();
  await expect(question.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('live');
  await expect(submit).toBeEnabled();
  // Behind the question another amount is saved: it is asked about anew.
  const salary = join(dataDirectory, 'collections', 'Payments API', 'Payouts', 'Salary payout.http');
  writeFileSync(salary, readFileSync(salary, 'utf8').replace('"amount": 1500', '"amount": 99000'));
  await page.keyboard.press('Enter');
  await expect(question.getByRole('alert')).toContainText('is not what was shown');
  await page.keyboard.press('Escape');
  await ask();
  await expect(question.getByRole('row').filter({ hasText: 'Salary payout' })).toContainText('KES 99000');
  await expect(question.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('live');
  await expect(submit).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(run.getByRole('status', { name: 'Outcomes' })).toHaveText('3 could not be sent', {
    timeout: 30_000,
  });
  await expect(run.getByRole('alert')).toHaveCount(0);
});
