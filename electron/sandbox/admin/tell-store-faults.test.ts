import type * as fs from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestSandbox, type SandboxClient } from '../../../test/support/sandbox-client';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import type { SandboxControls } from './sandbox-controls';
import { tellStoreFaults } from './tell-store-faults';

/** What the disk says when it is to bring something home; empty: it does. */
const disk = vi.hoisted(() => ({ says: '' }));
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  const fdatasyncSync = (file: number): void => {
    if (disk.says === '') return real.fdatasyncSync(file);
    throw Object.assign(new Error(disk.says), { code: disk.says, syscall: 'fdatasync' });
  };
  return { ...real, fdatasyncSync };
});

let directory: string;
let client: SandboxClient;
beforeEach(async () => {
  disk.says = '';
  directory = makeTemporaryFolder('store-faults');
  client = await startTestSandbox({ dataDirectory: directory });
});
afterEach(() => {
  disk.says = '';
  return client.sandbox.close().catch(() => undefined);
});

test.each([
  ['ENOTCONN', 'platform.unwritable', 'its disk is not connected any more'],
  ['EIO', 'platform.unwritable', 'the system says EIO'],
  ['ENOSPC', 'platform.disk_full', 'No space is left on the disk of'],
])('says of a disk that answers %s that it does', async (code, error, words) => {
  disk.says = code;
  for (const [method, address, body] of [
    ['POST', 'reset', {}],
    ['POST', 'clock/advance', { seconds: 60 }],
    ['POST', 'wallets/payout/KES', { top_up: '1.00' }],
    ['POST', 'credentials', {}],
  ] as const) {
    const answer = await client.admin(method, address, body);
    expect(answer, address).toMatchObject({ status: 500, body: { error } });
    expect(answer.body.message).toContain(words);
    expect(answer.body.message).toContain(directory);
  }
  expect(client.sandbox.readState(1).clockOffsetMs).toBe(0);
  disk.says = '';
  await client.admin('POST', 'clock/advance', { seconds: 60 });
  expect(client.sandbox.readState(1).clockOffsetMs).toBe(60_000);
});

test('says of a fault of the database what it is, where a promise tells of it, too, and passes on others', async () => {
  const fault = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE', rawCode: 778 });
  const other = new Error('other');
  const controls = {
    reset: () => {
      throw fault;
    },
    explain: () => Promise.reject(fault),
    listKeys: () => {
      throw other;
    },
  } as unknown as SandboxControls;
  const told = tellStoreFaults(controls, '/data/sandbox.db');
  const words = expect.objectContaining({
    code: 'platform.database_failed',
    message: expect.stringContaining('sandbox.db could not be read or written: the disk failed'),
  });
  expect(() => told.reset()).toThrow(words);
  await expect(told.explain('x')).rejects.toEqual(words);
  expect(() => told.listKeys()).toThrow(other);
  expect(tellStoreFaults(controls, null)).toBe(controls);
});
