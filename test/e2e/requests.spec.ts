import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findViolations, visualRules } from '../support/find-look-faults.mjs';
import { callBackend } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { LabPage } from './pages/lab-page';
import { RequestsPage } from './pages/requests-page';
import { SandboxPage } from './pages/sandbox-page';
import { Shell } from './pages/shell';
import { makeKeyPair } from './openssl';

const payout = 'Salary payout';
const payoutFile = 'Payouts/Salary payout.http';
let requests: RequestsPage;

test.beforeEach(async ({ page }) => {
  requests = new RequestsPage(page);
  await new Shell(page).open('Requests');
  await requests.openAsSaved(payout);
});

test('keeps a token from another host until its name is typed', async ({ page, app }) => {
  const file = join(app.dataDirectory, 'collections', 'Payments API', 'Elsewhere.http');
  writeFileSync(file, 'POST http://127.0.0.1:1/a\nAuthorization: Bearer {{token.payout}}\n\n{}\n');
  await requests.openAsSaved('Elsewhere');
  await page.getByRole('button', { name: 'Send' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('http://127.0.0.1:1');
  const submit = dialog.getByRole('button', { name: 'Send it there' });
  await expect(submit).toBeDisabled();
  await dialog.getByRole('textbox').fill('127.0.0.1:1');
  await submit.click();
  await expect(page.getByText('sending.unreachable')).toBeVisible();
  rmSync(file);
});

test('takes a double click on Send for one send: by the second it is Cancel, or would pay once more', async ({
  page,
}) => {
  const send = page.getByRole('button', { name: 'Send', exact: true });
  for (const delay of [0, 120]) {
    const { exchanges: before } = await callBackend(page, 'history.list', {});
    await send.dblclick({ delay });
    await expect(requests.response).toContainText('Accepted for processing');
    await expect(send).toBeVisible();
    const { exchanges: after } = await callBackend(page, 'history.list', {});
    // A page of it: after a hundred others it grows no longer.
    const known = new Set(before.map(({ id }) => id));
    expect(after.filter(({ id }) => !known.has(id))).toHaveLength(1);
  }
});

test('asks about each payment on production, and Enter does not send it', async ({ page }) => {
  const live = { name: 'live', kind: 'production' as const, baseUrl: 'https://127.0.0.1:9', variables: {} };
  await callBackend(page, 'environments.save', live);
  await callBackend(page, 'environments.select', { id: 'data/live' });
  await expect(new Shell(page).status).toContainText('Production');
  const dialog = page.getByRole('alertdialog', { name: 'Pay KES 1500.00?' });
  try {
    await requests.replaceInBody('1500', '1500.00');
    await requests.send();
    await expect(dialog).toContainText('127.0.0.1:9');
    await expect(dialog).toContainText('254712345678');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(requests.response).not.toContainText('127.0.0.1:9');
    for (let time = 0; time < 2; time += 1) {
      await requests.send();
      await dialog.getByRole('button', { name: 'Send to production' }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible();
    }
  } finally {
    await callBackend(page, 'environments.select', { id: 'local' });
    await callBackend(page, 'environments.delete', { id: 'data/live' });
  }
});

test.describe('the string to sign', pageAlone, () => {
  test('follows what is typed on the keyboard', async ({ page }) => {
    await requests.editorMark('amount').hover();
    // The light redraws the line: a click while it does hits nothing.
    await expect(requests.editorMark('amount')).toHaveClass(/lit/);
    await requests.editorMark('amount').click();
    await page.keyboard.press('End');
    for (let count = 0; count < '1500,'.length; count += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type('98,');
    await expect(requests.signedSpan('amount')).toHaveText('98');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('765');
    await expect(requests.signedSpan('amount')).toHaveText('98765');
    expect(await requests.readStringToSign()).toMatch(/^[0-9a-f-]{36}98765KEMPESA-B2C$/);
  });

  test('lights a field in the body while the pointer is over its span', async () => {
    await requests.signedSpan('country').hover();
    await expect(requests.editorMark('country')).toHaveClass(/lit/);
    await expect(requests.editorMark('amount')).not.toHaveClass(/lit/);
  });

  test('lights a span while the pointer is over its field in the body', async ({ page }) => {
    // The editor hears of a pointer that moves; one that came to rest before it was laid out has to move again.
    await expect(async () => {
      await page.mouse.move(0, 0);
      await requests.editorMark('service_code').hover();
      await expect(requests.signedSpan('service_code')).toHaveClass(/lit/, { timeout: 1000 });
    }).toPass({ timeout: 10_000 });
    await expect(requests.signedSpan('country')).not.toHaveClass(/lit/);
  });

  test('selects the field in the body when its span is clicked', async ({ page }) => {
    await requests.signedSpan('amount').click();
    await page.keyboard.type('42');
    await expect(requests.signedSpan('amount')).toHaveText('42');
    expect(await requests.readBody()).toContain('"amount": 42,');
  });

  test('warns of an amount that is no integer, and mends it on a click', async () => {
    await requests.replaceInBody('"amount": 1500', '"amount": 1500.00');
    await expect(requests.signedSpan('amount')).toHaveText('1500.00');
    await requests.stringToSign.getByRole('button', { name: 'Write 1500' }).click();
    await expect(requests.signedSpan('amount')).toHaveText('1500');
    await expect(requests.stringToSign.getByRole('button', { name: 'Write 1500' })).toBeHidden();
  });

  test('warns of white space at an edge, shows it, and trims it on a click', async () => {
    await requests.replaceInBody('"MPESA-B2C"', '"MPESA-B2C "');
    await expect(requests.signedSpan('service_code')).toHaveText('MPESA-B2C␣');
    await requests.stringToSign.getByRole('button', { name: 'Trim' }).click();
    expect(await requests.readBody()).toContain('"MPESA-B2C"');
  });

  test('opens into bytes, digest and signature, which verifies with the public key', async ({ page }) => {
    await requests.stringToSign.getByRole('button', { name: 'Bytes' }).click();
    await expect(page.getByRole('group', { name: 'Bytes of the string to sign' })).toContainText(
      'Printable ASCII alone',
    );
    const text = await requests.readStringToSign();
    const digest = createHash('sha256').update(text).digest('hex');
    await expect(requests.stringToSign.getByRole('button', { name: `Copy digest ${digest}` })).toBeVisible();
    const shown = requests.stringToSign.getByRole('button', { name: /^Copy signature / });
    const signature = (await shown.getAttribute('aria-label'))!.replace('Copy signature ', '');
    const { keys } = await callBackend(page, 'keys.list', {});
    const isGood = keys.some((key) =>
      verify(
        'sha256',
        Buffer.from(text),
        createPublicKey(key.publicKeyPem),
        Buffer.from(signature, 'base64'),
      ),
    );
    expect(isGood).toBe(true);
    expect(await findViolations(page, visualRules)).toEqual([]);
    // A fingerprint is longer than a tooltip is wide: it goes on in the next line.
    await requests.stringToSign.getByRole('button', { name: /^Copy key fingerprint/ }).hover();
    const tooltip = page.getByRole('tooltip');
    await expect(tooltip).toContainText('Copy key fingerprint');
    expect(await tooltip.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    await requests.stringToSign.getByRole('button', { name: 'Bytes' }).click();
  });

  test('leaves out what is pasted and too long to be laid out, and says so', async ({ page }) => {
    await requests.openAsSaved('Salary payout');
    const editor = page.locator('[data-editor]').first();
    const input = editor.locator('textarea, .native-edit-context').first();
    const isLeftOut = await input.evaluate((element) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'x'.repeat(4_000_001));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      return !element.dispatchEvent(event);
    });
    expect(isLeftOut).toBe(true);
    await expect(editor.getByRole('alert')).toContainText('longer than four million characters');
    await requests.setBody('{"transaction":{"reference":"typed"}}');
    await expect(editor.getByRole('alert')).toHaveCount(0);
  });

  test('says where a body is not JSON', async () => {
    await requests.setBody('{\n  "transaction": {\n    "reference": oops\n  }\n}');
    await expect(requests.stringToSign.getByRole('alert')).toContainText(/line 3/i);
    await expect(requests.stringToSign).toContainText('Not readable yet');
  });
});

test.describe('sending', () => {
  test(
    'stops at a variable without a value, and says which before anything goes out',
    pageAlone,
    async ({ page }) => {
      const before = await callBackend(page, 'history.list', { limit: 1 });
      await requests.replaceInBody('"destination_code": "MPESA"', '"destination_code": "{{bank}}"');
      await expect(page.getByText('No value for {{bank}} in the body')).toBeVisible();
      await requests.send();
      await expect(page.getByRole('alert').filter({ hasText: '{{bank}}' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Send it as it stands' })).toBeVisible();
      const after = await callBackend(page, 'history.list', { limit: 1 });
      expect(after.exchanges[0]?.id).toBe(before.exchanges[0]?.id);
    },
  );

  test('sends what the preview shows, and draws a fresh reference for the next', async () => {
    const reference = await requests.readSignedValue('reference');
    await requests.send();
    await expect(requests.response).toContainText('Accepted for processing');
    await requests.showAnswerPart('Sent');
    const sent = requests.response.getByLabel('Request as sent');
    await expect(sent).toContainText(`"reference": "${reference}"`);
    await expect(requests.signedSpan('reference')).not.toHaveText(reference);
    const next = await requests.readSignedValue('reference');
    await requests.send();
    await expect(requests.response).toContainText(next);
    await expect(requests.response).toContainText('Accepted for processing');
  });

  test('leads from a refused field to its place in the body', pageAlone, async ({ page }) => {
    await requests.replaceInBody('254712345678', '254712340004');
    await requests.send();
    await requests.response.getByRole('button', { name: 'recipient.account' }).click();
    await page.keyboard.type('1');
    expect(await requests.readBody()).toContain('"account": 1,');
    await requests.replaceInBody('"account": 1,', '"account": "254712345678",');
    await requests.send();
    await expect(requests.response).toContainText('Accepted for processing');
  });

  test('explains a refused signature in the lab, filled in, in one click', pageAlone, async ({ page }) => {
    const { publicKeys } = await callBackend(page, 'sandbox.state', { limit: 1 });
    const shell = new Shell(page);
    await shell.open('Sandbox');
    await new SandboxPage(page).registerKey(makeKeyPair().publicKeyPem, 'Instead of the others');
    await shell.open('Requests');
    await requests.send();
    await expect(requests.response).toContainText('401');
    await requests.response.getByRole('button', { name: 'Explain', exact: true }).click();
    const lab = new LabPage(page);
    await expect(lab.signature).toHaveValue(/^[A-Za-z0-9+/]{342}==$/);
    await expect(lab.body).toHaveValue(/"account": "254712345678"/);
    await expect(lab.verdict).toContainText(/verif/i);
    await callBackend(page, 'sandbox.registerKeys', {
      pems: publicKeys.map(({ pem }) => pem),
      mode: 'replace',
    });
  });
});

test.describe('files', () => {
  let folder: string;

  test.beforeEach(async ({ page }) => {
    folder = (await callBackend(page, 'collections.list', {})).collections[0]!.directory;
  });

  test('are saved byte for byte, but for what was typed', async () => {
    const before = readFileSync(join(folder, payoutFile), 'utf8');
    await requests.replaceInBody('"amount": 1500', '"amount": 1501');
    await expect(requests.tab(payout).getByRole('img', { name: 'not saved' })).toBeVisible();
    await requests.page.keyboard.press('ControlOrMeta+s');
    await expect(requests.tab(payout).getByRole('img', { name: 'not saved' })).toBeHidden();
    expect(readFileSync(join(folder, payoutFile), 'utf8')).toBe(
      before.replace('"amount": 1500', '"amount": 1501'),
    );
    writeFileSync(join(folder, payoutFile), before);
    await expect(requests.signedSpan('amount')).toHaveText('1500');
  });

  test('lose nothing when they change on disk under a draft', async ({ page }) => {
    const before = readFileSync(join(folder, payoutFile), 'utf8');
    const theirs = before.replace('"amount": 1500', '"amount": 7777');
    await requests.replaceInBody('"amount": 1500', '"amount": 8888');
    writeFileSync(join(folder, payoutFile), theirs);
    await expect(page.getByText('This file has changed on disk since you began to type.')).toBeVisible();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: /has changed on disk/ });
    await expect(dialog.getByLabel('Your text')).toContainText('8888');
    await expect(dialog.getByLabel('Text on disk')).toContainText('7777');
    await dialog.getByRole('button', { name: 'Save yours as a copy' }).click();
    await expect(dialog).toBeHidden();
    expect(readFileSync(join(folder, payoutFile), 'utf8')).toBe(theirs);
    const copy = `${payout} (mine)`;
    await expect(requests.treeItem(copy)).toBeVisible();
    await expect(requests.signedSpan('amount')).toHaveText('8888');
    await requests.close(copy);
    rmSync(join(folder, `Payouts/${copy}.http`));
    writeFileSync(join(folder, payoutFile), before);
    await expect(requests.treeItem(copy)).toBeHidden();
    await expect(requests.signedSpan('amount')).toHaveText('1500');
  });

  test('that are gone say no more that they have changed', pageAlone, async ({ page }) => {
    const before = readFileSync(join(folder, payoutFile), 'utf8');
    await requests.replaceInBody('"amount": 1500', '"amount": 8888');
    writeFileSync(join(folder, payoutFile), before.replace('"amount": 1500', '"amount": 7777'));
    const changed = page.getByText('This file has changed on disk since you began to type.');
    await expect(changed).toBeVisible();
    rmSync(join(folder, payoutFile));
    await expect(page.getByText('is not there any more')).toBeVisible();
    await expect(changed).toBeHidden();
    writeFileSync(join(folder, payoutFile), before.replace('"amount": 1500', '"amount": 7777'));
    await expect(page.getByText('is not there any more')).toBeHidden();
    await expect(changed).toBeVisible();
    await page.getByRole('button', { name: 'Show the differences' }).click();
    await page.getByRole('button', { name: 'Take the file on disk' }).click();
    writeFileSync(join(folder, payoutFile), before);
    await expect(requests.signedSpan('amount')).toHaveText('1500');
  });

  test('are merged with what came onto the disk meanwhile', pageAlone, async ({ page }) => {
    const before = readFileSync(join(folder, payoutFile), 'utf8');
    await requests.replaceInBody('"amount": 1500', '"amount": 8888');
    writeFileSync(join(folder, payoutFile), before.replace('Joseph Kamau', 'Grace Wanjiru'));
    await page.getByRole('button', { name: 'Show the differences' }).click();
    const dialog = page.getByRole('alertdialog', { name: /has changed on disk/ });
    await expect(dialog.getByText('You changed this.')).toBeVisible();
    await expect(dialog.getByText('It was changed on disk.')).toBeVisible();
    const choiceOf = (side: string, at: number) => dialog.getByRole('radio', { name: side }).nth(at);
    await choiceOf('Both', 0).click();
    await choiceOf('Yours', 1).click();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Show the differences' }).click();
    await expect(choiceOf('Both', 0)).toBeChecked();
    await expect(choiceOf('Yours', 1)).toBeChecked();
    await choiceOf('Yours', 0).click();
    await choiceOf('On disk', 1).click();
    await dialog.getByRole('button', { name: 'Save the merge' }).click();
    await expect(dialog).toBeHidden();
    const merged = readFileSync(join(folder, payoutFile), 'utf8');
    expect(merged).toBe(
      before.replace('"amount": 1500', '"amount": 8888').replace('Joseph Kamau', 'Grace Wanjiru'),
    );
    await expect(requests.tab(payout).getByRole('img', { name: 'not saved' })).toBeHidden();
    writeFileSync(join(folder, payoutFile), before);
    await expect(requests.signedSpan('amount')).toHaveText('1500');
  });

  test('stand in red with the line of the fault when they cannot be read', pageAlone, async ({ page }) => {
    const file = join(folder, 'Payouts/Broken one.http');
    writeFileSync(file, '# @name Broken one\n\nthis is no request line\n');
    const row = requests.treeItem('Broken one');
    await expect(row).toContainText('line 3');
    await row.click();
    await expect(page.getByRole('alert').filter({ hasText: 'Line 3' }).first()).toBeVisible();
    writeFileSync(file, '# @name Broken one\n\nGET {{base_url}}/\n');
    await expect(row).not.toContainText('line 3');
    await requests.close('Broken one');
    rmSync(file);
    await expect(row).toBeHidden();
  });

  test('keep their drafts while other views are shown and over a reload', pageAlone, async ({ page }) => {
    const shell = new Shell(page);
    await requests.replaceInBody('"amount": 1500', '"amount": 3141');
    await shell.open('Inbox');
    await shell.open('Requests');
    await expect(requests.signedSpan('amount')).toHaveText('3141');
    await page.reload();
    await expect(requests.tab(payout).getByRole('img', { name: 'not saved' })).toBeVisible();
    await expect(requests.signedSpan('amount')).toHaveText('3141');
    expect(readFileSync(join(folder, payoutFile), 'utf8')).toContain('"amount": 1500');
    await requests.openAsSaved(payout);
    await expect(requests.signedSpan('amount')).toHaveText('1500');
  });

  test('are made, renamed and deleted from the tree', async ({ page }) => {
    await requests.choose(payout, 'New request…');
    await page.getByRole('textbox', { name: 'Name' }).fill('Bonus');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(requests.tab('Bonus')).toHaveAttribute('aria-current', 'true');
    expect(existsSync(join(folder, 'Payouts/Bonus.http'))).toBe(true);

    await requests.choose('Bonus', 'Rename…');
    await page.getByRole('textbox', { name: 'Name' }).fill('Yearly bonus');
    await page.getByRole('button', { name: 'Rename' }).click();
    await expect(requests.treeItem('Yearly bonus')).toBeVisible();
    await expect(requests.tab('Yearly bonus')).toBeVisible();
    expect(existsSync(join(folder, 'Payouts/Bonus.http'))).toBe(false);

    await requests.choose('Yearly bonus', 'Delete');
    await expect(requests.treeItem('Yearly bonus')).toBeHidden();
    await expect(requests.tab('Yearly bonus')).toHaveCount(0);
    expect(existsSync(join(folder, 'Payouts/Yearly bonus.http'))).toBe(false);
  });
});

test.describe('what it says of itself', () => {
  const files: string[] = [];

  /** Opens a file that stands in the collection for one test alone. */
  async function openFile(folder: string, name: string, text: string): Promise<void> {
    const file = join(folder, 'collections', 'Payments API', `${name}.http`);
    files.push(file);
    writeFileSync(file, text);
    await requests.openAsSaved(name);
  }

  test.afterEach(() => {
    for (const file of files.splice(0)) rmSync(file);
  });

  test('copied as cURL, it runs as pasted', async ({ page, hostKind }) => {
    test.skip(hostKind === 'electron', 'the clipboard of the machine is not this test’s');
    await requests.waitForEditor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('Copy as cURL');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^curl [\s\S]*Bearer [A-Za-z0-9]/);
    // The palette has gone: nothing else tells that it was done.
    await expect(page.getByRole('status').filter({ hasText: /^Copied$/ })).toBeInViewport();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(execFileSync('bash', ['-c', `${command} -sS`], { encoding: 'utf8' })).toContain('ACCEPTED');
  });

  test('a signature that is typed shows on the strip', pageAlone, async ({ page, app }) => {
    const text = readFileSync(join(app.dataDirectory, 'collections', 'Payments API', payoutFile), 'utf8');
    const typed = text.replace('{{signature}}', 'bm90IG1pbmU=').replace(/^# @name .*$/m, '# @name Typed');
    await openFile(app.dataDirectory, 'Typed', typed);
    await expect(requests.stringToSign).toContainText('X-Custom-Signature is typed into the headers');
    await page.getByRole('button', { name: 'Look at it' }).click();
    await expect(page.getByRole('tab', { name: /^Headers/ })).toHaveAttribute('aria-selected', 'true');
  });

  test('a file that stands in red says why where it is open', pageAlone, async ({ page, app }) => {
    await openFile(app.dataDirectory, 'Red', 'POST {{base_url}}/a\nnot a header\n\n{}\n');
    await expect(page.getByRole('main').getByRole('alert').first()).toContainText('Line 2');
  });

  test('broken JSON can be sent as it stands, once asked', pageAlone, async ({ page }) => {
    await requests.replaceInBody('"amount": 1500', '"amount": 1500,,');
    await requests.send();
    await page.getByRole('button', { name: 'Send it as it stands, without a signature' }).click();
    await expect(requests.response).toContainText(/4\d\d/);
  });
});
