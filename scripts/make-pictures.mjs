/** Takes the README's pictures of the real app: `node scripts/make-pictures.mjs`, after `npm run build`. */
/* global window -- inside the page */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { root } from './build-if-stale.mjs';
import { findOrInstallChromium } from './find-browser.mjs';

const data = mkdtempSync(join(tmpdir(), 'countersign-pictures-'));
const images = join(root, 'docs', 'images');
mkdirSync(images, { recursive: true });

const server = spawn(
  process.execPath,
  [join(root, 'out/cli/index.js'), 'app', '--no-open', '--json', '--port', '0', '--data', data],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const address = await new Promise((resolve) => {
  createInterface({ input: server.stdout }).on('line', (line) => resolve(JSON.parse(line).url));
});
const browser = await chromium.launch({
  executablePath: findOrInstallChromium() ?? undefined,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(address);

const open = (view) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view, exact: true }).click();
const choose = (name) => page.getByRole('treegrid').getByRole('row', { name }).click();
const settle = (ms) => page.waitForTimeout(ms);
const take = async (name, theme) => {
  await page.emulateMedia({ colorScheme: theme });
  await settle(400);
  await page.screenshot({ path: join(images, `${name}-${theme}.png`) });
};
const sendRequest = async (name) => {
  await choose(name);
  await page.waitForFunction(() => window.__countersignEditors?.Body !== undefined);
  await settle(800);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await settle(2500);
};

/** A signature as somebody else made it: with “|” between the values, over the country in its three-letter form. */
const signWrongly = (body) => {
  const key = join(data, 'theirs.pem');
  execFileSync('openssl', ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', key], {
    stdio: 'ignore',
  });
  const { transaction, originator } = JSON.parse(body);
  const text = [
    transaction.reference,
    transaction.amount,
    `${originator.country}N`,
    transaction.service_code,
  ].join('|');
  writeFileSync(join(data, 'text'), text);
  const signature = execFileSync('openssl', ['dgst', '-sha256', '-sign', key, join(data, 'text')]).toString(
    'base64',
  );
  return {
    signature,
    publicKey: execFileSync('openssl', ['pkey', '-in', key, '-pubout'], { encoding: 'utf8' }),
  };
};

try {
  await sendRequest('Payout that fails');
  await sendRequest('Salary payout');
  await sendRequest('Remittance to M-Pesa');
  await take('requests', 'light');
  await open('Inbox');
  await page.getByRole('option').first().click();
  await take('inbox', 'dark');

  const body = `{
  "transaction": {
    "reference": "INV-2026-0042",
    "amount": 1500,
    "currency": "KES",
    "description": "Family support",
    "service_code": "MPESA-KE",
    "timestamp": "2026-11-21 10:00:00"
  },
  "originator": {
    "nationality": "KE",
    "address": "1 River Road",
    "msisdn": "254711000000",
    "country": "KE",
    "purpose": "Family support"
  }
}`;
  const { signature, publicKey } = signWrongly(body);
  await open('Signature lab');
  await page.getByLabel('Body, exactly as it was sent').fill(body);
  await page.getByLabel('Signature as received').fill(`X-Custom-Signature: ${signature}`);
  await page.getByRole('radio', { name: 'Paste' }).click();
  await page.getByLabel('Public key in PEM').fill(publicKey);
  await settle(3000);
  await take('signature-lab', 'light');
} finally {
  await browser.close();
  server.once('exit', () => rmSync(data, { recursive: true, force: true }));
  server.kill('SIGTERM');
}
