import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { callBackend } from './backend';
import type { ElectronApplication } from '@playwright/test';
import { expect, test } from './fixtures';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

/** Keeps the messages of the questions that are asked, each answered by staying. */
async function keepQuestions(electron: ElectronApplication): Promise<() => Promise<string[]>> {
  await electron.evaluate(({ dialog }) => {
    const asked = globalThis as unknown as { asked: string[] };
    asked.asked = [];
    dialog.showMessageBox = (...given: unknown[]) => {
      const { message } = given.at(-1) as { message: string };
      asked.asked.push(message);
      return Promise.resolve({ response: 0, checkboxChecked: false });
    };
  });
  return () => electron.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
}

/** A server that holds what it is asked, and a collection of one request to it. */
async function holdAnswers(dataDirectory: string) {
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => void held.push(response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const directory = join(dataDirectory, 'slow');
  mkdirSync(directory);
  writeFileSync(join(directory, 'held.http'), `GET http://127.0.0.1:${port}/\n`);
  return { held, server, directory };
}

test('closing the window and quitting ask while a run goes on, and no more once it is over', async ({
  freshApp,
}) => {
  const { page, dataDirectory } = freshApp;
  const electron = freshApp.electron!;
  const { held, server, directory } = await holdAnswers(dataDirectory);
  const { id } = await callBackend(page, 'collections.open', { directory });
  const readAsked = await keepQuestions(electron);
  await callBackend(page, 'running.start', { collectionId: id, path: '', environment: 'local' });
  await expect.poll(() => held.length).toBe(1);
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await expect.poll(readAsked).toEqual(['Break off the run?']);
  await electron.evaluate(({ app }) => app.quit());
  await expect.poll(readAsked).toEqual(['Break off the run?', 'Break off the run?']);
  // One that was canceled waits for what it has sent.
  const { run } = await callBackend(page, 'running.get', {});
  await callBackend(page, 'running.cancel', { id: run!.id });
  await electron.evaluate(({ app }) => app.quit());
  await expect.poll(async () => (await readAsked()).length).toBe(3);

  held[0]!.end();
  await expect
    .poll(async () => (await callBackend(page, 'running.get', {})).run)
    .toMatchObject({ state: 'over', results: [{ outcome: 'passed' }] });
  const gone = new Promise((resolve) => electron.process().once('exit', resolve));
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await gone;
  server.close();
});

test('the end of the app asks before a request that waits for its answer breaks off', async ({
  freshApp,
}) => {
  const { page, dataDirectory } = freshApp;
  const electron = freshApp.electron!;
  const { held, server, directory } = await holdAnswers(dataDirectory);
  await callBackend(page, 'collections.open', { directory });
  const readAsked = await keepQuestions(electron);
  const requests = new RequestsPage(page);
  await new Shell(page).open('Requests');
  await requests.treeItem('held').click();
  await expect(requests.tab('held')).toHaveAttribute('aria-current', 'true');
  await requests.send();
  await expect.poll(() => held.length).toBe(1);
  // What ends within a moment asks nobody.
  await wait(1000);
  await electron.evaluate(({ app }) => app.quit());
  await expect.poll(readAsked).toEqual(['Break off what is under way?']);
  held[0]!.end();
  await expect(requests.response).toContainText('200');
  const gone = new Promise((resolve) => electron.process().once('exit', resolve));
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await gone;
  server.close();
});

test('the end of the app asks before a payment breaks off that passes the proxy, and no more once it is answered', async ({
  freshApp,
}) => {
  const { page, dataDirectory } = freshApp;
  const electron = freshApp.electron!;
  const { held, server } = await holdAnswers(dataDirectory);
  const { port } = server.address() as AddressInfo;
  const target = `http://127.0.0.1:${port}`;
  const { url } = await callBackend(page, 'proxy.start', { target, port: 0 });
  const program = electron.process();
  const readAsked = await keepQuestions(electron);
  await page.evaluate(() => {
    type Bridge = { countersign: { subscribe(listen: (name: string) => void): void } };
    (window as unknown as Bridge).countersign.subscribe((name) => {
      if (name === 'proxy.holding') document.documentElement.dataset['holding'] = '';
    });
  });
  const paid = fetch(`${url}/payments/v1/payouts`, { method: 'POST', body: '{}' });
  await expect.poll(() => held.length).toBe(1);
  // What ends within a moment asks nobody.
  await page.locator('html[data-holding]').waitFor({ state: 'attached' });
  await electron.evaluate(({ app }) => app.quit());
  await expect.poll(readAsked).toEqual(['Break off what is under way?']);
  held[0]!.end();
  expect((await paid).status).toBe(200);
  await expect
    .poll(async () => {
      await electron
        .evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
        .catch(() => undefined);
      return program.exitCode;
    })
    .toBe(0);
  server.close();
});
