import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
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
  makeCollection: () => Promise.reject(new Error('not asked for')),
  discardCollection: () => Promise.reject(new Error('not asked for')),
  environments: () => Promise.reject(new Error('not asked for')),
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

it('leaves no collection behind that was made for an import which failed: its name is free', async () => {
  const dataDirectory = makeTemporaryFolder('new-collection');
  const collections = createCollectionsService({
    dataDirectory,
    settings: createMemorySettings(),
    events: createEventBus(),
    clock: systemClock,
    random: systemRandom,
    version: '0.0.0',
  });
  let isFull = true;
  const withCollections: ImportsDeps = {
    ...deps,
    makeCollection: async (name) =>
      collections.handlers['collections.make']({ name, from: 'empty', directory: null }),
    discardCollection: async (made) => collections.discard(made),
    startJob: () => {
      const job = startJob();
      const full = new AppError('platform.disk_full', 'The disk is full.');
      const call = async (method: keyof ImportJob, input: never): Promise<unknown> =>
        method === 'commit' && isFull ? Promise.reject(full) : job.call(method, input);
      return { ...job, call: call as Handle['call'] };
    },
  };
  const run = () =>
    runImport(withCollections, {
      source: { kind: 'text', name: 'given', text: 'curl https://a.example/one' },
      format: 'curl',
      target: { kind: 'new', name: 'Mine' },
      isPreview: false,
    });
  const before = await collections.handlers['collections.list']({});
  await expect(run()).rejects.toMatchObject({ code: 'platform.disk_full' });
  expect(readdirSync(join(dataDirectory, 'collections'))).not.toContain('Mine');
  expect(await collections.handlers['collections.list']({})).toEqual(before);
  isFull = false;
  await run();
  expect(collections.list().map(({ name }) => name)).toContain('Mine');
  collections.close();
});
