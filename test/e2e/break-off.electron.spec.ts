import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { callBackend } from './backend';
import { expect, test } from './fixtures';

test('closing the window and quitting ask while a run goes on, and no more once it is over', async ({
  freshApp,
}) => {
  const { page, dataDirectory } = freshApp;
  const electron = freshApp.electron!;
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => void held.push(response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const directory = join(dataDirectory, 'slow');
  mkdirSync(directory);
  writeFileSync(join(directory, 'slow.http'), `GET http://127.0.0.1:${port}/\n`);
  const { id } = await callBackend(page, 'collections.open', { directory });

  await electron.evaluate(({ dialog }) => {
    const asked = globalThis as unknown as { asked: string[] };
    asked.asked = [];
    dialog.showMessageBox = (...given: unknown[]) => {
      const { message } = given.at(-1) as { message: string };
      asked.asked.push(message);
      return Promise.resolve({ response: 0, checkboxChecked: false });
    };
  });
  const readAsked = (): Promise<string[]> =>
    electron.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);

  await callBackend(page, 'running.start', { collectionId: id, path: '', environment: 'local' });
  await expect.poll(() => held.length).toBe(1);
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await expect.poll(readAsked).toEqual(['Break off the run?']);
  await electron.evaluate(({ app }) => app.quit());
  await expect.poll(readAsked).toEqual(['Break off the run?', 'Break off the run?']);

  held[0]!.end();
  await expect
    .poll(async () => (await callBackend(page, 'running.get', {})).run)
    .toMatchObject({ state: 'over', results: [{ outcome: 'passed' }] });
  const gone = new Promise((resolve) => electron.process().once('exit', resolve));
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await gone;
  server.close();
});
