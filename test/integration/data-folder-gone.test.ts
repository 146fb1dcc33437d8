import { existsSync, renameSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { openWebClient } from '../support/web-client';

const started: RunningCommand[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((command) => command.stop()));
});

async function start(args: string[], data: string) {
  const command = startCli([...args, '--json', '--data', data]);
  started.push(command);
  return { command, ready: await command.waitForLine((line) => line['event'] === 'ready') };
}

const post = async (url: string, body: unknown = {}, token = ''): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  });

it('the app keeps nothing beside its folder while that is away, and goes on once it is back', async () => {
  const data = makeTemporaryFolder('gone-app');
  const { command, ready } = await start(['app', '--no-open', '--port', '0'], data);
  const client = await openWebClient(ready['url'] as string);
  const { value } = (await client.call('app.status')) as unknown as {
    value: { listener: { url: string } };
  };
  const answers = [(await post(value.listener.url)).status];
  renameSync(data, `${data}-away`);
  answers.push((await post(value.listener.url)).status);
  const refused = { ok: false, error: { code: 'platform.folder_gone' } };
  expect(await client.call('settings.update', { theme: 'dark' })).toMatchObject(refused);
  expect(await client.call('history.list', { limit: 1, before: null })).toMatchObject(refused);
  // What serves or sends can be ended all the same.
  expect(await client.call('sandbox.stop')).toMatchObject({ ok: true, value: { state: 'stopped' } });
  const message = expect.stringContaining('was moved, removed or unmounted') as string;
  expect(await client.call('app.status')).toMatchObject({
    ok: true,
    value: { listener: { message }, vault: { keyCount: 1 } },
  });
  expect(existsSync(data)).toBe(false);
  renameSync(`${data}-away`, data);
  answers.push((await post(value.listener.url)).status);
  expect(answers).toEqual([200, 503, 200]);
  expect(await client.call('settings.update', { theme: 'dark' })).toMatchObject({ ok: true });
  renameSync(data, `${data}-away`);
  await command.stop();
  expect(existsSync(data)).toBe(false);
});

it('a sandbox takes no payment that it could not keep', async () => {
  const data = makeTemporaryFolder('gone-sandbox');
  const { ready } = await start(['sandbox', '--port', '0'], data);
  const base = ready['base_url'] as string;
  const credentials = { consumer_key: ready['consumer_key'], consumer_secret: ready['consumer_secret'] };
  const product = 'collection';
  const answer = await post(`${base}/auth/v1/token`, { ...credentials, product });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const collect = async (): Promise<number> => {
    const body = {
      transaction: { reference: 'r-1', amount: 10, currency: 'KES', description: 'x' },
      customer: { name: 'A', msisdn: '254700000000', email: 'a@b.test' },
      callback_url: 'http://127.0.0.1:9/',
      redirect_url: 'http://127.0.0.1:9/',
      meta: {},
    };
    return (await post(`${base}/payments/v1/collections`, body, token)).status;
  };
  renameSync(data, `${data}-away`);
  expect(await collect()).toBe(500);
  expect(existsSync(data)).toBe(false);
  renameSync(`${data}-away`, data);
  expect(await collect()).toBe(201);
});
