import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { createEnvironmentsService, type EnvironmentsService } from './create-environments-service';
import { makeTemporaryFolder } from '../../../test/support/temporary';

let service: EnvironmentsService;
let directory: string;
let changes: number;
let renames: [string, string][];
const values = new Map<string, unknown>();

function start(): EnvironmentsService {
  const events = createEventBus();
  events.subscribe('environments.changed', () => changes++);
  return createEnvironmentsService({
    settings: {
      get: (key) => structuredClone(values.get(key)),
      set: (key, value) => values.set(key, value),
      notice: null,
    },
    events,
    collectionDirectory: () => directory,
    vaultFacts: (name) => Promise.resolve({ keyId: name === 'local' ? 'k1' : null, hasCredentials: false }),
    onRename: async (from, to) => void renames.push([from, to]),
  });
}

const save = (input: Partial<Parameters<EnvironmentsService['handlers']['environments.save']>[0]>) =>
  service.handlers['environments.save']({
    name: 'uat',
    kind: 'sandbox',
    baseUrl: 'https://uat.example',
    variables: {},
    ...input,
  });

beforeEach(() => {
  values.clear();
  changes = 0;
  renames = [];
  directory = makeTemporaryFolder('environments');
  service = start();
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
    service.rememberReference('uat', 'R-1');
    await save({ variables: { ...service.get('uat').variables, tenant: 't2' } });
    service.setLocalAddresses({ callbackUrl: 'http://127.0.0.1:4021/hook' });
    service.rememberReference('uat', 'R-2');
    expect(service.get('uat').variables).toMatchObject({
      tenant: 't2',
      callback_url: 'http://127.0.0.1:4021/hook',
      last_reference: 'R-2',
    });
  });

  it('are saved, selected, renamed and deleted, over restarts', async () => {
    await save({ variables: { base_url: 'x', tenant: 't' } });
    await service.handlers['environments.select']({ name: 'uat' });
    service.rememberReference('uat', 'R-1');
    await save({
      previousName: 'uat',
      name: 'uat 2',
      variables: { tenant: 't', callback_url: 'https://me.example' },
    });
    expect(renames).toEqual([['uat', 'uat 2']]);
    service = start();
    expect(service.active()).toMatchObject({
      name: 'uat 2',
      baseUrl: 'https://uat.example',
      variables: {
        tenant: 't',
        last_reference: 'R-1',
        callback_url: 'https://me.example',
        base_url: 'https://uat.example',
      },
    });
    await service.handlers['environments.delete']({ name: 'uat 2' });
    expect(service.active().name).toBe('local');
    expect(() => service.get('uat 2')).toThrow(expect.objectContaining({ code: 'environments.unknown' }));
  });

  it.each([
    [{ baseUrl: 'ftp://x' }, 'environments.bad_url'],
    [{ baseUrl: 'api.example.com' }, 'environments.bad_url'],
    [{ baseUrl: 'https://a:b@x' }, 'environments.bad_url'],
    [{ baseUrl: 'https://x?y=1' }, 'environments.bad_url'],
    [{ baseUrl: 'http://api.example', kind: 'production' as const }, 'environments.insecure'],
    [{ name: 'local' }, 'environments.reserved'],
    [{ name: '--env' }, 'environments.bad_name'],
    [{ name: 'a\u200bb' }, 'environments.bad_name'],
    [{ previousName: 'nope' }, 'environments.unknown'],
  ])('refuse %o', async (input, code) => {
    await expect(save(input)).rejects.toMatchObject({ code });
  });

  it('have unique names', async () => {
    await save({});
    await save({ name: 'b' });
    await expect(save({ previousName: 'b', name: 'uat' })).rejects.toMatchObject({
      code: 'environments.exists',
    });
    await expect(save({ baseUrl: 'https://other.example' })).resolves.toMatchObject({
      baseUrl: 'https://other.example',
    });
    expect(service.list()).toHaveLength(3);
  });

  it('warn of an address that is not encrypted, loopback apart', async () => {
    expect((await save({ baseUrl: 'http://api.example' })).warning).toContain('not encrypted');
    expect((await save({ baseUrl: 'http://localhost:9' })).warning).toBeNull();
  });

  it('come from the files of the collection too, literals and all, secrets apart', async () => {
    writeFileSync(
      join(directory, 'http-client.env.json'),
      '\uFEFF{ // team\n"$shared": {"tenant":"t"}, "dev": {"base_url":"https://dev.example/", "amount": 1000.00, "Security": {} }, "constructor": {} }',
    );
    writeFileSync(
      join(directory, 'http-client.private.env.json'),
      '{"dev":{"user":"amina","consumer_secret":"s3cret"}}',
    );
    expect(service.get('dev').variables).toEqual({
      base_url: 'https://dev.example',
      callback_url: '',
      tenant: 't',
      amount: '1000.00',
      user: 'amina',
    });
    expect(service.get('constructor').kind).toBe('sandbox');
    await save({ name: 'dev', kind: 'production', baseUrl: 'https://dev.example' });
    expect(service.get('dev').kind).toBe('production');
    await expect(save({ name: 'dev', baseUrl: 'https://else.example' })).rejects.toMatchObject({
      code: 'environments.from_collection',
    });
  });

  it('name the line of a fault in an environment file and leave it', async () => {
    writeFileSync(join(directory, 'http-client.env.json'), '{\n"dev": {\n');
    const { environments, faults } = await service.handlers['environments.list']({});
    expect(environments).toHaveLength(1);
    expect(faults?.[0]).toMatchObject({ file: 'http-client.env.json', line: 3 });
  });

  it('take an address for one run, without storing it', () => {
    service.addTemporary({ name: 'command line', baseUrl: 'http://127.0.0.1:1/' });
    expect(service.get('command line').variables['base_url']).toBe('http://127.0.0.1:1');
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
