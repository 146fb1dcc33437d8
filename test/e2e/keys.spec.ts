import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { callBackend } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { makeKeyPair } from './openssl';
import { KeysPage } from './pages/keys-page';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

let keys: KeysPage;

test.beforeEach(async ({ page }) => {
  keys = new KeysPage(page);
  await new Shell(page).open('Keys and tokens');
});

test('a key is generated and stands with its public half, never its private one', async ({ page }) => {
  await keys.choose('Generate a key…');
  await page.getByRole('textbox', { name: 'Name' }).fill('Made here');
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(keys.row('Made here')).toBeVisible();
  await keys.row('Made here').click();
  await expect(keys.detail).toContainText('RSA 2048, exponent 65537');
  await expect(keys.detail).toContainText('BEGIN PUBLIC KEY');
  await expect(page.locator('body')).not.toContainText('PRIVATE KEY-----');
  await keys.deleteKey('Made here');
});

test('a PKCS#1 key is imported, converted, and that is said', async ({ page }) => {
  const { privateKeyPem } = makeKeyPair();
  const pkcs1 = execFileSync('openssl', ['rsa', '-traditional'], {
    input: privateKeyPem,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await keys.import('From elsewhere', pkcs1);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(keys.row('From elsewhere')).toBeVisible();
  await expect(keys.detail).toContainText(/PKCS#1/);
  await keys.deleteKey('From elsewhere');
});

test(
  'a key file that cannot be read, or is too long to be one, is said to be that',
  pageAlone,
  async ({ page }) => {
    await keys.choose('Import a key…');
    const dialog = page.getByRole('dialog', { name: 'Import a key' });
    const file = dialog.locator('input[type=file]');
    const choose = (name: string, text: string): Promise<void> =>
      file.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await choose('long.pem', 'x'.repeat(300_000));
    await expect(dialog).toContainText('long.pem is larger than 256 KiB and was not read.');
    await page.evaluate(() => {
      const read = Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer = () => {
        Blob.prototype.arrayBuffer = read;
        return Promise.reject(new DOMException('gone', 'NotReadableError'));
      };
    });
    await choose('gone.pem', 'x');
    await expect(dialog).toContainText('gone.pem could not be read.');
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('');
    await choose('there.pem', '-----BEGIN PRIVATE KEY-----');
    await expect(dialog.getByRole('textbox', { name: 'Private key' })).toHaveValue(
      '-----BEGIN PRIVATE KEY-----',
    );
    await expect(dialog).not.toContainText('could not be read');
    await page.keyboard.press('Escape');
  },
);

test('a key is renamed and deleted from the menu of its row, by the keyboard alone', async ({ page }) => {
  await callBackend(page, 'keys.generate', { name: 'By menu', bits: 2048, environment: null });
  await keys.row('By menu').focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
  const rename = page.getByRole('dialog', { name: 'Rename the key' });
  await rename.getByRole('textbox', { name: 'Name' }).fill('Renamed by menu');
  await page.keyboard.press('Enter');
  await expect(rename).toHaveCount(0);
  await expect(keys.row('Renamed by menu')).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await question.getByRole('textbox').fill('Renamed by menu');
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(keys.row('Renamed by menu')).toHaveCount(0);
});

test('the Del key asks about a row, and a name is read in the question as what it is, without scrolling sideways', async ({
  page,
}) => {
  const name = `a\u202eb${'W'.repeat(50)}`;
  await callBackend(page, 'keys.generate', { name, bits: 2048, environment: null });
  const row = keys.row('a[RLO]b');
  await row.focus();
  await page.keyboard.press('Delete');
  const question = page.getByRole('alertdialog', { name: `Delete “a[RLO]b${'W'.repeat(50)}”?` });
  const room = await question.evaluate(
    (one) => one.parentElement!.scrollWidth - one.parentElement!.clientWidth,
  );
  expect(room).toBe(0);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(row).toBeFocused();
  await page.keyboard.press('Delete');
  await question.getByRole('textbox').fill(name);
  await page.keyboard.press('Enter');
  await expect(row).toHaveCount(0);
});

test('a public key where a private one is needed is refused with what to do', pageAlone, async ({ page }) => {
  await keys.import('Wrong half', makeKeyPair().publicKeyPem);
  const dialog = page.getByRole('dialog', { name: 'Import a key' });
  await expect(dialog.getByRole('alert')).toContainText(/public key/i);
  await expect(dialog.getByRole('textbox', { name: 'Private key' })).toHaveValue(/BEGIN PUBLIC KEY/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('text that is no key is refused, and stays in the field', pageAlone, async ({ page }) => {
  await keys.import('Nonsense', '-----BEGIN PRIVATE KEY-----\nnot base64 at all\n-----END PRIVATE KEY-----');
  const dialog = page.getByRole('dialog', { name: 'Import a key' });
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Private key' })).toHaveValue(/not base64/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('a token is decoded, shown whole when asked for, and hidden again', pageAlone, async ({ page }) => {
  await callBackend(page, 'tokens.fetch', { environment: 'local', product: 'payout' });
  // Those of environments that earlier specs made may stand there, too.
  await keys.row('Local sandbox, payout').click();
  const token = page.getByRole('region', { name: 'Token', exact: true });
  await expect(page.getByRole('region', { name: 'Claims' })).toContainText('payout');
  await expect(page.getByRole('region', { name: 'Header' })).toContainText('alg');
  const whole = token.getByRole('button', { name: /^Copy token eyJ/ });
  await expect(whole).toHaveCount(0);
  await token.getByRole('button', { name: 'Show it for ten seconds' }).click();
  await expect(whole).toBeVisible();
  await token.getByRole('button', { name: /^Hide/ }).click();
  await expect(whole).toHaveCount(0);

  await token.getByRole('button', { name: 'Show it for ten seconds' }).click();
  await expect(whole).toBeVisible();
  const shell = new Shell(page);
  await shell.open('Balances');
  await shell.open('Keys and tokens');
  await expect(token).toBeVisible();
  // Within ten seconds it would hide by itself.
  expect(await whole.count()).toBe(0);
});

test('a dialog says what its greyed button waits for, to a pointer, a screen reader and the Enter key', async ({
  freshApp,
}) => {
  const { page } = freshApp;
  await new Shell(page).open('Keys and tokens');
  await new KeysPage(page).choose('Generate a key…');
  const dialog = page.getByRole('dialog');
  const submit = dialog.getByRole('button', { name: 'Generate' });
  await expect(submit).toBeDisabled();
  await expect(submit).toHaveAccessibleDescription('Enter a name');
  await expect(dialog.getByTitle('Enter a name')).toBeAttached();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Enter a name').first()).toBeVisible();
  await expect(page.getByRole('status').getByText('Enter a name')).toBeAttached();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await expect(dialog.getByText('Enter a name')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
});

test('a vault that has no passphrase opens again without being asked for one; without its key file it says how to begin anew', async ({
  freshApp,
}) => {
  const { page, dataDirectory } = freshApp;
  const shell = new Shell(page);
  await shell.open('Keys and tokens');
  await new KeysPage(page).row('Vault').click();
  await expect(page.getByText('with the passphrase forgotten')).toBeVisible();
  await page.getByRole('button', { name: 'Lock now' }).click();
  await expect(shell.status).toContainText('Vault locked');
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Passphrase' })).toHaveCount(0);
  const anew = page.getByText('To begin anew');
  await expect(anew).toHaveCount(0);
  const keyFile = join(dataDirectory, 'vault.key');
  // Of the desktop app with a keychain there is none.
  if (existsSync(keyFile)) {
    renameSync(keyFile, `${keyFile}.away`);
    await page.keyboard.press('Enter');
    await expect(anew).toHaveText(/^Lost\? Nothing else opens it\. .*vault\.json/);
    renameSync(`${keyFile}.away`, keyFile);
  }
  await page.keyboard.press('Enter');
  await expect(shell.status).not.toContainText('Vault locked');
  await expect(page.getByRole('button', { name: 'Lock now' })).toBeVisible();
});

test(
  'the status bar leads to the vault, from another view and while a key is on show',
  pageAlone,
  async ({ page }) => {
    const shell = new Shell(page);
    const link = shell.status.getByRole('link', { name: /^Vault: / });
    const lock = page.getByRole('button', { name: 'Lock now' });
    await shell.open('Requests');
    await link.click();
    await expect(lock).toBeVisible();
    for (const go of ['click', 'press'] as const) {
      await page.getByRole('option').first().click();
      await expect(lock).toHaveCount(0);
      await (go === 'click' ? link.click() : link.press('Enter'));
      await expect(lock).toBeVisible();
    }
  },
);

test('a vault sealed with a passphrase locks, signs nothing, and opens again', async ({ freshApp }) => {
  const { page } = freshApp;
  const fresh = new KeysPage(page);
  const shell = new Shell(page);
  const passphrase = 'correct horse battery';
  await shell.open('Keys and tokens');
  await fresh.row('Vault').click();
  await page.getByRole('textbox', { name: 'New passphrase' }).fill(passphrase);
  await page.getByRole('textbox', { name: 'Once more' }).fill(passphrase);
  await page.getByRole('button', { name: 'Seal it' }).click();
  await expect(page.getByText('the new passphrase is in force')).toBeVisible();
  await page.getByRole('button', { name: 'Lock now' }).click();
  await expect(shell.status).toContainText('Vault locked');

  await shell.open('Requests');
  const requests = new RequestsPage(page);
  await requests.open('Salary payout');
  await requests.send();
  await expect(requests.response).toContainText(/locked|unlock/i);

  await shell.open('Keys and tokens');
  await page.getByRole('textbox', { name: 'Passphrase' }).fill('not this one');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(fresh.detail.getByRole('alert').last()).toBeVisible();
  await expect(page.getByText('Forgotten?')).toBeVisible();
  await page.getByRole('textbox', { name: 'Passphrase' }).fill(passphrase);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(shell.status).toContainText('Vault: passphrase');
  await shell.open('Requests');
  await requests.send();
  await expect(requests.response).toContainText('Accepted for processing');
});

test(
  'a dialog that fails keeps the keyboard: the focus stays in it, and the second Escape closes it with what was typed',
  pageAlone,
  async ({ page }) => {
    await keys.choose('Import a key…');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('broken');
    await dialog.getByRole('textbox', { name: /key/i }).last().fill('no key at all');
    const submit = dialog.locator('button[type=submit]');
    await submit.focus();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toBeVisible();
    await expect(submit).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog.getByText('Escape once more discards what you typed.')).toBeVisible();
    await expect(submit).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  },
);
