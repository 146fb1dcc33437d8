import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { readSnapshotFile } from './snapshot-file';

const folder = makeTemporaryFolder('snapshot-file');
const at = (name: string): string => join(folder, name);
const tables = {
  wallets: [],
  payments: [],
  checkouts: [],
  public_keys: [],
  webhook_deliveries: [],
  webhook_attempts: [],
};
const good = {
  format: 'countersign-sandbox-snapshot',
  version: 1,
  saved_at: '',
  clock_offset_ms: 0,
  tables,
};

it('reads a file by a link that leads elsewhere: whoever names it chose it', () => {
  mkdirSync(at('links'));
  writeFileSync(at('good.json'), JSON.stringify(good));
  symlinkSync(at('good.json'), at('links/state.json'));
  expect(readSnapshotFile(at('links/state.json'))).toEqual(good);
});

it.each<[string, (file: string) => void, RegExp]>([
  ['nothing', () => undefined, /no such file.*snapshot save/],
  ['a pipe', (file) => execFileSync('mkfifo', [file]), /pipe or a device/],
  ['a link to a device', (file) => symlinkSync('/dev/zero', file), /pipe or a device/],
  ['a folder', (file) => mkdirSync(file), /a folder/],
  [
    'a gigabyte',
    (file) => {
      writeFileSync(file, '{');
      truncateSync(file, 2 ** 30);
    },
    /larger than 128 MiB/,
  ],
  ['no JSON', (file) => writeFileSync(file, '{"version": NaN}'), /no snapshot of a sandbox/],
  [
    'one that was cut',
    (file) => writeFileSync(file, JSON.stringify(good).slice(0, -20)),
    /was one, and is no JSON any more: it was cut or changed/,
  ],
  [
    'one in which a merge left two versions',
    (file) => {
      const [one, other] = [good, { ...good, version: 0 }].map((each) => JSON.stringify(each, null, 1));
      writeFileSync(file, `<<<<<<< HEAD\n${one}\n=======\n${other}\n>>>>>>> other\n`);
    },
    /cannot be read, line 1: Two versions stand here/,
  ],
  ['depth', (file) => writeFileSync(file, '['.repeat(500_000)), /no snapshot of a sandbox/],
  [
    'another version',
    (file) => writeFileSync(file, JSON.stringify({ ...good, version: 0 })),
    /reads version 1/,
  ],
  [
    'negative money',
    (file) =>
      writeFileSync(
        file,
        JSON.stringify({
          ...good,
          tables: {
            ...tables,
            wallets: [
              {
                product: 'payout',
                currency: 'KES',
                actual_minor: -1,
                held_minor: 0,
                alert_minor: null,
                status: 'ACTIVE',
              },
            ],
          },
        }),
      ),
    /damaged: tables\/wallets\/0\/actual_minor/,
  ],
])('refuses %s at once, in words, and says that nothing was changed', (name, write, message) => {
  const file = at(name);
  write(file);
  expect(() => readSnapshotFile(file)).toThrow(
    expect.objectContaining({
      code: 'sandbox.bad_snapshot',
      message: expect.stringMatching(message) as string,
    }) as Error,
  );
  expect(() => readSnapshotFile(file)).toThrow(/nothing was changed/);
});
