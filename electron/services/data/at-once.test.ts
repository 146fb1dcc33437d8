import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { AppError } from '@shared/errors';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readPendingChange } from '../../platform/files/pending-change';
import { createDataService } from './create-data-service';

const WINDOWS = 8;
let directory: string;
let elsewhere: string;
let handlers: ReturnType<typeof createDataService>['handlers'];

beforeEach(() => {
  directory = makeTemporaryFolder('data');
  elsewhere = makeTemporaryFolder('backup');
  writeFileSync(join(directory, 'settings.json'), '{}');
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

it('of several restores none takes away what another is unpacking, and the last of them is waiting', async () => {
  const file = join(elsewhere, 'b.tar.gz');
  await handlers['data.backup']({ file });
  expect(await askAtOnce(() => handlers['data.restore']({ file }))).toEqual(Array(WINDOWS).fill('done'));
  const stages = readdirSync(directory).filter((name) => name.startsWith('.restore'));
  expect(stages).toEqual([readPendingChange(directory)?.staged]);
});
