import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { AppError } from '@shared/errors';
import { createEventBus } from '../../platform/event-bus';
import { systemRandom } from '../../platform/node-ports';
import { completeFolder } from './complete-folder';
import { createCollectionsService, type CollectionsService } from './create-collections-service';

const day = 24 * 60 * 60 * 1000;
let now: number;
let folder: string;
let data: string;
let service: CollectionsService;
let ours: string;
let others: string;
let moved: unknown[] = [];

type Handlers = CollectionsService['handlers'];
const call = <M extends keyof Handlers>(method: M, input: Parameters<Handlers[M]>[0]) =>
  Promise.resolve().then(() => service.handlers[method](input as never)) as Promise<
    Awaited<ReturnType<Handlers[M]>>
  >;
const open = async (name: string, files: Record<string, string>): Promise<string> => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, path, '..'), { recursive: true });
    writeFileSync(join(folder, name, path), text);
  }
  return (await call('collections.open', { directory: join(folder, name) })).id;
};
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

/** Whether settings find no room. */
let isFull = false;

beforeEach(async () => {
  now = Date.parse('2026-11-22T10:00:00Z');
  folder = makeTemporaryFolder('moving');
  data = join(folder, 'data');
  const values = new Map<string, unknown>();
  service = createCollectionsService({
    dataDirectory: data,
    settings: {
      get: (key) => values.get(key),
      set: (key, value) => {
        if (isFull) throw new AppError('platform.disk_full', 'The disk is full.');
        values.set(key, value);
      },
    },
    events: createEventBus(),
    clock: { now: () => now, monotonicMs: () => now },
    random: systemRandom,
    version: '0',
    starter: null,
    onMoved: (from, to) => Promise.resolve(void moved.push([from, to])),
  });
  moved = [];
  ours = await open('ours', { 'a.http': 'GET http://a', 'f/in.http': '# @name In\nGET http://in' });
  others = await open('others', { 'f/a.http': 'GET http://other' });
});
afterEach(() => service.close());

describe('moving and copying', () => {
  const toOthers = (path: string, toFolder = '') => ({
    collectionId: ours,
    path,
    toCollectionId: others,
    toFolder,
  });

  it('takes a folder with all in it to another collection', async () => {
    expect(await call('collections.move', toOthers('f', 'f'))).toEqual({ path: 'f/f' });
    expect(read('others/f/f/in.http')).toContain('http://in');
    expect(existsSync(join(folder, 'ours/f'))).toBe(false);
  });

  it('tells which files of bodies are not sent any more, as they and their requests are in two collections', async () => {
    const file = (path: string): string => `POST http://a\n\n< ${path}\n`;
    const files = {
      'f/b.json': '1',
      'f/x.http': file('./b.json'),
      'f/y.http': file('../c.json'),
      'c.json': '2',
    };
    await open('ours', { ...files, 'z.http': file('f/b.json'), 'one.http': file('./c.json') });
    const bodies = ['../../ours/c.json'];
    expect(await call('collections.copy', toOthers('one.http'))).toEqual({
      path: 'one.http',
      leftBodies: { bodies: ['../ours/c.json'], requests: [] },
    });
    expect(await call('collections.copy', toOthers('f'))).toMatchObject({
      leftBodies: { bodies, requests: [] },
    });
    expect(await call('collections.move', toOthers('f', 'f'))).toEqual({
      path: 'f/f',
      leftBodies: { bodies: ['../../../ours/c.json'], requests: ['z.http'] },
    });
    expect(read('ours/z.http')).toBe(file('f/b.json'));
  });

  it('replaces nothing: a move says that the name is taken, a copy takes another', async () => {
    await expect(call('collections.move', toOthers('a.http', 'f'))).rejects.toMatchObject({
      code: 'collections.exists',
    });
    expect(await call('collections.copy', toOthers('a.http', 'f'))).toEqual({ path: 'f/a copy.http' });
    expect(await call('collections.copy', toOthers('a.http', 'f'))).toEqual({ path: 'f/a copy 2.http' });
    expect([read('ours/a.http'), read('others/f/a.http')]).toEqual(['GET http://a', 'GET http://other']);
  });

  it('tells of each request and folder where it is now, for what is kept of it', async () => {
    await call('collections.rename', { collectionId: ours, path: 'f/in.http', name: 'out' });
    await call('collections.rename', { collectionId: ours, path: 'f', name: 'g' });
    await call('collections.move', toOthers('g', 'f'));
    expect(moved).toEqual([
      [
        { collectionId: ours, path: 'f/in.http' },
        { collectionId: ours, path: 'f/out.http', block: 'out' },
      ],
      [
        { collectionId: ours, path: 'f' },
        { collectionId: ours, path: 'g', block: null },
      ],
      [
        { collectionId: ours, path: 'g' },
        { collectionId: others, path: 'f/g', block: null },
      ],
    ]);
  });

  it('gives a duplicate the name of its file', async () => {
    const here = { collectionId: ours, path: 'f/in.http', toCollectionId: ours, toFolder: 'f' };
    expect(await call('collections.copy', here)).toEqual({ path: 'f/in copy.http' });
    expect(read('ours/f/in copy.http')).toContain('# @name in copy');
  });

  it('says that it did, though what the file calls itself could not follow', async () => {
    const rename = (path: string, name: string) =>
      call('collections.rename', { collectionId: ours, path, name });
    const at = (path: string): string => join(folder, 'ours', path);
    writeFileSync(at('latin.http'), Buffer.from('# @name Caf\xe9\nGET http://x', 'latin1'));
    expect(await rename('latin.http', 'new')).toEqual({ path: 'new.http' });
    expect(
      await call('collections.copy', {
        collectionId: ours,
        toCollectionId: ours,
        toFolder: '',
        path: 'new.http',
      }),
    ).toEqual({
      path: 'new copy.http',
    });
    mkdirSync(at('named.http'));
    expect(
      await call('collections.copy', {
        collectionId: ours,
        toCollectionId: ours,
        toFolder: '',
        path: 'named.http',
      }),
    ).toEqual({
      path: 'named copy.http',
    });
  });

  it.skipIf(process.platform === 'win32')(
    'renames a link alone, and leaves what it leads to as it is',
    async () => {
      symlinkSync('f/in.http', join(folder, 'ours/link.http'));
      const renamed = { collectionId: ours, path: 'link.http', name: 'other' };
      expect(await call('collections.rename', renamed)).toEqual({ path: 'other.http' });
      expect(read('ours/f/in.http')).toBe('# @name In\nGET http://in');
    },
  );

  it.skipIf(process.platform === 'win32')(
    'writes the order to where a link of it leads, and keeps the link',
    async () => {
      mkdirSync(join(folder, 'ours/shared'));
      writeFileSync(join(folder, 'ours/shared/order.json'), '{ "order": ["a.http"] }');
      symlinkSync('shared/order.json', join(folder, 'ours/collection.json'));
      await call('collections.rename', { collectionId: ours, path: 'a.http', name: 'z' });
      expect(readlinkSync(join(folder, 'ours/collection.json'))).toBe('shared/order.json');
      expect(read('ours/shared/order.json')).toBe('{ "order": ["z.http"] }');
    },
  );

  it('takes the order by names in either form of Unicode', async () => {
    const [composed, apart] = ['Zu\u0308rich'.normalize('NFC'), 'Zu\u0308rich'];
    mkdirSync(join(folder, 'ours', apart));
    writeFileSync(join(folder, 'ours', apart, 'in.http'), 'GET http://in');
    writeFileSync(join(folder, 'ours/collection.json'), JSON.stringify({ order: [composed] }));
    const folders = async (): Promise<string[]> =>
      (await call('collections.tree', { collectionId: ours })).nodes
        .filter(({ kind }) => kind === 'folder')
        .map(({ path }) => path);
    expect((await folders())[0]).toBe(apart);
    await call('collections.rename', { collectionId: ours, path: apart, name: 'Zug' });
    expect((await folders())[0]).toBe('Zug');
    expect(read('ours/collection.json')).toBe('{"order":["Zug"]}');
  });

  it('puts no folder into itself, and none elsewhere by way of a link', async () => {
    mkdirSync(join(folder, 'ours/f/g'));
    const inside = { collectionId: ours, path: 'f', toCollectionId: ours, toFolder: 'f/g' };
    await expect(call('collections.move', inside)).rejects.toMatchObject({ code: 'collections.bad_path' });
    await expect(call('collections.copy', inside)).rejects.toMatchObject({ code: 'collections.bad_path' });
    symlinkSync(data, join(folder, 'others/out'));
    await expect(call('collections.move', toOthers('a.http', 'out'))).rejects.toMatchObject({
      code: 'collections.bad_path',
    });
    expect(read('ours/a.http')).toBe('GET http://a');
  });

  it('takes the examples of a request along, and no others, when it is moved or renamed', async () => {
    for (const name of ['a.ok.example.http', 'a.b.http', 'a.b.bad.example.http']) {
      writeFileSync(join(folder, 'ours', name), 'HTTP/1.1 200 OK\n\n');
    }
    await call('collections.move', toOthers('a.http'));
    await call('collections.rename', { collectionId: others, path: 'a.http', name: 'z' });
    const { nodes } = await call('collections.tree', { collectionId: others });
    expect(nodes.map(({ kind, path, name }) => [kind, path, name]).slice(-2)).toEqual([
      ['request', 'z.http', 'z'],
      ['example', 'z.ok.example.http', 'ok'],
    ]);
    expect(existsSync(join(folder, 'ours/a.b.bad.example.http'))).toBe(true);
  });

  it('leaves hidden files and links behind when it copies', async () => {
    writeFileSync(join(folder, 'ours/f/.hidden'), 'x');
    symlinkSync('/dev/zero', join(folder, 'ours/f/zero.http'));
    await call('collections.copy', toOthers('f', 'f'));
    expect(readdirSync(join(folder, 'others/f/f'))).toEqual(['in.http']);
  });
});

describe('the trash', () => {
  const remove = async (path: string) =>
    (await call('collections.delete', { collectionId: ours, path })).trashId;

  it('puts a folder back where it was, with the folders above it', async () => {
    const trashId = await remove('f/in.http');
    now += 1;
    await remove('f');
    expect((await call('collections.trash', {})).entries).toMatchObject([
      { collectionName: 'ours', path: 'f', deletedAt: now },
      { trashId, path: 'f/in.http' },
    ]);
    expect(await call('collections.restore', { trashId })).toEqual({ collectionId: ours, path: 'f/in.http' });
    expect(read('ours/f/in.http')).toContain('http://in');
    await expect(call('collections.restore', { trashId })).rejects.toMatchObject({
      code: 'collections.unknown',
    });
  });

  it('takes the examples of a request along, and puts them back with it', async () => {
    const kept = ['a.ok.example.http', 'a.bad.example.http'];
    for (const name of kept) writeFileSync(join(folder, 'ours', name), 'HTTP/1.1 200 OK\n\n{}');
    const trashId = await remove('a.http');
    expect(readdirSync(join(folder, 'ours')).filter((name) => name.includes('example'))).toEqual([]);
    expect((await call('collections.trash', {})).entries.map(({ path }) => path)).toEqual(['a.http']);
    writeFileSync(join(folder, 'ours/a.http'), 'GET http://new');
    await call('collections.restore', { trashId });
    expect(readdirSync(join(folder, 'ours'))).toEqual(
      expect.arrayContaining(['a copy.http', 'a copy.ok.example.http', 'a copy.bad.example.http']),
    );
    const alone = await remove('a copy.ok.example.http');
    expect(await call('collections.restore', { trashId: alone })).toMatchObject({
      path: 'a copy.ok.example.http',
    });
  });

  it('loses no example whose name was taken meanwhile', async () => {
    const example = join(folder, 'ours/a.ok.example.http');
    writeFileSync(example, 'HTTP/1.1 200 OK\n\nold');
    const trashId = await remove('a.http');
    writeFileSync(example, 'HTTP/1.1 200 OK\n\nnew');
    expect(await call('collections.restore', { trashId })).toMatchObject({ path: 'a.http' });
    const bodies = readdirSync(join(folder, 'ours'))
      .filter((name) => name.endsWith('.example.http'))
      .map((name) => read(`ours/${name}`).slice(-3));
    expect(bodies.toSorted()).toEqual(['new', 'old']);
    expect(read('ours/a.ok copy.example.http')).toContain('old');
  });

  it('puts it beside what took its name meanwhile', async () => {
    const trashId = await remove('a.http');
    writeFileSync(join(folder, 'ours/a.http'), 'GET http://new');
    expect(await call('collections.restore', { trashId })).toMatchObject({ path: 'a copy.http' });
    expect([read('ours/a.http'), read('ours/a copy.http')]).toEqual(['GET http://new', 'GET http://a']);
  });

  // Elsewhere no file has such a name, or two names that differ in their letters' case are one.
  it.runIf(process.platform === 'linux')('puts odd names and links back as they were', async () => {
    const at = (path: string): string => join(folder, 'ours', path);
    for (const name of ['back\\slash.http', 'A.http', 'new\nline.http'])
      writeFileSync(at(name), 'GET http://o');
    symlinkSync('a.http', at('link.http'));
    const before = readdirSync(join(folder, 'ours'));
    for (const path of ['back\\slash.http', 'A.http', 'a.http', 'new\nline.http', 'link.http']) {
      const trashId = await remove(path);
      expect((await call('collections.trash', {})).entries[0]).toMatchObject({ trashId, path });
      expect(await call('collections.restore', { trashId })).toMatchObject({ path });
    }
    expect(readdirSync(join(folder, 'ours'))).toEqual(before);
    expect(readlinkSync(at('link.http'))).toBe('a.http');
  });

  it('follows no note that leads elsewhere', async () => {
    const trashId = await remove('a.http');
    const note = join(data, '.trash', `${trashId}.json`);
    for (const path of ['../../x.http', '.git/hooks/pre-commit', '/etc/passwd']) {
      writeFileSync(note, JSON.stringify({ collectionId: ours, collectionName: 'ours', path }));
      await expect(call('collections.restore', { trashId })).rejects.toMatchObject({
        code: 'collections.unknown',
      });
    }
    mkdirSync(join(data, '.trash', trashId, 'out'));
    writeFileSync(join(data, '.trash', trashId, 'out', 'a.http'), '');
    writeFileSync(note, JSON.stringify({ collectionId: ours, collectionName: 'ours', path: 'out/a.http' }));
    symlinkSync(data, join(folder, 'ours/out'));
    await expect(call('collections.restore', { trashId })).rejects.toMatchObject({
      code: 'collections.bad_path',
    });
  });

  it('keeps what was deleted for 30 days, and nothing of anybody else is removed', async () => {
    await remove('a.http');
    writeFileSync(join(data, '.trash', 'notes.txt'), 'mine');
    now += 29 * day;
    await remove('f');
    await service.start();
    expect((await call('collections.trash', {})).entries).toHaveLength(2);
    now += 2 * day;
    await service.start();
    expect((await call('collections.trash', {})).entries.map(({ path }) => path)).toEqual(['f']);
    expect(readdirSync(join(data, '.trash'))).toHaveLength(3);
  });
});

describe('collections', () => {
  it('that were closed stand among the recent ones, the one opened last first', async () => {
    await call('collections.close', { collectionId: ours });
    await call('collections.close', { collectionId: others });
    const names = async () => (await call('collections.list', {})).recent.map(({ name }) => name);
    expect(await names()).toEqual(['others', 'ours']);
    await open('ours', {});
    await call('collections.close', { collectionId: ours });
    expect(await names()).toEqual(['ours', 'others']);
  });

  it('are made anew, and never over a folder that is there', async () => {
    const made = await call('collections.make', { name: 'New', from: 'empty', directory: folder });
    expect(made).toMatchObject({ name: 'New', directory: join(folder, 'New') });
    await expect(
      call('collections.make', { name: 'New', from: 'starter', directory: folder }),
    ).rejects.toMatchObject({ code: 'collections.exists' });
    const usual = await call('collections.make', { name: 'Usual', from: 'empty', directory: null });
    expect(usual.directory).toBe(join(data, 'collections', 'Usual'));
  });

  it('leave nothing where they cannot be opened: their name would be taken', async () => {
    const make = () => call('collections.make', { name: 'New', from: 'empty', directory: folder });
    isFull = true;
    await expect(make()).rejects.toThrow('The disk is full.');
    isFull = false;
    expect((await make()).name).toBe('New');
  });

  it('are made in a folder alone that is there', async () => {
    const make = (directory: string) => call('collections.make', { name: 'New', from: 'empty', directory });
    const nowhere = join(folder, 'nowhere');
    await expect(make(nowhere)).rejects.toThrow(
      `There is no folder ${nowhere}: make it first, or name one that is there.`,
    );
    writeFileSync(join(folder, 'file'), '');
    await expect(make(join(folder, 'file'))).rejects.toThrow(/file is a file\. Name a folder to make/);
    expect(existsSync(nowhere)).toBe(false);
  });
});

describe('completing the path of a folder', () => {
  it('offers folders alone, and those that links lead to', async () => {
    symlinkSync(join(folder, 'ours'), join(folder, 'olink'));
    symlinkSync(join(folder, 'nothing'), join(folder, 'onothing'));
    writeFileSync(join(folder, 'ofile'), '');
    mkdirSync(join(folder, '.ohidden'));
    const names = async (text: string) => (await completeFolder(text)).folders;
    expect(await names(join(folder, 'o'))).toEqual(
      ['olink', 'others', 'ours'].map((one) => join(folder, one)),
    );
    expect(await names(join(folder, '.o'))).toEqual([join(folder, '.ohidden')]);
    expect(await names(join(folder, 'ours', '/'))).toEqual([join(folder, 'ours', 'f')]);
  });

  it('offers nothing for what is no whole path or cannot be read, and a list with an end', async () => {
    for (const text of ['ours', '../x', '/no/such/folder/', '/\0', '\\\\server\\share']) {
      expect(await completeFolder(text)).toEqual({ folders: [], isCut: false });
    }
    for (let count = 0; count < 60; count++) mkdirSync(join(folder, `many ${count}`));
    const { folders, isCut } = await completeFolder(join(folder, 'many'));
    expect([folders.length, folders[2], isCut]).toEqual([50, join(folder, 'many 2'), true]);
  });
});

describe('a collection whose own folder is moved while it is open', () => {
  it('says of each file that the folder is gone, and reads it once the folder is back', async () => {
    const file = { collectionId: ours, path: 'a.http' };
    const { version } = await call('collections.read', file);
    renameSync(join(folder, 'ours'), join(folder, 'elsewhere'));
    const gone = {
      code: 'collections.missing',
      message: expect.stringContaining(join(folder, 'ours')) as string,
    };
    await expect(call('collections.read', file)).rejects.toMatchObject(gone);
    const change = { ...file, text: 'GET http://y', version };
    await expect(call('collections.write', change)).rejects.toMatchObject(gone);
    renameSync(join(folder, 'elsewhere'), join(folder, 'ours'));
    expect(await call('collections.read', file)).toMatchObject({ version });
  });
});
