import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import type * as Files from '../../platform/files/files';
import { moveFollowed } from './transfer-entry';

const counted = vi.hoisted(() => ({ synced: 0 }));
vi.mock('../../platform/files/files', async (importActual) => {
  const actual = await importActual<typeof Files>();
  const writeFileDurably: typeof actual.writeFileDurably = (...given) => {
    counted.synced += 1;
    actual.writeFileDurably(...given);
  };
  return { ...actual, writeFileDurably };
});

it('syncs few of many requests that name a body in a folder which goes: with thousands, all else waited a minute', () => {
  const root = makeTemporaryFolder('follow-many');
  mkdirSync(join(root, 'f'));
  const names = Array.from({ length: 300 }, (_, index) => `r${index}.http`);
  for (const name of names) {
    writeFileSync(join(root, name), 'POST http://x\n\n< ./f/body.json\n');
    chmodSync(join(root, name), 0o640);
  }
  moveFollowed(join(root, 'f'), join(root, 'g'), new Map(), root);
  expect(counted.synced).toBe(100);
  expect(readdirSync(root).toSorted()).toEqual(['g', ...names].toSorted());
  for (const name of names) {
    expect(readFileSync(join(root, name), 'utf8')).toContain('< ./g/body.json');
    if (process.platform !== 'win32') expect(statSync(join(root, name)).mode & 0o777).toBe(0o640);
  }
});
