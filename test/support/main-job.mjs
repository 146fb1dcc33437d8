/**
 * Starts the app given by its arguments, does the main job in it (payout, webhook, doctor) and prints where it talked to.
 *
 * A program of its own: it runs where nothing but the loopback interface is.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [body, host, program, ...args] = process.argv.slice(2);
const app = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
/** What Chromium says of where its window can be reached, where it was asked to listen. */
const debuggingPort = new Promise((resolve) => {
  createInterface({ input: app.stderr }).on('line', (line) => {
    const port = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) resolve(Number(port));
    else console.error(line);
  });
});
const ready = await new Promise((resolve) => {
  createInterface({ input: app.stdout }).once('line', (text) => resolve(JSON.parse(text)));
});

/** Speaks to the web host as its page does. */
async function openPage(url) {
  const { origin, port } = new URL(url);
  const entry = await fetch(url);
  const cookie = entry.headers.get('set-cookie').split(';')[0];
  const proof = /#proof=([0-9a-f]+)/.exec(await entry.text())[1];
  for (const path of ['/', '/index.html']) await fetch(`${origin}${path}`, { headers: { cookie } });
  const post = async (method, input = {}) => {
    const answer = await fetch(`${origin}/api/call`, {
      method: 'POST',
      headers: { cookie, origin, 'x-countersign-proof': proof, 'content-type': 'application/json' },
      body: JSON.stringify({ method, input }),
    });
    return takeValue(method, await answer.json());
  };
  return { call: post, ports: [Number(port)] };
}

/** Speaks to the desktop app through its window's bridge. */
async function openWindow() {
  const { chromium } = await import('@playwright/test');
  const port = await debuggingPort;
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const page = browser.contexts()[0].pages()[0];
  await page.getByRole('main').first().waitFor();
  const ask = async (method, input = {}) =>
    takeValue(method, await page.evaluate((given) => globalThis.countersign.call(...given), [method, input]));
  return { call: ask, ports: [port] };
}

function takeValue(method, reply) {
  if (!reply.ok) throw new Error(`${method}: ${reply.error.message}`);
  return reply.value;
}

try {
  const { call, ports } = await (host === 'web' ? openPage(ready.url) : openWindow());
  const { environment, listener } = await call('app.status');
  const text = body.replaceAll('CALLBACK', environment.variables.callback_url);
  const sent = await call('sending.send', {
    environment: 'local',
    operation: 'remittance',
    title: 'Remittance',
    method: 'POST',
    url: `${environment.baseUrl}/payments/v1/remittance`,
    headers: [
      ['Authorization', 'Bearer {{token.remittance}}'],
      ['X-Custom-Signature', '{{signature}}'],
      ['Content-Type', 'application/json'],
    ],
    body: text,
  });
  let webhooks = [];
  for (let tries = 0; tries < 200 && webhooks.length === 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    ({ webhooks } = await call('inbox.list', {}));
  }
  const [key] = (await call('keys.list')).keys;
  const found = await call('doctor.diagnose', {
    diagnosisId: 'main-job',
    publicKeyPem: key.publicKeyPem,
    body: text,
    signature: sent.request.signature,
  });
  console.log(
    JSON.stringify({
      httpStatus: sent.response?.httpStatus,
      webhooks: webhooks.length,
      verdict: found.verdict,
      asked: [...ports, ...[environment.baseUrl, listener.url].map((url) => Number(new URL(url).port))],
    }),
  );
} finally {
  app.kill('SIGTERM');
}
process.exit();
