import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { createCollectionRegistry } from './collection-registry';
import { createCollectionsService, type CollectionsService } from './create-collections-service';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { loadRequests } from '../running/load-requests';

let data: string;
let service: CollectionsService;
let changes: string[][];
let onChange: () => void;
const values = new Map<string, unknown>();

function start(starter?: string | null): CollectionsService {
  const events = createEventBus();
  events.subscribe('collections.changed', ({ paths }) => {
    changes.push(paths);
    onChange();
  });
  return createCollectionsService({
    dataDirectory: data,
    settings: { get: (key) => values.get(key), set: (key, value) => values.set(key, value), notice: null },
    events,
    clock: systemClock,
    random: systemRandom,
    version: '0',
    starter,
  });
}

/** Calls a method for the collection that is active. */
const call = <M extends keyof CollectionsService['handlers']>(
  method: M,
  input: Omit<Parameters<CollectionsService['handlers'][M]>[0], 'collectionId'>,
) =>
  Promise.resolve().then(() =>
    service.handlers[method]({ collectionId: service.active()?.id, ...input } as never),
  ) as Promise<Awaited<ReturnType<CollectionsService['handlers'][M]>>>;
const at = (...path: string[]) => join(service.active()!.directory, ...path);
const paths = async () => (await call('collections.tree', {})).nodes.map(({ path }) => path);

beforeEach(() => {
  values.clear();
  changes = [];
  onChange = () => undefined;
  data = makeTemporaryFolder('collections');
  service = start(null);
});
afterEach(() => {
  service.close();
});

describe('the starter', () => {
  it('is copied on the first start and never touched again', async () => {
    service.close();
    rmSync(join(data, 'collections'), { recursive: true });
    service = start();
    const tree = await call('collections.tree', {});
    expect(tree.name).toBe('Payments API');
    expect(tree.nodes.filter(({ kind }) => kind === 'folder').map(({ name }) => name)).toEqual([
      'Remittances',
      'Payouts',
      'Collections',
      'Lookups',
      'Webhooks',
    ]);
    expect(tree.nodes.every(({ fault }) => fault === null)).toBe(true);
    rmSync(at('Webhooks'), { recursive: true });
    service.close();
    service = start();
    expect(existsSync(at('Webhooks'))).toBe(false);
  });
});

describe('the tree', () => {
  it('shows folders first, names naturally ordered, operations and counts', async () => {
    mkdirSync(at('b', 'deep'), { recursive: true });
    writeFileSync(at('b', 'deep', 'x.http'), '# @name Pay all\nPOST {{base_url}}/payments/v1/payouts\n');
    writeFileSync(at('r10.http'), 'GET http://x');
    writeFileSync(at('r9.http'), 'GET http://x\n###\nGET http://y');
    writeFileSync(at('notes.txt'), 'no request');
    mkdirSync(at('.git'));
    expect((await call('collections.tree', {})).nodes).toEqual([
      {
        path: 'b',
        name: 'b',
        kind: 'folder',
        depth: 0,
        method: null,
        operation: null,
        fault: null,
        requestCount: 1,
      },
      {
        path: 'b/deep',
        name: 'deep',
        kind: 'folder',
        depth: 1,
        method: null,
        operation: null,
        fault: null,
        requestCount: 1,
      },
      {
        path: 'b/deep/x.http',
        name: 'Pay all',
        kind: 'request',
        depth: 2,
        method: 'POST',
        operation: 'payout',
        fault: null,
        requestCount: 1,
      },
      {
        path: 'r9.http',
        name: 'r9',
        kind: 'request',
        depth: 0,
        method: 'GET',
        operation: 'other',
        fault: null,
        requestCount: 2,
      },
      {
        path: 'r10.http',
        name: 'r10',
        kind: 'request',
        depth: 0,
        method: 'GET',
        operation: 'other',
        fault: null,
        requestCount: 1,
      },
    ]);
  });

  it('goes by the name without its ending, and a run takes the same order', async () => {
    for (const name of ['Payout wrong.http', 'Payout.http', 'Payout-2.rest', 'payout 10.http', 'v1.2.http'])
      writeFileSync(at(name), 'GET http://x');
    const names = (await call('collections.tree', {})).nodes.map(({ path }) => path);
    expect(names).toEqual([
      'Payout.http',
      'payout 10.http',
      'Payout wrong.http',
      'Payout-2.rest',
      'v1.2.http',
    ]);
    const { requests } = await loadRequests([at()], { base: at(), identify: () => null });
    expect(requests.map(({ file }) => file)).toEqual(names);
  });

  it('takes the order of collection.json, the rest by name, and a renamed folder along, and says where the file cannot be read', async () => {
    for (const folder of ['Alpha', 'Beta', 'Gamma']) mkdirSync(at(folder));
    for (const name of ['one', 'two']) writeFileSync(at('Beta', `${name}.http`), 'GET http://x/\n');
    const order = '{ "order": ["Gamma", "Beta", "Beta/two.http"],\n  "mine": 1 }\n';
    writeFileSync(at('collection.json'), order);
    expect(await paths()).toEqual(['Gamma', 'Beta', 'Beta/two.http', 'Beta/one.http', 'Alpha']);
    await call('collections.rename', { path: 'Beta', name: 'Delta' });
    expect(await paths()).toEqual(['Gamma', 'Delta', 'Delta/two.http', 'Delta/one.http', 'Alpha']);
    expect(readFileSync(at('collection.json'), 'utf8')).toBe(order.replaceAll('Beta', 'Delta'));
    expect(await call('collections.tree', {})).toMatchObject({ orderFault: null });
    writeFileSync(at('collection.json'), '{\n  "order": [\n<<<<<<< HEAD\n');
    expect(await paths()).toEqual(['Alpha', 'Delta', 'Delta/one.http', 'Delta/two.http', 'Gamma']);
    expect((await call('collections.tree', {})).orderFault).toMatch(/^line 3 is no JSON/);
  });

  it('keeps files that do not read visible, with the line', async () => {
    writeFileSync(at('bad.http'), '# fine\nthis is no request\n');
    writeFileSync(at('latin.http'), Buffer.from('GET http://x\nA: caf\xe9\n', 'latin1'));
    writeFileSync(at('empty.http'), '');
    symlinkSync('/etc/hostname', at('out.http'));
    symlinkSync(at('gone'), at('broken.http'));
    const { nodes } = await call('collections.tree', {});
    const lines = Object.fromEntries(nodes.map(({ path, fault }) => [path, fault?.line]));
    expect(lines).toEqual({
      'bad.http': 2,
      'latin.http': 2,
      'empty.http': 1,
      'out.http': 1,
      'broken.http': 1,
    });
  });

  it('reads again what changed and nothing else', async () => {
    writeFileSync(at('a.http'), 'GET http://x');
    await paths();
    writeFileSync(at('a.http'), 'PUT http://x');
    utimesSync(at('a.http'), new Date(), new Date(Date.now() + 5000));
    expect((await call('collections.tree', {})).nodes[0]?.method).toBe('PUT');
  });

  it('lists 3,000 requests; how fast is for the benchmark', async () => {
    const text = readFileSync(
      join(
        import.meta.dirname,
        '../../../resources/starter/Payments API/Remittances/Remittance to bank.http',
      ),
    );
    for (let folder = 0; folder < 30; folder++) {
      mkdirSync(at(`f${folder}`));
      for (let file = 0; file < 100; file++) writeFileSync(at(`f${folder}`, `${file}.http`), text);
    }
    expect(await paths()).toHaveLength(3030);
  });

  it('tells of changes made by others', async () => {
    writeFileSync(at('a.http'), 'GET http://x');
    await paths();
    const told = new Promise<void>((resolve) => (onChange = resolve));
    writeFileSync(at('b.http'), 'GET http://x');
    await told;
    expect(changes.flat()).toContain('b.http');
  });
});

describe('reading and writing', () => {
  it('keeps every byte: BOM, CRLF, no line end', async () => {
    const bytes = Buffer.from('\uFEFFPOST http://x\r\n\r\n{ "a": 1.00 }\r\n \t');
    writeFileSync(at('a.http'), bytes);
    const { text, version } = await call('collections.read', { path: 'a.http' });
    await call('collections.write', { path: 'a.http', text: text + '!', version });
    expect(readFileSync(at('a.http'))).toEqual(Buffer.concat([bytes, Buffer.from('!')]));
    expect(readdirSync(service.active()!.directory)).toEqual(['a.http', 'collection.json']);
  });

  it.skipIf(process.platform === 'win32').each([0o600, 0o640, 0o664, 0o777])(
    'leaves a file its permissions, whatever the umask: %i',
    async (mode) => {
      writeFileSync(at('a.http'), 'GET http://x');
      chmodSync(at('a.http'), mode);
      const { version } = await call('collections.read', { path: 'a.http' });
      await call('collections.write', { path: 'a.http', text: 'GET http://y', version });
      expect(statSync(at('a.http')).mode & 0o777).toBe(mode);
    },
  );

  it('refuses to replace what was changed or deleted meanwhile', async () => {
    writeFileSync(at('a.http'), 'GET http://x');
    const { version } = await call('collections.read', { path: 'a.http' });
    writeFileSync(at('a.http'), 'GET http://other');
    const write = () => call('collections.write', { path: 'a.http', text: 'GET http://mine', version });
    await expect(write()).rejects.toMatchObject({
      code: 'collections.conflict',
      details: { reason: 'changed' },
    });
    expect(readFileSync(at('a.http'), 'utf8')).toBe('GET http://other');
    rmSync(at('a.http'));
    await expect(write()).rejects.toMatchObject({
      code: 'collections.conflict',
      details: { reason: 'deleted' },
    });
    await call('collections.write', { path: 'a.http', text: 'GET http://mine', version: null });
    await expect(
      call('collections.write', { path: 'a.http', text: 'GET http://else', version: null }),
    ).rejects.toMatchObject({ details: { reason: 'exists' } });
  });

  it('never rewrites a file that is not UTF-8', async () => {
    const bytes = Buffer.from([0x47, 0xff, 0xfe]);
    writeFileSync(at('a.http'), bytes);
    await expect(call('collections.read', { path: 'a.http' })).rejects.toMatchObject({
      code: 'collections.not_utf8',
    });
    for (const version of [null, 'x']) {
      await expect(call('collections.write', { path: 'a.http', text: 'G', version })).rejects.toBeDefined();
    }
    expect(readFileSync(at('a.http'))).toEqual(bytes);
  });

  it.each([
    '../x.http',
    'a/../../x.http',
    '/etc/x.http',
    'a//b.http',
    '',
    '.',
    'a\0.http',
    '.hidden.http',
    'x.txt',
    `${'x'.repeat(260)}.http`,
    'link/x.http',
  ])('stays inside the collection: %j', async (path) => {
    symlinkSync(tmpdir(), at('link'));
    for (const method of [
      'collections.read',
      'collections.write',
      'collections.delete',
      'collections.rename',
    ] as const) {
      const input = { path, text: 'x', version: null, name: 'y' };
      await expect(call(method, input)).rejects.toMatchObject({
        code: expect.stringMatching(/^collections\.(bad_path|unknown)$/) as string,
      });
    }
    expect(existsSync(join(data, 'x.http'))).toBe(false);
  });

  it('refuses text that no file can keep', async () => {
    await expect(
      call('collections.write', { path: 'a.http', text: 'GET http://x/\ud800', version: null }),
    ).rejects.toMatchObject({ code: 'collections.bad_text' });
  });
});

describe('creating, renaming, deleting', () => {
  it('takes names in any script and refuses what another system cannot keep', async () => {
    for (const name of ['دفع الرواتب', '支払い 💸', 'e\u0301tude']) {
      const { path } = await call('collections.create', { folder: '', name, kind: 'request' });
      expect((await call('collections.read', { path })).text).toContain(`# @name ${name.normalize('NFC')}\n`);
    }
    for (const name of [
      'a/b',
      'a\\b',
      '..',
      '.x',
      'CON',
      'aux.http',
      'a\u0007',
      'x'.repeat(252),
      '  ',
      'a:b',
      'a?',
    ]) {
      await expect(
        call('collections.create', { folder: '', name, kind: 'request' }),
        name,
      ).rejects.toMatchObject({
        code: 'collections.bad_name',
      });
    }
    await expect(
      call('collections.create', { folder: '', name: 'Étude', kind: 'request' }),
    ).rejects.toMatchObject({
      code: 'collections.exists',
    });
  });

  it('gives a copy the name of its file, so that the tree tells it from its original', async () => {
    const text = '# @name Original\n# a remark\nGET http://x\n';
    const { path } = await call('collections.create', { folder: '', name: 'Copy', kind: 'request', text });
    expect((await call('collections.read', { path })).text).toBe(text.replace('Original', 'Copy'));
  });

  it('renames file and @name together, and only case', async () => {
    const { path } = await call('collections.create', { folder: '', name: 'Pay', kind: 'request' });
    expect(await call('collections.rename', { path, name: 'PAY' })).toEqual({ path: 'PAY.http' });
    expect((await call('collections.tree', {})).nodes[0]).toMatchObject({ path: 'PAY.http', name: 'PAY' });
    await call('collections.create', { folder: '', name: 'Other', kind: 'request' });
    await expect(call('collections.rename', { path: 'PAY.http', name: 'other' })).rejects.toMatchObject({
      code: 'collections.exists',
    });
    await call('collections.create', { folder: '', name: 'f', kind: 'folder' });
    await call('collections.create', { folder: 'f', name: 'in', kind: 'request', text: 'GET http://x' });
    expect(await call('collections.rename', { path: 'f', name: 'g' })).toEqual({ path: 'g' });
    expect(await paths()).toContain('g/in.http');
  });

  it('moves what is deleted to the trash of the data directory', async () => {
    await call('collections.create', { folder: '', name: 'f', kind: 'folder' });
    await call('collections.create', { folder: 'f', name: 'in', kind: 'request', text: 'GET http://x' });
    await call('collections.delete', { path: 'f' });
    expect(await paths()).toEqual([]);
    const [stamp = ''] = readdirSync(join(data, '.trash'));
    expect(readFileSync(join(data, '.trash', stamp, 'f', 'in.http'), 'utf8')).toBe('GET http://x');
  });
});

describe('opening another folder', () => {
  it('is remembered, and refused where there is none', async () => {
    const other = makeTemporaryFolder('other');
    writeFileSync(join(other, 'a.http'), 'GET http://x');
    await call('collections.open', { directory: other });
    service.close();
    service = start(null);
    expect(service.active()!.directory).toBe(other);
    expect(await paths()).toEqual(['a.http']);
    for (const directory of [join(other, 'nope'), join(other, 'a.http'), 'relative', '/a\0b']) {
      await expect(call('collections.open', { directory })).rejects.toMatchObject({
        code: expect.stringMatching(/^collections\./) as string,
      });
    }
    rmSync(other, { recursive: true });
    await expect(call('collections.tree', {})).rejects.toMatchObject({ code: 'collections.missing' });
  });
});

describe.skipIf(process.platform === 'win32')('a pipe with the name of a request', () => {
  it('is refused at once, where reading it would wait for ever', async () => {
    execFileSync('mkfifo', [at('pipe.http')]);
    await expect(call('collections.read', { path: 'pipe.http' })).rejects.toMatchObject({
      code: 'collections.unreadable',
    });
    await expect(
      call('collections.write', { path: 'pipe.http', text: 'x', version: null }),
    ).rejects.toMatchObject({ code: 'collections.unreadable' });
  });
});

describe('several collections', () => {
  let other: string;
  beforeEach(() => (other = makeTemporaryFolder('collections-other')));
  afterEach(() => rmSync(other, { recursive: true, force: true }));
  const handlers = () => service.handlers;

  it('are open at once, and each keeps to its own folder', async () => {
    const first = service.active()!;
    const second = await handlers()['collections.open']({ directory: other });
    expect(await handlers()['collections.list']({})).toEqual({
      collections: [first, second],
      activeId: second.id,
      heldBack: [],
      recent: [],
      notes: [],
    });
    for (const { id } of [first, second]) {
      await handlers()['collections.create']({
        collectionId: id,
        folder: '',
        name: 'Same name',
        kind: 'request',
        text: `GET http://${id}/\n`,
      });
    }
    for (const { id } of [first, second]) {
      const read = await handlers()['collections.read']({ collectionId: id, path: 'Same name.http' });
      expect(read.text).toContain(id);
      const tree = await handlers()['collections.tree']({ collectionId: id });
      expect(tree.nodes.map(({ path }) => path)).toEqual(['Same name.http']);
    }
  });

  it('get their id again when they are reopened, after a restart and by a link too', async () => {
    const { id } = await handlers()['collections.open']({ directory: other });
    await handlers()['collections.close']({ collectionId: id });
    expect(service.list().map((one) => one.id)).not.toContain(id);
    expect(() => handlers()['collections.read']({ collectionId: id, path: 'a.http' })).toThrow(
      expect.objectContaining({ code: 'collections.not_open' }) as Error,
    );
    service.close();
    service = start(null);
    const link = join(data, 'link');
    symlinkSync(other, link);
    expect((await handlers()['collections.open']({ directory: link })).id).toBe(id);
  });

  it('begin with the folder that was open before there could be several', () => {
    service.close();
    values.clear();
    values.set('collection', { directory: other });
    service = start(null);
    expect(service.list()).toMatchObject([{ directory: other }]);
    const { id } = service.active()!;
    service.close();
    service = start(null);
    expect(service.active()).toMatchObject({ id, directory: other });
  });

  it('begin with the starter where a command noted a folder before, and with none where all were closed', async () => {
    service.close();
    values.clear();
    const settings = { get: (key: string) => values.get(key), set: values.set.bind(values) };
    createCollectionRegistry({ settings, random: systemRandom, usual: null }).identify(other);
    service = start(null);
    expect(service.list().map(({ name }) => name)).toEqual(['Payments API']);
    await handlers()['collections.close']({ collectionId: service.active()!.id });
    service.close();
    service = start(null);
    expect(service.list()).toEqual([]);
  });

  it('are followed from before they are read', async () => {
    mkdirSync(at('Payouts'));
    for (let index = 0; index < 70; index++) writeFileSync(at('Payouts', `n${index}.http`), 'GET http://x');
    const listing = call('collections.tree', {});
    // The listing gives others their turn after 64 files; what is written then is in no part that is still to be read.
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(at('Payouts', 'n0.http'), 'GET http://changed');
    await listing;
    await vi.waitFor(() => expect(changes.flat()).toContain('Payouts/n0.http'));
  });

  it('are followed in a folder that was put in the place of another', async () => {
    mkdirSync(at('Payouts', 'Deep'), { recursive: true });
    await call('collections.tree', {});
    renameSync(at('Payouts'), join(data, 'elsewhere'));
    mkdirSync(at('Payouts', 'Deep'), { recursive: true });
    await vi.waitFor(() => expect(changes.flat()).toContain('Payouts'));
    await call('collections.tree', {});
    changes = [];
    writeFileSync(at('Payouts', 'new.http'), 'GET http://x');
    writeFileSync(at('Payouts', 'Deep', 'deep.http'), 'GET http://x');
    await vi.waitFor(() =>
      expect(changes.flat()).toEqual(expect.arrayContaining(['Payouts/new.http', 'Payouts/Deep/deep.http'])),
    );
  });

  it('say whose files changed', async () => {
    const told: string[] = [];
    const events = createEventBus();
    events.subscribe('collections.changed', ({ collectionId }) => told.push(collectionId));
    service.close();
    service = createCollectionsService({
      dataDirectory: data,
      settings: { get: (key) => values.get(key), set: (key, value) => values.set(key, value) },
      events,
      clock: systemClock,
      random: systemRandom,
      version: '0',
      starter: null,
    });
    const { id } = await handlers()['collections.open']({ directory: other });
    await handlers()['collections.tree']({ collectionId: id });
    told.length = 0;
    writeFileSync(join(other, 'new.http'), 'GET http://x');
    await vi.waitFor(() => expect(told).toEqual([id]));
  });
});
