import { expect, pageAlone, test } from './fixtures';
import { makeKeyPair, signWithOpenssl, type KeyPair } from './openssl';
import { setSize, showPicture, sizes } from './looks';
import { LabPage } from './pages/lab-page';
import { RequestsPage } from './pages/requests-page';
import { SandboxPage } from './pages/sandbox-page';
import { Shell } from './pages/shell';

const body = `{
  "transaction": { "reference": "INV-2041", "amount": 1500, "service_code": "MPESA-B2C" },
  "originator": { "country": "KE" }
}`;
const expected = 'INV-20411500KEMPESA-B2C';
let pair: KeyPair;
let lab: LabPage;

test.beforeAll(() => {
  pair = makeKeyPair();
});

test.beforeEach(async ({ page }) => {
  lab = new LabPage(page);
  await new Shell(page).open('Signature lab');
  await page.getByRole('button', { name: 'Clear all' }).click({ force: true });
});

test('a signature over values joined with | is told by its separator', pageAlone, async () => {
  const signature = signWithOpenssl('INV-2041|1500|KE|MPESA-B2C', pair);
  await lab.fill({ body, signature, publicKeyPem: pair.publicKeyPem });
  await expect(lab.verdict).toContainText('separators');
  await expect(lab.verdict).toContainText('INV-2041|1500|KE|MPESA-B2C');
  await expect(lab.verdict).toContainText(expected);
  await expect(lab.verdict.locator('mark').first()).toBeVisible();
  const sentence = (await lab.verdict.getByRole('heading', { level: 2 }).first().textContent())!;
  const remedy = sentence.slice(sentence.lastIndexOf(': ') + 2);
  await expect(lab.verdict.getByText(remedy)).toHaveCount(1);
});

test(
  'languages that a narrow window has no room for are in a list beside it',
  pageAlone,
  async ({ app, page, hostKind }) => {
    test.skip(hostKind === 'electron', 'The window of the desktop app is never so narrow.');
    await setSize(app, { width: 640, height: 400 });
    await lab.fill({ body, signature: signWithOpenssl(expected, pair), publicKeyPem: pair.publicKeyPem });
    await lab.code.getByRole('button', { name: /^Language: all \d+$/ }).click();
    await showPicture(page, 'lab-narrow-languages');
    await page.getByRole('menuitem', { name: 'Kotlin' }).click();
    await expect(lab.code.getByRole('tab', { name: 'Kotlin' })).toHaveAttribute('aria-selected', 'true');
    await setSize(app, sizes[0]);
    await expect(lab.code.getByRole('button', { name: /^Language: all/ })).toHaveCount(0);
    await lab.code.getByRole('tab', { name: 'Node' }).click();
  },
);

test('a signature is explained in one click from everywhere it stands', async ({ page }) => {
  const shell = new Shell(page);
  const requests = new RequestsPage(page);
  await shell.open('Requests');
  await requests.openAsSaved('Salary payout');
  const reference = await requests.readSignedValue('reference');
  const isExplained = async (): Promise<void> => {
    await expect(lab.body).toHaveValue(new RegExp(reference));
    await expect(lab.signature).toHaveValue(/^[\w+/]{300,}=*$/);
    await expect(lab.verdict.getByText('Verifies', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Clear all' }).click();
  };
  await expect(requests.stringToSign.getByRole('button', { name: /^Copy signature / })).toBeVisible();
  await requests.stringToSign.getByRole('button', { name: 'Explain a signature' }).click();
  await isExplained();

  await shell.open('Requests');
  await requests.send();
  await expect(requests.response).toContainText('Accepted for processing');
  await requests.showAnswerPart('Sent');
  await requests.response.getByRole('button', { name: 'Explain the signature' }).click();
  await isExplained();

  await shell.open('Sandbox');
  const sandbox = new SandboxPage(page);
  await sandbox.show('Requests');
  await sandbox.row('Requests', reference).first().click();
  await page
    .getByRole('region', { name: 'String to sign' })
    .getByRole('button', { name: 'Explain the signature' })
    .click();
  await isExplained();

  await shell.open('Payments');
  await page
    .getByRole('listbox', { name: 'Payments' })
    .getByRole('option')
    .filter({ hasText: reference })
    .click();
  await page
    .getByRole('button', { name: /^Exchange of/ })
    .first()
    .click();
  await page.getByRole('main').getByRole('button', { name: 'Explain the signature' }).click();
  await isExplained();
});

test('a right signature is said to verify', pageAlone, async () => {
  const signature = signWithOpenssl(expected, pair);
  await lab.fill({ body, signature, publicKeyPem: pair.publicKeyPem });
  await expect(lab.verdict.getByText('Verifies', { exact: true })).toBeVisible();
});

test('a signature of another key is told from a wrong string', pageAlone, async () => {
  const signature = signWithOpenssl(expected, makeKeyPair());
  await lab.fill({ body, signature, publicKeyPem: pair.publicKeyPem });
  await expect(lab.verdict.getByText('Made with another key', { exact: true })).toBeVisible();
});

test('text that is no signature is said to be none', pageAlone, async () => {
  await lab.fill({ body, signature: 'hello, this is not one', publicKeyPem: pair.publicKeyPem });
  await expect(lab.verdict.getByText('Not a signature', { exact: true })).toBeVisible();
});

test('signing code carries the values of the body in each language', pageAlone, async ({ page }) => {
  const signature = signWithOpenssl('INV-2041|1500|KE|MPESA-B2C', pair);
  await lab.fill({ body, signature, publicKeyPem: pair.publicKeyPem });
  await lab.code.getByRole('radio', { name: 'All of it' }).click();
  for (const language of ['Python', 'Go', 'Node']) {
    await lab.code.getByRole('tab', { name: new RegExp(language) }).click();
    await expect(lab.code.getByLabel('Signing code')).toContainText('INV-2041');
  }
  await lab.code.getByRole('radio', { name: 'What to change' }).click();
  await expect(page.getByLabel('What to change')).toContainText('|');
});
