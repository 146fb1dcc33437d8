import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import type { AppError } from '@shared/errors';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readPendingChange } from '../../platform/files/pending-change';
import { createDataService } from './create-data-service';

const WINDOWS = 8;
const FILES = 100;
let directory: string;
let elsewhere: string;
let handlers: ReturnType<typeof createDataService>['handlers'];

beforeEach(() => {
  directory = makeTemporaryFolder('data');
  elsewhere = makeTemporaryFolder('backup');
  writeFileSync(join(directory, 'settings.json'), '{}');
  mkdirSync(join(directory, 'collections'));
  for (let index = 0; index < FILES; index += 1)
    writeFileSync(join(directory, 'collections', `${index}.http`), 'GET http://127.0.0.1/\n');
  const clock = { now: () => 1_800_000_000_000, monotonicMs: () => 0 };
  handlers = createDataService({ dataDirectory: directory, version: '1.2.3', clock }).handlers;
});

/** Asks as several windows do in the same moment. @returns how each was answered */
const askAtOnce = (ask: () => unknown): Promise<string[]> =>
  Promise.all(
    Array.from({ length: WINDOWS }, async () => {
      try {
        await ask();
        return 'done';
      } catch (error) {
        return (error as AppError).code;
      }
    }),
  );

it('of several backups to one file the first is made, and the others are told that it is there', async () => {
  const answers = await askAtOnce(() => handlers['data.backup']({ file: join(elsewhere, 'b.tar.gz') }));
  expect(answers).toEqual(['done', ...Array<string>(WINDOWS - 1).fill('data.file_exists')]);
  expect(readdirSync(elsewhere)).toEqual(['b.tar.gz']);
});

it('a restore that fails takes nothing away that another one is unpacking', async () => {
  const file = join(elsewhere, 'b.tar.gz');
  await handlers['data.backup']({ file });
  writeFileSync(join(elsewhere, 'none.tar.gz'), 'no backup');
  const listStages = (): string[] => readdirSync(directory).filter((name) => name.startsWith('.restore-'));
  const restored = handlers['data.restore']({ file });
  await vi.waitUntil(() => listStages().some((name) => existsSync(join(directory, name, 'collections'))), {
    interval: 1,
  });
  await expect(handlers['data.restore']({ file: join(elsewhere, 'none.tar.gz') })).rejects.toThrow(
    'no backup',
  );
  await restored;
  expect(listStages()).toEqual([readPendingChange(directory)?.staged]);
  expect(readdirSync(join(directory, listStages()[0]!, 'collections'))).toHaveLength(FILES);
});
