import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createEventBus } from '../../platform/event-bus';
import { createMemorySettings } from '../../platform/files/memory-settings';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { createCollectionsService } from '../collections/create-collections-service';
import { createImportJob, type ImportJob } from './import-job';
import { runImport, type ImportsDeps } from './run-import';
import type * as targetFolder from './target-folder';

const mostEntries = 40;
vi.mock('./target-folder', async (original) => ({
  ...(await original<typeof targetFolder>()),
  mostEntries: 40,
}));

type Handle = ReturnType<ImportsDeps['startJob']>;

/** A job in this thread, in the place of a worker. */
function startJob(): Handle {
  const job = createImportJob();
  const call = (method: keyof typeof job, input: never): unknown => job[method](input);
  return {
    call: (async (method: keyof typeof job, input: never) => call(method, input)) as Handle['call'],
    onEvent: () => undefined,
    onExit: () => undefined,
    terminate: () => Promise.resolve(),
  };
}

const deps: ImportsDeps = {
  hasVault: false,
  startJob,
  collections: () => Promise.resolve([]),
  placeCollection: () => Promise.resolve('/not/made'),
  openMade: () => Promise.reject(new Error('not asked for')),
  keeper: () => Promise.reject(new Error('not asked for')),
  listHomeless: () => Promise.reject(new Error('not asked for')),
  announce: () => undefined,
};
const importInto = (directory: string, text: string) =>
  runImport(deps, {
    source: { kind: 'text', name: 'given', text },
    format: 'curl',
    target: { kind: 'directory', directory },
    isPreview: false,
  });

it('fills a folder up to what can be opened, and no further', async () => {
  const root = makeTemporaryFolder('full');
  const inner = join(root, 'inner');
  mkdirSync(inner);
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git', 'hidden'), '');
  for (let index = 0; index < mostEntries - 2; index++) writeFileSync(join(inner, String(index)), '');
  await importInto(root, 'curl https://a.example/one');
  const before = readdirSync(root);
  await expect(importInto(root, 'curl https://a.example/two')).rejects.toMatchObject({
    code: 'import.too_many',
    message: expect.stringContaining('could not be opened. Nothing was imported') as string,
  });
  expect(readdirSync(root)).toEqual(before);
  // What is there already takes no room.
  await importInto(root, 'curl https://a.example/one');
});

it('says of a name that is to stand for a secret that the file has another value of it, and what to write', async () => {
  const root = makeTemporaryFolder('taken-name');
  const file = join(root, 'http-client.env.json');
  writeFileSync(file, '{"UAT": {"ck": "mine", "page": "1"}}');
  const values = [
    { key: 'base_url', value: 'https://uat.example' },
    { key: 'ck', value: 'ck-1', type: 'secret' },
    { key: 'page', value: '2' },
  ];
  const text = JSON.stringify({ name: 'UAT', values, _postman_variable_scope: 'environment' });
  const { notes } = await runImport(deps, {
    source: { kind: 'text', name: 'given', text },
    format: 'postman',
    target: { kind: 'directory', directory: root },
    isPreview: false,
  });
  expect(notes.map(({ what }) => what)).toEqual([
    'Its variable ck is called ck_secret here: what is secret is known by its name. {{ck}} stands for it in the requests that use it, unless the file has a value of {{ck}} already.',
    'ck is there already, and keeps its value: write {{ck_secret}} in a request that is to have the imported one.',
    'page is there already, and keeps its value.',
    expect.stringContaining('no vault is open here: its value is dropped'),
  ]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ UAT: { ck: 'mine', page: '1' } });
});

it.each([
  ['below a file', 'file/inside', 'a part of its path is a file'],
  ['by a name too long for any', 'x'.repeat(300), 'the name is too long'],
])('says of a folder that nobody can make why, and imports nothing: %s', async (_what, name, why) => {
  const root = makeTemporaryFolder('unreachable');
  writeFileSync(join(root, 'file'), '');
  await expect(importInto(join(root, name), 'curl https://a.example/one')).rejects.toMatchObject({
    code: 'import.bad_path',
    message: expect.stringContaining(`cannot be reached: ${why}. Name a folder`) as string,
  });
  expect(readdirSync(root)).toEqual(['file']);
});

it.skipIf(process.platform !== 'linux')(
  'says of a folder in which nothing can be looked at why, and imports nothing',
  async () => {
    const part = join('/', 'x'.repeat(250));
    let root = makeTemporaryFolder('unentered');
    while (root.length + part.length < 4094) root += part;
    root = join(root, 'x'.repeat(4093 - root.length));
    mkdirSync(root, { recursive: true });
    await expect(importInto(root, 'curl https://a.example/one')).rejects.toMatchObject({
      code: 'platform.unwritable',
      message: expect.stringContaining('the name is too long') as string,
    });
    expect(readdirSync(root)).toEqual([]);
  },
);

it.each(['http-client.env.json', 'GET one.http'])(
  'takes nothing of what is written there while it is under way: %s',
  (path) => {
    const root = makeTemporaryFolder('meanwhile');
    const before = {
      'http-client.env.json': '{"mine": {"base_url": "https://a.example"}}',
      'kept.http': 'GET /',
    };
    for (const [name, text] of Object.entries(before)) writeFileSync(join(root, name), text);
    const job = createImportJob();
    const item = [{ name: 'GET one', request: { method: 'GET', url: '{{base_url}}/one' } }];
    const variable = [{ key: 'base_url', value: 'https://b.example' }];
    const text = JSON.stringify({ info: { name: 'Shop', schema: 'v2.1.0/collection.json' }, item, variable });
    job.read({ source: { kind: 'text', name: 'given.json', text } });
    const place = { root, isNew: false, format: 'postman', isPreview: false } as const;
    expect(job.plan(place).files).toContain(path);
    // As a checkout does, while all of an import is being written.
    writeFileSync(join(root, path), '{}');
    const held = readdirSync(root);
    expect(() => job.commit()).toThrow(
      /was changed by something else meanwhile\. Nothing was imported: try again\./,
    );
    expect([readFileSync(join(root, path), 'utf8'), readdirSync(root)]).toEqual(['{}', held]);
    job.plan(place);
    job.commit();
    expect(readFileSync(join(root, 'http-client.env.json'), 'utf8')).toContain('https://b.example');
  },
);

it('gives environments that come by themselves the address that all of the collection have, and their secrets only one that came with them', () => {
  const text = JSON.stringify({ name: 'Own', values: [{ key: 'api_key', value: 'v-12345' }] });
  const place = { isNew: false, format: 'postman', isPreview: true } as const;
  const planInto = (known: object, before?: string[]) => {
    const root = makeTemporaryFolder('address');
    writeFileSync(join(root, 'http-client.env.json'), JSON.stringify(known));
    const job = createImportJob();
    job.read({ source: { kind: 'text', name: 'given.json', text } });
    const { sealed, notes, addresses } = job.plan({ root, ...place, before });
    expect(addresses).toEqual([]);
    return [sealed[0]!.baseUrl, notes.map(({ what }) => what)];
  };
  const same = { base_url: 'https://a.example' };
  expect(planInto({ $shared: same, x: same, y: {}, z: null })).toEqual([
    '',
    ['It had no base_url: https://a.example is added, as the collection it joins has it.'],
  ]);
  expect(planInto({ x: same, y: { base_url: 'https://b.example' } })).toEqual(['', []]);
  expect(planInto({ x: { base_url: '{{host}}' } })).toEqual(['', []]);
  // What is imported before it is not there yet in a preview.
  expect(planInto({}, ['https://a.example'])[0]).toBe('https://a.example');
  expect(planInto({ x: same }, ['https://b.example'])).toEqual(['', []]);
  expect(planInto({ x: same }, ['https://a.example'])[0]).toBe('https://a.example');
});

describe('a job that does not come to its end', () => {
  const stopped = (cause: unknown): AppError => new AppError('worker.stopped', 'It stopped.', { cause });
  const runWith = (call: () => Promise<never>, terminate = (): Promise<void> => Promise.resolve()) =>
    runImport(
      { ...deps, startJob: () => ({ ...startJob(), call, terminate }) },
      {
        source: { kind: 'text', name: 'given', text: 'curl https://a.example/one' },
        format: 'curl',
        target: { kind: 'new', name: 'Never made' },
        isPreview: false,
      },
    );

  it('says that it takes more memory than there is', async () => {
    const cause = Object.assign(new Error('full'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    await expect(runWith(() => Promise.reject(stopped(cause)))).rejects.toMatchObject({
      code: 'import.too_large',
      message: 'Reading it takes more memory than there is. Nothing was imported: import it in parts.',
    });
  });

  it('says no more than it knows of any other end', async () => {
    await expect(runWith(() => Promise.reject(stopped(null)))).rejects.toMatchObject({
      code: 'worker.stopped',
    });
  });

  it('is ended after a minute', async () => {
    vi.useFakeTimers();
    let end: (error: AppError) => void = () => undefined;
    const running = runWith(
      () => new Promise((_resolve, reject) => (end = reject)),
      () => Promise.resolve(end(stopped(null))),
    );
    const refused = expect(running).rejects.toMatchObject({
      code: 'import.too_large',
      message: 'Reading it takes more than 60 seconds. Nothing was imported: import it in parts.',
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
    vi.useRealTimers();
  });
});

describe('a collection that an import makes', () => {
  const settings = createMemorySettings();
  const dataDirectory = makeTemporaryFolder('new-collection');
  const parent = join(dataDirectory, 'collections');
  const collections = createCollectionsService({
    dataDirectory,
    settings,
    events: createEventBus(),
    clock: systemClock,
    random: systemRandom,
    version: '0.0.0',
  });
  afterAll(() => collections.close());
  /** @param instead - runs in the place of what writes all of it */
  const run = (name: string, instead?: () => void) =>
    runImport(
      {
        ...deps,
        placeCollection: async (wanted) => collections.place(wanted),
        openMade: async (directory) => collections.openMade(directory),
        startJob: () => {
          const job = startJob();
          const call = async (method: keyof ImportJob, input: never): Promise<unknown> =>
            method === 'commit' && instead ? instead() : job.call(method, input);
          return { ...job, call: call as Handle['call'] };
        },
      },
      {
        source: { kind: 'text', name: 'given', text: 'curl https://a.example/one' },
        format: 'curl',
        target: { kind: 'new', name },
        isPreview: false,
      },
    );
  const list = () => collections.handlers['collections.list']({});

  it('is neither there nor open until all of it is written: whoever is killed before finds its name free', async () => {
    const [before, folders] = [await list(), readdirSync(parent)];
    const full = new AppError('platform.disk_full', 'The disk is full.');
    const writing = run('Mine', () => {
      expect([collections.list().length, readdirSync(parent)]).toEqual([before.collections.length, folders]);
      throw full;
    });
    await expect(writing).rejects.toBe(full);
    expect([await list(), readdirSync(parent)]).toEqual([before, folders]);
    const { collectionId } = await run('Mine');
    expect(collections.get(collectionId!).name).toBe('Mine');
    expect(readdirSync(join(parent, 'Mine')).sort()).toEqual(['GET one.http', 'collection.json']);
    await expect(run('Mine')).rejects.toMatchObject({ code: 'collections.exists' });
  });

  it('is taken away where it cannot be opened', async () => {
    const full = new AppError('platform.disk_full', 'No room for the settings.');
    const set = vi.spyOn(settings, 'set').mockImplementation(() => {
      throw full;
    });
    await expect(run('Other')).rejects.toBe(full);
    set.mockRestore();
    expect(readdirSync(parent)).not.toContain('Other');
  });
});
