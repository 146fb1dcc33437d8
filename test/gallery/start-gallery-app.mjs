import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { root } from '../../scripts/build-if-stale.mjs';
import { findOrInstallChromium } from '../../scripts/find-browser.mjs';

const sandboxing = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
/** A machine with other work is slow; whoever waits in vain so long waits for something that does not come. */
const longestWaitMs = 20_000;

/**
 * Starts the web host over a data directory, and a browser that shows it.
 * @returns page: the app; call: one method of the contract, as the page calls it; onStop: more to end with the app; stop
 */
export async function startGalleryApp(dataDirectory) {
  const endings = [];
  const stop = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const { host, url } = await startHost(dataDirectory);
    endings.push(() => endProcess(host));
    const browser = await chromium.launch({
      executablePath: findOrInstallChromium() ?? undefined,
      args: sandboxing,
    });
    endings.push(() => browser.close());
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(longestWaitMs);
    const page = await context.newPage();
    await page.goto(url);
    // The launch address hands over and goes on to the app.
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    const call = (method, input = {}) => callBackend(page, method, input);
    return { page, call, dataDirectory, onStop: (end) => void endings.push(end), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startHost(dataDirectory) {
  const command = [join(root, 'out', 'cli', 'index.js'), 'app', '--no-open', '--json', '--port', '0'];
  const host = spawn(process.execPath, [...command, '--data', dataDirectory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => host.kill('SIGTERM'));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const url = await new Promise((resolve, reject) => {
    host.once('error', reject);
    host.once('exit', (code) => reject(new Error(`The app ended before it was ready (code ${code}).`)));
    createInterface({ input: host.stdout }).on('line', (line) => {
      const event = JSON.parse(line);
      if (event.event === 'ready') resolve(event.url);
    });
  });
  return { host, url };
}

function endProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function callBackend(page, method, input) {
  const reply = await page.evaluate(
    async ([name, value]) => {
      const response = await fetch('/api/call', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-countersign-proof': sessionStorage.getItem('countersign.proof') ?? '',
        },
        body: JSON.stringify({ method: name, input: value }),
      });
      return response.json();
    },
    [method, input],
  );
  if (!reply.ok) throw new Error(`${method}: ${reply.error.code}: ${reply.error.message}`);
  return reply.value;
}
