import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MethodInput, MethodName, MethodOutput } from '@shared/contract/contract';
import { prepareDataDirectory } from '../../electron/platform/files/data-directory';
import type { Services } from '../../electron/services/create-services';
import { openServices, openVault } from '../support/open-services';
import { makeTemporaryFolder } from '../support/temporary';

const secret = 'correct-horse-4711';
const reference = '{{vault.api_key}}';
let folder: string;
let data: string;
let services: Services;
let server: Server;
let baseUrl: string;
let received: { url: string; headers: Record<string, unknown>; body: string }[];

const call = <M extends MethodName>(method: M, input: MethodInput<M>): Promise<MethodOutput<M>> =>
  services.router.call(method, input);
const save = (input: Partial<MethodInput<'environments.save'>> = {}) =>
  call('environments.save', {
    name: 'uat',
    kind: 'sandbox',
    baseUrl,
    variables: { api_key: secret, user: 'amina' },
    ...input,
  });
const find = async (id: string) =>
  (await call('environments.list', {})).environments.find((one) => one.id === id)!;
const send = (input: Partial<MethodInput<'sending.send'>> = {}) =>
  call('sending.send', {
    environment: 'data/uat',
    operation: 'other',
    title: 'Ask',
    method: 'POST',
    url: `${baseUrl}/x?k={{%vault.api_key}}`,
    headers: [
      ['X-Mine', reference],
      ['Authorization', `Basic amina ${reference}`],
    ],
    body: `{"api_key":"${reference}","note":"${reference}"}`,
    ...input,
  });
/** Everything in the data directory, in one text. */
const readAll = (): string =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
const writeSettings = (environments: unknown): void =>
  writeFileSync(join(data, 'settings.json'), JSON.stringify({ theme: 'dark', environments }));

beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body });
      response.end(`you said ${body}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = makeTemporaryFolder('secret-variables');
  data = prepareDataDirectory(join(folder, 'data'));
  services = openServices(data);
});
afterEach(async () => {
  await services.close();
  server.close();
});

describe('a variable that is secret by its name', () => {
  it('is sealed in the vault: neither file, list nor history has it, and the request does', async () => {
    const { variables } = await save();
    expect(variables).toMatchObject({ api_key: reference, user: 'amina' });
    const exchange = await send();
    expect(received).toMatchObject([
      {
        url: `/x?k=${secret}`,
        headers: {
          'x-mine': secret,
          authorization: `Basic ${Buffer.from(`amina:${secret}`).toString('base64')}`,
        },
        body: `{"api_key":"${secret}","note":"${secret}"}`,
      },
    ]);
    expect(JSON.stringify(exchange)).not.toContain(secret);
    expect(JSON.stringify(await call('environments.list', {}))).not.toContain(secret);
    await services.close();
    expect(readAll()).not.toContain(secret);
  });

  it('is shown where the user asks for it', async () => {
    await save();
    expect(await call('environments.revealVariable', { id: 'data/uat', name: 'api_key' })).toEqual({
      value: secret,
      hideAfterMs: 10_000,
    });
    await expect(
      call('environments.revealVariable', { id: 'data/uat', name: 'password' }),
    ).rejects.toMatchObject({ code: 'environments.no_secret' });
  });

  it('leaves for the host of its environment alone, and decides no host', async () => {
    await save();
    await expect(send({ url: 'http://localhost:9/' })).rejects.toMatchObject({
      code: 'sending.foreign_host',
    });
    await expect(send({ url: `http://${reference}/` })).rejects.toMatchObject({
      code: expect.stringMatching(/^sending\./) as string,
    });
    expect(received).toEqual([]);
  });

  it('is put into no file of a body: braces are text there, and a stranger may have written them', async () => {
    await save();
    const parts = [`a ${reference} `, `\xff ${reference}`, ` b ${reference}`].map((one) =>
      Buffer.from(one, 'latin1'),
    );
    const from = parts[0]!.length;
    const bodyBase64 = Buffer.concat(parts).toString('base64');
    const bodyFiles: [number, number][] = [[from, from + parts[1]!.length]];
    await send({ headers: [], body: null, bodyBase64, bodyFiles });
    expect(received[0]!.body).toBe(`a ${secret} \ufffd ${reference} b ${secret}`);
  });

  it('is not sent to another address than it was kept for', async () => {
    await save();
    await save({ id: 'data/uat', baseUrl: 'http://localhost:9', variables: { api_key: reference } });
    await expect(send()).rejects.toMatchObject({ code: 'environments.address_changed' });
  });

  it('goes with its environment: renamed, changed, taken out, deleted', async () => {
    await save();
    await save({ id: 'data/uat', name: 'live', variables: { api_key: reference, password: 'another-4712' } });
    await send({ environment: 'data/live' });
    expect(received[0]!.headers['x-mine']).toBe(secret);
    const vault = openVault(data);
    const list = async () =>
      (await vault.store.list('variable')).map(({ name, environment }) => [name, environment]);
    expect(await list()).toEqual([
      ['api_key', 'data/live'],
      ['password', 'data/live'],
    ]);
    await save({ id: 'data/live', name: 'live', variables: { api_key: reference } });
    expect(await list()).toEqual([['api_key', 'data/live']]);
    await call('environments.delete', { id: 'data/live' });
    expect(await list()).toEqual([]);
    vault.close();
  });

  it('is refused where the vault cannot take it, and kept in the clear where the user says so', async () => {
    await call('credentials.save', { environment: 'local', consumerKey: 'ck', consumerSecret: 'cs' });
    await call('vault.lock', {});
    await expect(save()).rejects.toMatchObject({
      code: 'environments.not_sealed',
      details: { names: ['api_key'], reason: 'vault.locked' },
    });
    expect((await call('environments.list', {})).environments.map(({ id }) => id)).toEqual(['local']);
    expect(await save({ inClear: ['api_key'] })).toMatchObject({
      variables: { api_key: secret },
      inClear: ['api_key'],
    });
    await call('vault.unlock', { passphrase: '' });
    expect((await find('data/uat')).variables['api_key']).toBe(secret);
    // Back into the vault: the choice is taken back.
    await save({ id: 'data/uat' });
    expect(readFileSync(join(data, 'settings.json'), 'utf8')).not.toContain(secret);
  });

  it('warns where it stands in the file that a team shares', async () => {
    const shop = join(folder, 'shop');
    mkdirSync(shop);
    writeFileSync(
      join(shop, 'http-client.env.json'),
      JSON.stringify({ dev: { base_url: baseUrl, api_key: secret } }),
    );
    writeFileSync(
      join(shop, 'http-client.private.env.json'),
      JSON.stringify({ dev: { phone: '254700000001' } }),
    );
    const { id } = await call('collections.open', { directory: shop });
    const found = await find(`${id}/dev`);
    expect(found.warning).toContain('api_key stands in the clear in http-client.env.json');
    expect(found.privateNames).toEqual(['phone']);
  });
});

describe('settings of an earlier version', () => {
  const former = (): unknown => ({
    active: 'uat',
    data: [
      { name: 'uat', kind: 'sandbox', baseUrl, variables: { api_key: secret, user: 'amina' } },
      { name: 'other', kind: 'sandbox', baseUrl, variables: { user: 'amina' } },
    ],
  });

  it('are brought up to date: nothing of them stands in the clear, copies included, and nothing is lost', async () => {
    writeSettings(former());
    writeFileSync(join(data, 'settings.json.before-something'), readFileSync(join(data, 'settings.json')));
    expect((await find('data/uat')).variables).toMatchObject({ api_key: reference, user: 'amina' });
    await send();
    expect(received[0]!.headers['x-mine']).toBe(secret);
    await services.close();
    expect(readAll()).not.toContain(secret);
    const copies = readdirSync(data).filter((name) => name.startsWith('settings.json'));
    expect(copies).toContain('settings.json.before-sealed-variables');
    for (const name of copies) {
      expect(statSync(join(data, name)).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(join(data, name), 'utf8'))).toMatchObject({ theme: 'dark' });
    }
  });

  it('wait for a locked vault, and say so; the values are used meanwhile', async () => {
    await call('vault.setPassphrase', { current: null, next: 'a long passphrase' });
    await call('vault.lock', {});
    await services.close();
    writeSettings(former());
    services = openServices(data);
    const found = await find('data/uat');
    expect(found.variables['api_key']).toBe(reference);
    expect(found.warning).toContain('api_key stands in the clear in settings.json');
    await send();
    expect(received[0]!.headers['x-mine']).toBe(secret);
    await call('vault.unlock', { passphrase: 'a long passphrase' });
    expect((await find('data/uat')).warning ?? '').not.toContain('in the clear');
    expect(readFileSync(join(data, 'settings.json'), 'utf8')).not.toContain(secret);
  });
});
