import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenCollection } from '@shared/contract/collections';
import { contract } from '@shared/contract/contract';
import { createEventBus } from '../../platform/event-bus';
import { createEnvironmentsService, type EnvironmentsService } from './create-environments-service';
import type { SealedVariables } from './secret-variables';
import { makeTemporaryFolder } from '../../../test/support/temporary';

let service: EnvironmentsService;
let directory: string;
let collections: OpenCollection[];
/** Environments that the vault has something for. */
let held: Set<string>;
let changes: number;
let renames: [string, string][];
const values = new Map<string, unknown>();
/** What the vault keeps, by environment and name. */
const sealed = new Map<string, string>();
/** Whether the process ends where it would write next. */
let isKilled: boolean;
const vault: SealedVariables = {
  read: (id, name) => Promise.resolve(sealed.get(`${id} ${name}`) ?? null),
  keep(id, secrets) {
    for (const [name, value] of secrets) sealed.set(`${id} ${name}`, value);
    return Promise.resolve();
  },
  keepOnly(id, names) {
    for (const key of sealed.keys())
      if (key.startsWith(`${id} `) && !names.some((name) => key === `${id} ${name}`)) sealed.delete(key);
    return Promise.resolve();
  },
};

function start(): EnvironmentsService {
  const events = createEventBus();
  events.subscribe('environments.changed', () => changes++);
  return createEnvironmentsService({
    settings: {
      get: (key) => structuredClone(values.get(key)),
      set: (key, value) => {
        if (isKilled) throw new Error('killed');
        values.set(key, value);
      },
      notice: null,
    },
    events,
    collections: () => collections,
    vaultFacts: (id) =>
      Promise.resolve({
        keyId: id === 'local' ? 'k1' : null,
        hasCredentials: false,
        holdsSecrets: held.has(id),
        sealedParts: [],
      }),
    sealedVariables: () => Promise.resolve(vault),
    sealedParts: () => Promise.resolve(vault),
    onRename: async (from, to) => {
      if (isKilled) throw new Error('killed');
      renames.push([from, to]);
    },
  });
}

const save = (input: Partial<Parameters<EnvironmentsService['handlers']['environments.save']>[0]>) =>
  service.handlers['environments.save']({
    name: 'uat',
    kind: 'sandbox',
    baseUrl: 'https://uat.example',
    variables: {},
    inClear: [],
    ...input,
  });

beforeEach(() => {
  sealed.clear();
  isKilled = false;
  values.clear();
  changes = 0;
  renames = [];
  held = new Set();
  directory = makeTemporaryFolder('environments');
  collections = [{ id: 'c1', name: 'Payments API', directory }];
  service = start();
});

describe('a process that is killed between vault and settings', () => {
  const former = {
    version: 2,
    data: [
      { name: 'uat', kind: 'sandbox', baseUrl: 'https://uat.example', variables: { password: 'p4ssw0rd' } },
    ],
    bindings: { 'data/uat': 'https://uat.example' },
  };

  it('has lost no secret: the next one finds it and goes on', async () => {
    values.set('environments', former);
    held.add('data/uat');
    isKilled = true;
    await expect(start().handlers['environments.list']({})).rejects.toThrow('killed');
    expect(values.get('environments')).toBe(former);
    isKilled = false;
    service = start();
    const { environments } = await service.handlers['environments.list']({});
    expect(environments[1]!.variables['password']).toBe('{{vault.password}}');
    expect(JSON.stringify(values.get('environments'))).not.toContain('p4ssw0rd');
    expect(await service.readSecret('data/uat', 'password')).toBe('p4ssw0rd');
  });

  it('has lost nothing of a rename: the vault follows with the next call', async () => {
    await save({});
    const { set } = Map.prototype;
    // The settings have the new name; the process ends before the vault does.
    values.set = (key, value) => {
      set.call(values, key, value);
      isKilled = true;
      return values;
    };
    await expect(save({ id: 'data/uat', name: 'live' })).rejects.toThrow('killed');
    values.set = set.bind(values) as typeof values.set;
    isKilled = false;
    service = start();
    await service.handlers['environments.list']({});
    await service.handlers['environments.list']({});
    expect(renames).toEqual([['data/uat', 'data/live']]);
  });
});

describe("a collection's own local", () => {
  beforeEach(() =>
    writeFileSync(join(directory, 'http-client.env.json'), '{"local":{"base_url":"http://localhost:9"}}'),
  );

  it('can be chosen, is what its name means, and is told from the embedded sandbox', async () => {
    const { id } = service.getNamed('local');
    expect(id).toBe('c1/local');
    const chosen = await service.handlers['environments.select']({ id });
    expect(chosen).toMatchObject({
      baseUrl: 'http://localhost:9',
      label: 'local · Payments API',
      isActive: true,
      warning: expect.stringContaining('not the embedded sandbox') as string,
    });
    expect(service.active().id).toBe('c1/local');
  });

  it('leaves the embedded sandbox where it was, with its key', async () => {
    service.setLocalAddresses({ baseUrl: 'http://127.0.0.1:4010' });
    expect(await service.describe('local')).toMatchObject({
      label: 'Local sandbox',
      baseUrl: 'http://127.0.0.1:4010',
      keyId: 'k1',
      warning: null,
    });
    expect(await service.describe('c1/local')).toMatchObject({ keyId: null, isActive: false });
  });
});

describe('environments', () => {
  it('begin with the local sandbox, whose address follows the sandbox', async () => {
    service.setLocalAddresses({ baseUrl: 'http://127.0.0.1:4010/' });
    service.setLocalAddresses({ callbackUrl: 'http://127.0.0.1:4020/hook' });
    expect(service.active()).toMatchObject({
      name: 'local',
      kind: 'local',
      variables: { base_url: 'http://127.0.0.1:4010', callback_url: 'http://127.0.0.1:4020/hook' },
    });
    expect(await service.describe('local')).toMatchObject({ keyId: 'k1', isActive: true, warning: null });
    service.setLocalAddresses({ baseUrl: 'http://127.0.0.1:4010' });
    expect(changes).toBe(2);
  });

  it('saved as they are shown, still follow the listener and the last reference', async () => {
    service.setLocalAddresses({ callbackUrl: 'http://127.0.0.1:4020/hook' });
    await save({ variables: { tenant: 't' } });
    service.rememberReference('data/uat', 'payout', 'R-1');
    await save({ id: 'data/uat', variables: { ...service.get('data/uat').variables, tenant: 't2' } });
    service.setLocalAddresses({ callbackUrl: 'http://127.0.0.1:4021/hook' });
    service.rememberReference('data/uat', 'payout', 'R-2');
    expect(service.get('data/uat').variables).toMatchObject({
      tenant: 't2',
      callback_url: 'http://127.0.0.1:4021/hook',
      last_reference: 'R-2',
    });
  });

  it('are saved, selected, renamed and deleted, over restarts', async () => {
    await save({ variables: { base_url: 'x', tenant: 't' } });
    await service.handlers['environments.select']({ id: 'data/uat' });
    service.rememberReference('data/uat', 'collection', 'C-1');
    service.rememberReference('data/uat', 'payout', 'R-1');
    await save({
      id: 'data/uat',
      name: 'uat 2',
      variables: { tenant: 't', callback_url: 'https://me.example' },
    });
    expect(renames).toEqual([['data/uat', 'data/uat 2']]);
    service = start();
    expect(service.active()).toMatchObject({
      name: 'uat 2',
      lastReferences: { collection: 'C-1', payout: 'R-1' },
      baseUrl: 'https://uat.example',
      variables: {
        tenant: 't',
        last_reference: 'R-1',
        callback_url: 'https://me.example',
        base_url: 'https://uat.example',
      },
    });
    await service.handlers['environments.delete']({ id: 'data/uat 2' });
    expect(service.active().name).toBe('local');
    expect(() => service.get('data/uat 2')).toThrow(
      expect.objectContaining({ code: 'environments.unknown' }),
    );
  });

  it.each([
    [{ baseUrl: 'ftp://x' }, 'environments.bad_url'],
    [{ baseUrl: 'file:///etc' }, 'environments.bad_url'],
    [{ baseUrl: 'data:text/plain,x' }, 'environments.bad_url'],
    [{ baseUrl: 'api.example.com' }, 'environments.bad_url'],
    [{ baseUrl: 'https://a:b@x' }, 'environments.bad_url'],
    [{ baseUrl: 'https://x?y=1' }, 'environments.bad_url'],
    [{ baseUrl: 'http://api.example', kind: 'production' as const }, 'environments.insecure'],
    [{ name: 'local' }, 'environments.reserved'],
    [{ name: '--env' }, 'environments.bad_name'],
    [{ name: 'a\u200bb' }, 'environments.bad_name'],
    [{ name: 'n'.repeat(81) }, 'environments.bad_name'],
    [{ id: 'data/nope' }, 'environments.unknown'],
  ])('refuse %o', async (input, code) => {
    await expect(save(input)).rejects.toMatchObject({ code });
  });

  it('have unique names', async () => {
    await save({});
    await save({ name: 'b' });
    await expect(save({ id: 'data/b', name: 'uat' })).rejects.toMatchObject({
      code: 'environments.exists',
    });
    await expect(save({})).rejects.toMatchObject({ code: 'environments.exists' });
    await expect(save({ id: 'data/uat', baseUrl: 'https://other.example' })).resolves.toMatchObject({
      baseUrl: 'https://other.example',
    });
    expect(service.list()).toHaveLength(3);
  });

  it('warn of an address that is not encrypted, loopback apart', async () => {
    expect((await save({ baseUrl: 'http://api.example' })).warning).toContain('not encrypted');
    expect((await save({ id: 'data/uat', baseUrl: 'http://localhost:9' })).warning).toBeNull();
  });

  it('come from the files of the collection too, literals and all, secrets apart', async () => {
    writeFileSync(
      join(directory, 'http-client.env.json'),
      '\uFEFF{ // team\n"$shared": {"tenant":"t"}, "dev": {"base_url":"https://dev.example/", "amount": 1000.00, "Security": {} }, "constructor": {} }',
    );
    writeFileSync(
      join(directory, 'http-client.private.env.json'),
      '{"dev":{"user":"amina",\n"consumer_secret":"s3cret","pin_token":""}}',
    );
    expect(service.get('c1/dev').variables).toEqual({
      base_url: 'https://dev.example',
      tenant: 't',
      amount: '1000.00',
      user: 'amina',
    });
    // Who has it in that file is told why the request lacks it.
    expect((await service.handlers['environments.list']({})).faults).toEqual([
      expect.objectContaining({
        file: 'http-client.private.env.json',
        line: 2,
        message: expect.stringContaining(
          "consumer_secret of 'dev'. Keep credentials in Keys and tokens",
        ) as string,
      }),
    ]);
    expect(service.get('c1/constructor').kind).toBe('sandbox');
    await save({ id: 'c1/dev', name: 'dev', kind: 'production', baseUrl: 'https://dev.example' });
    expect(service.get('c1/dev').kind).toBe('production');
    await expect(save({ id: 'c1/dev', name: 'dev', baseUrl: 'https://else.example' })).rejects.toMatchObject({
      code: 'environments.from_collection',
    });
  });

  it('name the line of a fault in an environment file and leave it', async () => {
    writeFileSync(join(directory, 'http-client.env.json'), '{\n"dev": {\n');
    const { environments, faults } = await service.handlers['environments.list']({});
    expect(environments).toHaveLength(1);
    expect(faults?.[0]).toMatchObject({ collectionId: 'c1', file: 'http-client.env.json', line: 3 });
  });

  it('leave out a name that is longer than anybody could choose, and say so with its line; all others can be chosen', async () => {
    const longest = 'n'.repeat(4900);
    const content = { dev: {}, [`${longest}n`]: { base_url: 'http://localhost:9' }, [longest]: {} };
    writeFileSync(join(directory, 'http-client.env.json'), JSON.stringify(content, null, 1));
    const { environments, faults } = await service.handlers['environments.list']({});
    expect(environments.map(({ name }) => name)).toEqual(['local', 'dev', longest]);
    expect(faults?.map(({ line, message }) => [line, message.length < 400, message])).toEqual([
      [3, true, expect.stringMatching(/^http-client\.env\.json .* 4901 letters in line 3 .*at most 4900/)],
    ]);
    const shared = environments.at(-1)!;
    for (const [id, input] of [
      ['environments.select', { id: shared.id }],
      ['environments.save', { ...shared, kind: 'production' }],
    ] as const) {
      expect(contract[id].input.safeParse(input).success, id).toBe(true);
    }
    await save({ ...shared, kind: 'production' });
    expect(service.get(shared.id).kind).toBe('production');
  });

  it('take an address for one run, without storing it', () => {
    service.addTemporary({ name: 'command line', baseUrl: 'http://127.0.0.1:1/' });
    expect(service.get('run/command line').variables['base_url']).toBe('http://127.0.0.1:1');
    expect(values.size).toBe(0);
  });

  it('pass over settings that hold something else', () => {
    for (const value of [
      1,
      null,
      [],
      { data: {}, active: 3, kinds: [], lastReferences: 'x' },
      { data: [1, {}, null] },
    ]) {
      values.set('environments', value);
      expect(start().active().name).toBe('local');
    }
  });
});

describe('environments of one name', () => {
  const writeShared = (folder: string, content: unknown): void =>
    writeFileSync(join(folder, 'http-client.env.json'), JSON.stringify(content));
  let other: string;
  beforeEach(() => {
    other = makeTemporaryFolder('environments');
    collections.push({ id: 'c2', name: 'Shop', directory: other });
    writeShared(directory, { staging: { base_url: 'https://one.example' } });
    writeShared(other, { staging: { base_url: 'https://two.example' } });
  });

  it('are apart where their sources are, and say which is which', async () => {
    await save({ name: 'staging', baseUrl: 'https://mine.example' });
    const { environments } = await service.handlers['environments.list']({});
    expect(environments.map(({ id, label, baseUrl }) => [id, label, baseUrl])).toEqual([
      ['local', 'Local sandbox', ''],
      ['data/staging', 'staging', 'https://mine.example'],
      ['c1/staging', 'staging · Payments API', 'https://one.example'],
      ['c2/staging', 'staging · Shop', 'https://two.example'],
    ]);
  });

  it('are found by name in the data directory first, then in a collection, then in the app', async () => {
    expect(service.getNamed('staging').id).toBe('c1/staging');
    await save({ name: 'staging', baseUrl: 'https://mine.example' });
    expect(service.getNamed('staging').id).toBe('data/staging');
    expect(service.getNamed('local').id).toBe('local');
    expect(() => service.getNamed('nope')).toThrow(expect.objectContaining({ code: 'environments.unknown' }));
  });

  it('keep kind, last reference and choice each to itself', async () => {
    await save({ id: 'c2/staging', name: 'staging', kind: 'production', baseUrl: 'https://two.example' });
    service.rememberReference('c2/staging', 'payout', 'R-2');
    await service.handlers['environments.select']({ id: 'c2/staging' });
    expect(service.get('c1/staging')).toMatchObject({ kind: 'sandbox' });
    expect(service.get('c1/staging').variables).not.toHaveProperty('last_reference');
    service = start();
    expect(service.active()).toMatchObject({
      id: 'c2/staging',
      kind: 'production',
      variables: { last_reference: 'R-2' },
    });
  });

  it('kept by name by an earlier version, mean what they meant then', () => {
    const former = {
      active: 'staging',
      data: [{ name: 'uat', kind: 'sandbox', baseUrl: 'https://uat.example', variables: {} }],
      kinds: { staging: 'production', uat: 'production' },
      lastReferences: { uat: 'R-1', staging: 'R-2', local: 'R-3', gone: 'R-4' },
    };
    writeShared(directory, { staging: {}, uat: {} });
    values.set('environments', former);
    const backups: unknown[] = [];
    service = createEnvironmentsService({
      settings: {
        get: (key) => structuredClone(values.get(key)),
        set: (key, value) => values.set(key, value),
        backUp: (label) => backups.push([label, structuredClone(values.get('environments'))]),
      },
      events: createEventBus(),
      collections: () => collections,
      vaultFacts: () =>
        Promise.resolve({ keyId: null, hasCredentials: false, holdsSecrets: false, sealedParts: [] }),
      sealedVariables: () => Promise.resolve(vault),
      sealedParts: () => Promise.resolve(vault),
    });
    expect(service.active().id).toBe('c1/staging');
    expect(service.get('data/uat').kind).toBe('sandbox');
    expect(backups).toEqual([['environments-by-name', former]]);
    expect(values.get('environments')).toMatchObject({
      version: 2,
      active: 'c1/staging',
      kinds: { 'c1/staging': 'production', 'c1/uat': 'production' },
      lastReferences: { 'data/uat': 'R-1', 'c1/staging': 'R-2', local: 'R-3', 'data/gone': 'R-4' },
    });
    expect(['local', 'uat', 'staging', 'gone'].map((name) => service.identifyFormer(name))).toEqual([
      'local',
      'data/uat',
      'c1/staging',
      'data/gone',
    ]);
  });
});

describe('an environment whose secrets are for another address', () => {
  const write = (base_url: string): void =>
    writeFileSync(join(directory, 'http-client.env.json'), JSON.stringify({ shop: { base_url } }));
  const refusal = (from: string | null, to: string) => ({
    code: 'environments.address_changed',
    details: { name: 'shop', from, to },
    message: expect.stringContaining(to),
  });
  beforeEach(() => {
    write('https://shop.example/v1');
    held.add('c1/shop');
    service.bind('c1/shop');
  });

  it.each([
    ['another host', 'https://evil.example'],
    ['http in place of https', 'http://shop.example'],
    ['another port', 'https://shop.example:8443'],
    ['no address', ''],
  ])('is refused: %s', async (_what, baseUrl) => {
    await expect(service.requireBound('c1/shop')).resolves.toMatchObject({
      baseUrl: 'https://shop.example/v1',
    });
    write(baseUrl);
    const to = baseUrl === '' ? '' : new URL(baseUrl).origin;
    await expect(service.requireBound('c1/shop')).rejects.toMatchObject(refusal('https://shop.example', to));
    expect((await service.describe('c1/shop')).addressChange).toEqual({ from: 'https://shop.example', to });
    write('https://shop.example/v2');
    await expect(service.requireBound('c1/shop')).resolves.toMatchObject({ name: 'shop' });
  });

  it('is sent to again once the user has bound them to the address that was shown, and no other', async () => {
    write('https://evil.example');
    const bind = (address: string) =>
      service.handlers['environments.bindAddress']({ id: 'c1/shop', address });
    write('https://eviler.example');
    await expect(bind('https://evil.example')).rejects.toMatchObject(
      refusal('https://shop.example', 'https://eviler.example'),
    );
    expect(await bind('https://eviler.example')).toMatchObject({ addressChange: null });
    await expect(service.requireBound('c1/shop')).resolves.toMatchObject({
      baseUrl: 'https://eviler.example',
    });
  });

  it('needs its name typed where it is production', async () => {
    await save({ id: 'c1/shop', name: 'shop', kind: 'production', baseUrl: 'https://shop.example/v1' });
    write('https://evil.example');
    const bind = (confirmation?: string) =>
      service.handlers['environments.bindAddress']({
        id: 'c1/shop',
        address: 'https://evil.example',
        ...(confirmation === undefined ? {} : { confirmation }),
      });
    await expect(bind()).rejects.toMatchObject({ code: 'environments.not_confirmed' });
    await expect(bind('Shop')).rejects.toMatchObject({ code: 'environments.not_confirmed' });
    expect(await bind('shop')).toMatchObject({ addressChange: null });
  });

  it('needs its name typed where nothing is known of the address that they were for, as after a restore', async () => {
    await save({ name: 'restored', kind: 'sandbox', baseUrl: 'https://live.example' });
    held.add('data/restored');
    const bind = (confirmation: string) =>
      service.handlers['environments.bindAddress']({
        id: 'data/restored',
        address: 'https://live.example',
        confirmation,
      });
    await expect(bind('')).rejects.toMatchObject({
      code: 'environments.not_confirmed',
      message: expect.stringContaining("'restored' is bound to no address here") as string,
    });
    expect(await bind('restored')).toMatchObject({ addressChange: null });
  });

  it('is refused over http where it is production, whoever defines it', async () => {
    await save({ id: 'c1/shop', name: 'shop', kind: 'production', baseUrl: 'https://shop.example/v1' });
    write('http://shop.example');
    await expect(service.requireBound('c1/shop')).rejects.toMatchObject({ code: 'environments.insecure' });
    held.clear();
    await expect(service.requireBound('c1/shop')).rejects.toMatchObject({ code: 'environments.insecure' });
    const bind = service.handlers['environments.bindAddress'];
    await expect(
      bind({ id: 'c1/shop', address: 'http://shop.example', confirmation: 'shop' }),
    ).rejects.toMatchObject({ code: 'environments.insecure' });
  });

  it('of the data directory asks as well, through deletion and renaming', async () => {
    await save({ name: 'uat', baseUrl: 'https://uat.example' });
    held.add('data/uat');
    service.bind('data/uat');
    await save({ id: 'data/uat', name: 'uat', baseUrl: 'https://other.example' });
    await expect(service.requireBound('data/uat')).rejects.toMatchObject({
      details: { from: 'https://uat.example', to: 'https://other.example' },
    });
    await service.handlers['environments.delete']({ id: 'data/uat' });
    await save({ name: 'uat', baseUrl: 'https://third.example' });
    await expect(service.requireBound('data/uat')).rejects.toMatchObject({
      details: { from: 'https://uat.example', to: 'https://third.example' },
    });
    held.add('data/uat 2');
    await save({ id: 'data/uat', name: 'uat 2', baseUrl: 'https://uat.example' });
    await expect(service.requireBound('data/uat 2')).resolves.toMatchObject({ name: 'uat 2' });
  });

  it('from before addresses were bound: the user’s own are taken, a collection’s are asked about', async () => {
    values.set('environments', {
      data: [{ name: 'uat', kind: 'sandbox', baseUrl: 'https://uat.example/', variables: {} }],
    });
    service = start();
    held.add('data/uat');
    await expect(service.requireBound('data/uat')).resolves.toMatchObject({ name: 'uat' });
    await expect(service.requireBound('c1/shop')).rejects.toMatchObject(
      refusal(null, 'https://shop.example'),
    );
  });
});
