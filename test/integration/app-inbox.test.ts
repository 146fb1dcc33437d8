import { resolve } from 'node:path';
import type { MethodName, MethodOutput } from '@shared/contract/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWebHost } from '../support/contract-clients';

const fake = resolve('test/support/fake-tunnel.mjs');

let client: Awaited<ReturnType<typeof openWebHost>>;
beforeAll(async () => {
  client = await openWebHost();
});
afterAll(async () => {
  await client.stop();
  client.removeData();
});

const call = async <M extends MethodName>(method: M, input: object): Promise<MethodOutput<M>> => {
  const reply = await client.call(method, input);
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value as MethodOutput<M>;
};

it('keeps as many webhooks as the settings say, from the moment that they say it, and what is pinned', async () => {
  const { url } = await call('listener.status', {});
  for (let count = 0; count < 5; count += 1) await fetch(`${url}/n${count}`, { method: 'POST', body: '{}' });
  const readPaths = async (): Promise<string[]> =>
    (await call('inbox.list', {})).webhooks.map(({ path }) => path.slice(-2)).reverse();
  await expect.poll(readPaths, { timeout: 20_000 }).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
  const oldest = (await call('inbox.list', {})).webhooks.at(-1)!;
  await call('inbox.mark', { ids: [oldest.id], isPinned: true });
  await call('settings.update', { keepCount: 2 });
  await expect.poll(readPaths, { timeout: 20_000 }).toEqual(['n0', 'n3', 'n4']);
  await call('settings.update', { keepCount: 0 });
});

it('makes the address of the tunnel the callback address, and takes it back', async () => {
  const readCallback = async (): Promise<string | undefined> =>
    (await call('environments.list', {})).environments.find(({ source }) => source === 'builtin')?.variables[
      'callback_url'
    ];
  const local = await readCallback();
  expect(local).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks\/payments$/);
  await call('tunnel.start', { way: `cmd:"${process.execPath}" "${fake}" serve` });
  const readState = async (): Promise<string> => (await call('tunnel.status', {})).state;
  await expect.poll(readState, { timeout: 20_000 }).toBe('connected');
  const { url } = await call('tunnel.status', {});
  expect(await readCallback()).toBe(`${url}/hooks/payments`);
  await call('listener.stop', {});
  expect(await call('tunnel.status', {})).toMatchObject({ state: 'disconnected', url: null });
  await call('listener.start', { port: 0 });
  await expect.poll(readState, { timeout: 20_000 }).toBe('connected');
  expect(await readCallback()).toBe(`${(await call('tunnel.status', {})).url}/hooks/payments`);
  await call('tunnel.stop', {});
  expect(await readCallback()).toBe(`${(await call('listener.status', {})).url}/hooks/payments`);
});
