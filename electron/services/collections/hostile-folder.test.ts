import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openDatabase } from '../../platform/database/database';
import { createEventBus } from '../../platform/event-bus';
import { createFileLogger } from '../../platform/logger';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { readCollectionEnvironments } from '../environments/collection-environments';
import { readBodyFile } from './body-files';
import { readCollectionFile } from './collection-files';
import { readOrder, renameInOrder } from './collection-order';
import { createCollectionsService, type CollectionsService } from './create-collections-service';
import { loadRequests } from '../running/load-requests';
import { readTree } from './read-tree';
import { prepareStarter } from './starter';

const names = ['http-client.env.json', 'http-client.private.env.json', 'collection.json', 'a.http'] as const;
const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

/** What can stand in place of a file, by what makes it. */
const attacks: Record<string, (file: string) => void> = {
  'a link to /dev/zero': (file) => symlinkSync('/dev/zero', file),
  'a pipe': (file) => void execFileSync('mkfifo', [file]),
  'a link to a pipe': (file) => {
    execFileSync('mkfifo', [`${file}.pipe`]);
    symlinkSync(`${file}.pipe`, file);
  },
  'a link out of the folder': (file) => symlinkSync('../secret.json', file),
  'a link to nothing': (file) => symlinkSync('../nothing', file),
  'a folder': (file) => mkdirSync(file),
  'a hundred megabytes': (file) => {
    writeFileSync(file, '');
    truncateSync(file, 100 * 1024 * 1024);
  },
  'a hundred thousand levels': (file) => writeFileSync(file, deep),
};

let folder: string;
let collection: string;
let service: CollectionsService;
const values = new Map<string, unknown>();
const start = (): CollectionsService =>
  createCollectionsService({
    dataDirectory: join(folder, 'data'),
    settings: {
      get: (key) => structuredClone(values.get(key)),
      set: (key, value) => values.set(key, structuredClone(value)),
    },
    events: createEventBus(),
    clock: systemClock,
    random: systemRandom,
    version: '0',
    starter: null,
  });

beforeEach(() => {
  values.clear();
  folder = makeTemporaryFolder('hostile');
  collection = join(folder, 'collection');
  mkdirSync(collection);
  writeFileSync(join(folder, 'secret.json'), '{"dev":{"base_url":"https://secret.example","leak":"s3cret"}}');
  writeFileSync(join(folder, 'secret.http'), 'GET http://s3cret.example\n');
});

describe.skipIf(process.platform === 'win32')('a hostile folder', () => {
  for (const [what, attack] of Object.entries(attacks)) {
    it(`with ${what} in place of each file is read without waiting, and tells what is wrong`, async () => {
      for (const name of names) attack(join(collection, name));
      const { environments, faults } = readCollectionEnvironments(collection);
      expect(JSON.stringify([...environments])).not.toContain('s3cret');
      if (what !== 'a link to nothing') {
        expect(faults.map(({ file }) => file)).toEqual(names.slice(0, 2));
        for (const { message } of faults) expect(message).toMatch(/[.]$/);
      }
      expect(readOrder(collection).size).toBe(0);
      renameInOrder(collection, 'a', 'b');
      service = start();
      const { id } = await service.handlers['collections.open']({ directory: collection });
      const { nodes } = await service.handlers['collections.tree']({ collectionId: id });
      expect(JSON.stringify(nodes)).not.toContain('s3cret');
      const isReadable = /levels/.test(what);
      const readAll = (): unknown =>
        service.handlers['collections.read']({ collectionId: id, path: 'a.http' });
      if (isReadable) expect(readAll()).toMatchObject({ text: deep });
      else expect(readAll).toThrow(/./);
      if (!isReadable) expect(() => readBodyFile(collection, 'a.http')).toThrow(/./);
      service.close();
    });
  }
});

describe('folders that are not read', () => {
  it('one that may not be read is listed with what is wrong', async () => {
    mkdirSync(join(collection, 'closed'));
    const { nodes } = await readTree(collection, new Map(), {
      onFolder(path) {
        if (!path.endsWith('closed')) return;
        rmdirSync(path);
        writeFileSync(path, 'in its place');
      },
    });
    expect(nodes).toMatchObject([
      { path: 'closed', kind: 'folder', fault: { message: expect.stringContaining('cannot be read') } },
    ]);
  });

  it('one that lies too deep is listed, and left out of an export with a note', async () => {
    const deep = Array.from({ length: 33 }, (_, level) => level).join('/');
    mkdirSync(join(collection, deep), { recursive: true });
    writeFileSync(join(collection, deep, 'a.http'), 'GET http://a.test\n');
    writeFileSync(join(collection, 'b.http'), 'GET http://b.test\n');
    service = start();
    const { id: collectionId } = await service.handlers['collections.open']({ directory: collection });
    const { nodes } = await service.handlers['collections.tree']({ collectionId });
    expect(nodes.filter(({ fault }) => fault)).toMatchObject([
      {
        path: deep,
        kind: 'folder',
        fault: { message: expect.stringMatching(/^This folder lies more than 32/) },
      },
    ]);
    const { notes } = await service.handlers['collections.export']({
      collectionId,
      path: '',
      format: 'curl',
      environment: null,
    });
    expect(notes).toContainEqual({
      where: deep,
      what: expect.stringMatching(/^Left out: This folder lies more/),
    });
    service.close();
  });

  it('a request that iCloud took from the disk is listed, and said to be there', async () => {
    writeFileSync(join(collection, '.a.http.icloud'), 'bplist00');
    const { nodes } = await readTree(collection, new Map());
    expect(nodes).toMatchObject([
      { path: 'a.http', name: 'a', fault: { message: expect.stringContaining('in iCloud') } },
    ]);
    expect(() => readCollectionFile(collection, 'a.http')).toThrow(
      "'a.http' is in iCloud and not on this disk",
    );
  });

  it.skipIf(process.platform === 'win32')('a link that leads nowhere is called so', async () => {
    symlinkSync('../nothing', join(collection, 'a.http'));
    const { nodes } = await readTree(collection, new Map());
    expect(nodes).toMatchObject([{ fault: { message: expect.stringContaining('leads nowhere') } }]);
  });
});

describe('a folder that broke a start', () => {
  const open = (): Promise<{ id: string }> =>
    Promise.resolve(service.handlers['collections.open']({ directory: collection }));
  const listed = async () => {
    const { collections, heldBack } = await service.handlers['collections.list']({});
    return { open: collections.map(({ name }) => name), heldBack: heldBack.map(({ name }) => name) };
  };
  /** The process ends while the folder is read: what stood in the settings then is what the next start finds. */
  const breakStart = async (): Promise<void> => {
    let atEnd: Map<string, unknown> | null = null;
    const set = values.set.bind(values);
    values.set = (key, value) => {
      set(key, value);
      const { opening } = value as { opening: string[] };
      if (opening.length > 0 && JSON.stringify(value).includes(collection)) atEnd ??= structuredClone(values);
      return values;
    };
    await service.start();
    values.set = set;
    service.close();
    values.clear();
    for (const [key, value] of atEnd ?? new Map<string, unknown>()) values.set(key, value);
  };

  it('is opened again only when somebody asks for it', async () => {
    service = start();
    await service.handlers['collections.close']({ collectionId: service.active()!.id });
    const { id } = await open();
    await breakStart();
    service = start();
    await service.start();
    expect(await listed()).toEqual({ open: [], heldBack: ['collection'] });
    expect((await open()).id).toBe(id);
    expect(await listed()).toEqual({ open: ['collection'], heldBack: [] });
    service.close();
    service = start();
    await service.start();
    expect(await listed()).toEqual({ open: ['collection'], heldBack: [] });
    service.close();
  });
});

describe.skipIf(process.platform === 'win32')('a link to nothing in the data folder', () => {
  it('is not written through, by a database, its journal, or the log', () => {
    const target = join(folder, 'elsewhere');
    for (const name of ['history.db', 'inbox.db-wal']) {
      symlinkSync(target, join(collection, name));
      const file = join(collection, name.replace('-wal', ''));
      expect(() => openDatabase({ file, migrations: [] })).toThrow(/link to something that is not there/);
    }
    mkdirSync(join(collection, 'logs'));
    symlinkSync(target, join(collection, 'logs', 'countersign.log'));
    const logger = createFileLogger({ dataDirectory: collection, clock: systemClock });
    logger.log('error', 'x');
    expect(() => readFileSync(target)).toThrow(/ENOENT/);
  });

  it('in place of the starter collection ends no start', () => {
    mkdirSync(join(folder, 'data', 'collections'), { recursive: true });
    const link = join(folder, 'data', 'collections', 'Payments API');
    symlinkSync(join(folder, 'elsewhere'), link);
    expect(prepareStarter(join(folder, 'data'), null)).toBe(link);
    expect(() => readFileSync(join(folder, 'elsewhere'))).toThrow(/ENOENT/);
  });
});

// Elsewhere the file system takes no such name.
it.runIf(process.platform === 'linux')(
  'says of a name that is not UTF-8 that this is what is wrong',
  async () => {
    writeFileSync(
      Buffer.concat([Buffer.from(join(collection, 'bad')), Buffer.from([0xff]), Buffer.from('.http')]),
      'GET http://a.test\n',
    );
    service = start();
    const { id: collectionId } = await service.handlers['collections.open']({ directory: collection });
    const { nodes } = await service.handlers['collections.tree']({ collectionId });
    expect(nodes).toMatchObject([{ fault: { message: expect.stringContaining('not UTF-8') } }]);
    const { path } = nodes[0]!;
    await expect(
      (async () => service.handlers['collections.read']({ collectionId, path }))(),
    ).rejects.toThrow('its name is not UTF-8');
    const load = loadRequests([collection], { base: folder, identify: () => null });
    await expect(load).rejects.toThrow('its name is not UTF-8');
    mkdirSync(Buffer.concat([Buffer.from(join(collection, 'folder')), Buffer.from([0xff])]));
    const [inside] = (await service.handlers['collections.tree']({ collectionId })).nodes;
    expect(inside?.fault?.message).toBe('The name of this folder is not UTF-8. Rename it.');
  },
);
