import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { usualProfile, usualSetup } from '@shared/contract/usual-setup';
import { callBackend } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { setSize } from './looks';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

/** The dots beside the environment's name, in the rail and in the status bar. */
async function readDots(page: Page): Promise<string[]> {
  const rail = page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: /^Environment/ });
  const dots = rail.or(page.locator('footer[data-pane="status"]')).locator('[data-tone]');
  return dots.evaluateAll((found) => found.map((dot) => dot.getAttribute('data-tone')!));
}

test(
  'a stopped sandbox has no green dot anywhere, and is started from the request that did not reach it',
  pageAlone,
  async ({ freshApp }) => {
    const { page } = freshApp;
    const shell = new Shell(page);
    const requests = new RequestsPage(page);
    await shell.open('Requests');
    await requests.open('Salary payout');
    const start = requests.response.getByRole('button', { name: 'Start the sandbox' });
    const stopAndSend = async (): Promise<void> => {
      await callBackend(page, 'sandbox.stop', {});
      await expect(shell.status).toContainText('Sandbox stopped');
      await requests.send();
      await expect(requests.response).toContainText('Cannot reach');
    };
    const startAndSend = async (): Promise<void> => {
      await start.click();
      await expect.poll(() => readDots(page)).toContain('good');
      await requests.response.getByRole('button', { name: 'Send again' }).click();
      await expect(requests.response).toContainText('Accepted for processing');
    };

    // The token cannot be had: nothing was sent at all.
    await stopAndSend();
    const dots = await readDots(page);
    expect(dots.length).toBeGreaterThan(1);
    expect(dots.filter((tone) => tone === 'good')).toEqual([]);
    await startAndSend();

    // With a token, it is the request that does not arrive. A dot parts its way out from what is said before it.
    await stopAndSend();
    await expect(start.locator('xpath=../..')).toHaveText(
      /^sending\.unreachable[\d.]+ m?sStart the sandbox$/,
    );
    const mark = await start.evaluate(
      (button) => getComputedStyle(button.parentElement!, '::before').content,
    );
    expect(mark).toBe('"·"');
    // In a narrow pane it goes below, and takes its dot with it: none is left at the end of a line.
    await setSize(freshApp, { width: 960, height: 600 });
    const facts = start.locator('xpath=../..').locator(':scope > span');
    const pieces = await facts.evaluateAll((all) => all.map((fact) => fact.getClientRects().length));
    expect(pieces).toEqual([1, 1, 1]);
    const tops = await facts.evaluateAll((all) => all.map((fact) => fact.getBoundingClientRect().top));
    expect(new Set(tops).size).toBeGreaterThan(1);
    await startAndSend();
  },
);

test(
  '“Enter them” opens the credentials of the very environment that has none',
  pageAlone,
  async ({ page }) => {
    const shell = new Shell(page);
    const requests = new RequestsPage(page);
    const environment = {
      name: 'without-credentials',
      kind: 'sandbox',
      baseUrl: 'http://127.0.0.1:9',
    } as const;
    await shell.open('Requests');
    await callBackend(page, 'environments.save', environment);
    await requests.treeItem('Balances of payout wallets').click();
    await callBackend(page, 'environments.select', { id: 'data/without-credentials' });
    await expect(shell.status).toContainText('without-credentials');
    await requests.send();
    await requests.response.getByRole('link', { name: 'Enter them' }).click();
    await expect(
      page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Keys and tokens' }),
    ).toHaveAttribute('aria-current', 'page');
    const detail = page.getByRole('region', { name: 'Details', exact: true });
    await expect(detail.getByRole('heading', { name: /without-credentials/ })).toBeVisible();
    await expect(detail.getByRole('textbox', { name: 'Consumer key' })).toBeVisible();
    await callBackend(page, 'environments.select', { id: 'local' });
    await callBackend(page, 'environments.delete', { id: 'data/without-credentials' });
  },
);

test(
  'a token call that does not say whose credentials it takes is told, and takes those of the product that is chosen',
  pageAlone,
  async ({ page, app }) => {
    const shell = new Shell(page);
    const requests = new RequestsPage(page);
    const id = 'data/for-each-product';
    const profile = {
      ...usualProfile,
      requestNames: { ...usualProfile.requestNames, product: '' },
      credentials: 'per_product' as const,
    };
    await shell.open('Requests');
    await callBackend(page, 'environments.save', {
      name: 'for-each-product',
      kind: 'sandbox',
      baseUrl: 'http://127.0.0.1:9',
    });
    await callBackend(page, 'environments.setUp', { id, setup: { ...usualSetup, profile } });
    await callBackend(page, 'environments.select', { id });
    await expect(shell.status).toContainText('for-each-product');
    writeFileSync(
      join(app.dataDirectory, 'collections', 'Payments API', 'Token by hand.http'),
      'POST {{base_url}}/auth/v1/token\n\n{"id": "{{vault.consumer_key}}", "word": "{{vault.consumer_secret}}"}\n',
    );
    await requests.open('Token by hand');
    await requests.send();
    await requests.response.getByRole('button', { name: 'Take those of collection' }).click();
    expect(await requests.readBody()).toBe(
      '{"id": "{{vault.collection_consumer_key}}", "word": "{{vault.collection_consumer_secret}}"}',
    );
    // They have none yet: that is the next thing it says.
    await requests.send();
    await expect(requests.response).toContainText(
      "No consumer key and secret are saved for the product collection of 'for-each-product'",
    );
    // What the way out wrote was not saved: the next spec would find its tab.
    await requests.close('Token by hand');
    rmSync(join(app.dataDirectory, 'collections', 'Payments API', 'Token by hand.http'));
    await callBackend(page, 'environments.select', { id: 'local' });
    await callBackend(page, 'environments.delete', { id });
  },
);
