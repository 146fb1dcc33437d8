import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { systemRandom } from '../../platform/node-ports';
import { createVaultService } from './create-vault-service';
import { readStoreKey } from './store-key';
import { makeTemporaryFolder } from '../../../test/support/temporary';

const clock = { now: () => 1, monotonicMs: () => 1 };
const ports = { clock, random: systemRandom };
const openVault = (dataDirectory: string) =>
  createVaultService({
    ports: {
      ...ports,
      logger: { log: () => undefined },
      dataDirectory,
      osKeychain: null,
      host: 'cli',
    },
    events: createEventBus(),
    passphrase: null,
  }).store;

it('makes the key of the sandbox’s store once, and keeps it sealed', async () => {
  const directory = makeTemporaryFolder('store-key');
  const [first, second] = await Promise.all(
    [openVault(directory), openVault(directory)].map((store) => readStoreKey(store, ports, 'sandbox')),
  );
  expect(Buffer.from(first!, 'base64')).toHaveLength(32);
  expect(second).toBe(first);
  expect(await readStoreKey(openVault(directory), ports, 'sandbox')).toBe(first);
  expect(await readStoreKey(openVault(directory), ports, 'listener')).not.toBe(first);
  expect(readFileSync(join(directory, 'vault.json'), 'utf8')).not.toContain(first);
});
