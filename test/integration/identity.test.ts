import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MethodInput, MethodName, MethodOutput } from '@shared/contract/contract';
import { openServices } from '../support/open-services';
import { makeTemporaryFolder } from '../support/temporary';
import type { Services } from '../../electron/services/create-services';

/** Two collections open at once, each with a `staging` of its own, and a `staging` of the data directory. */
let folder: string;
let services: Services;
let server: Server;
let baseUrl: string;
let received: string[];
let ids: { one: string; two: string };

const call = <M extends MethodName>(method: M, input: MethodInput<M>): Promise<MethodOutput<M>> =>
  services.router.call(method, input);

beforeAll(async () => {
  folder = makeTemporaryFolder('identity');
  server = createServer((request, response) => {
    received.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"asked":"${request.url}"}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  received = [];
  services = openServices(join(folder, 'data'));
  for (const name of ['one', 'two']) {
    mkdirSync(join(folder, name));
    const environments = JSON.stringify({ staging: { base_url: `${baseUrl}/${name}` } });
    writeFileSync(join(folder, name, 'http-client.env.json'), environments);
    writeFileSync(join(folder, name, 'Status query.http'), 'GET {{base_url}}/\n');
  }
  ids = {
    one: (await call('collections.open', { directory: join(folder, 'one') })).id,
    two: (await call('collections.open', { directory: join(folder, 'two') })).id,
  };
  await call('environments.save', { name: 'staging', kind: 'sandbox', baseUrl: `${baseUrl}/data` });
});
afterAll(async () => {
  await services.close();
  server.close();
});

describe('two collections open at once', () => {
  it('are listed, read and written each by its own id', async () => {
    const { collections } = await call('collections.list', {});
    expect(collections.map(({ id }) => id)).toEqual(expect.arrayContaining([ids.one, ids.two]));
    await call('collections.create', { collectionId: ids.one, name: 'Only here', kind: 'request' });
    const listPaths = async (collectionId: string) =>
      (await call('collections.tree', { collectionId })).nodes.map(({ path }) => path);
    expect(await listPaths(ids.one)).toEqual(['Only here.http', 'Status query.http']);
    expect(await listPaths(ids.two)).toEqual(['Status query.http']);
  });

  it('send each to its own environment, and keep each their own last answer', async () => {
    for (const [name, collectionId] of Object.entries(ids)) {
      await call('sending.send', {
        environment: `${collectionId}/staging`,
        operation: 'other',
        identity: { collectionId, path: 'Status query.http', block: '' },
        title: 'Status query',
        method: 'GET',
        url: `${baseUrl}/${name}/`,
        headers: [],
        body: null,
      });
    }
    for (const [name, collectionId] of Object.entries(ids)) {
      const identity = { collectionId, path: 'Status query.http', block: '' };
      const { exchanges } = await call('history.list', { identity });
      expect(exchanges.map(({ url }) => url)).toEqual([`${baseUrl}/${name}/`]);
    }
  });

  it('never show what a lookup of that title was answered', async () => {
    await call('credentials.save', { environment: 'data/staging', consumerKey: 'k', consumerSecret: 's' });
    const before = received.length;
    await call('lookups.status', {
      environment: 'data/staging',
      product: 'payout',
      by: 'payment_uuid',
      value: '1',
    }).catch(() => undefined);
    expect(received.length).toBeGreaterThan(before);
    const { exchanges } = await call('history.list', {});
    const lookups = exchanges.filter(({ identity }) => identity === null);
    for (const { title } of lookups) expect(title).toBe('Status query');
    const identity = { collectionId: ids.one, path: 'Status query.http', block: '' };
    expect((await call('history.list', { identity })).exchanges).toHaveLength(1);
  });
});

describe('what is bound to staging of one collection', () => {
  const body =
    '{"transaction":{"reference":"R","amount":1,"service_code":"S"},"originator":{"country":"KE"}}';

  it('is no key of another’s staging, nor of the data directory’s', async () => {
    const key = await call('keys.generate', { name: 'One', environment: `${ids.one}/staging` });
    expect((await call('signing.sign', { environment: `${ids.one}/staging`, body })).keyId).toBe(key.id);
    for (const environment of [`${ids.two}/staging`, 'data/staging']) {
      await expect(call('signing.sign', { environment, body })).rejects.toMatchObject({
        code: 'keys.none_for_environment',
      });
      const chosen = { environment, body, keyId: key.id };
      await expect(call('signing.sign', chosen)).rejects.toMatchObject({ code: 'keys.wrong_environment' });
      const typed = { ...chosen, overrideConfirmation: 'staging' };
      expect((await call('signing.sign', typed)).keyId).toBe(key.id);
    }
  });

  it('is called in messages what the screen calls it, the embedded sandbox, too', async () => {
    const { environments } = await call('environments.list', {});
    const labelOf = (id: string): string => environments.find((one) => one.id === id)!.label;
    const { id: keyId } = await call('keys.generate', { name: 'Two', environment: `${ids.one}/staging` });
    for (const environment of ['local', `${ids.two}/staging`]) {
      const label = labelOf(environment);
      expect(['local', 'staging']).not.toContain(label);
      const refusal = call('signing.sign', { environment, body, keyId, overrideConfirmation: 'no' });
      await expect(refusal).rejects.toMatchObject({
        message:
          `'Two' belongs to '${labelOf(`${ids.one}/staging`)}' and is not used in '${label}'. ` +
          `Choose a key of '${label}', or type its name to sign with this one all the same.`,
      });
      const asShown = { environment, body, keyId, overrideConfirmation: label };
      expect((await call('signing.sign', asShown)).keyId).toBe(keyId);
    }
    await expect(
      call('tokens.fetch', { environment: `${ids.two}/staging`, product: 'payout' }),
    ).rejects.toMatchObject({
      message: expect.stringContaining(`saved for '${labelOf(`${ids.two}/staging`)}'`) as string,
    });
    await call('keys.delete', { id: keyId });
  });

  it('are no credentials of another’s staging: nothing is sent', async () => {
    await call('credentials.save', {
      environment: `${ids.one}/staging`,
      consumerKey: 'key of one',
      consumerSecret: 'secret of one',
    });
    received = [];
    const environment = `${ids.two}/staging`;
    await expect(call('tokens.fetch', { environment, product: 'payout' })).rejects.toMatchObject({
      code: 'tokens.no_credentials',
    });
    expect(received).toEqual([]);
    const { environments } = await call('environments.list', {});
    const saved = environments.filter(({ hasCredentials }) => hasCredentials).map(({ id }) => id);
    expect(saved.toSorted()).toEqual([`${ids.one}/staging`, 'data/staging'].toSorted());
  });

  it('waits for its return where the collection is closed', async () => {
    await call('collections.close', { collectionId: ids.one });
    await expect(
      call('signing.sign', { environment: `${ids.one}/staging`, body }).then(() =>
        call('tokens.fetch', { environment: `${ids.one}/staging`, product: 'payout' }),
      ),
    ).rejects.toMatchObject({ code: 'environments.unknown' });
    await call('collections.open', { directory: join(folder, 'one') });
    const { environments } = await call('environments.list', {});
    expect(environments.find(({ id }) => id === `${ids.one}/staging`)?.hasCredentials).toBe(true);
  });
});
