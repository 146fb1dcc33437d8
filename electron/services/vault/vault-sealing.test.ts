import { createHmac, scryptSync } from 'node:crypto';
import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { systemRandom } from '../../platform/node-ports';
import { createVaultService, type VaultService } from './create-vault-service';
import { createKeyFileBox } from './key-file-box';
import { sealMaster } from './master-key';
import { createPassphraseBox } from './passphrase-box';
import { makeTemporaryFolder } from '../../../test/support/temporary';

const PASSPHRASE = 'a long passphrase';
const secret = Buffer.from('thirty-two bytes of a master key');
/** Magic, checksum and the header's length stand before a header. */
const HEADER_AT = 4 + 8 + 1;
const NONCE_BYTES = 12;

function openVault(dataDirectory: string): VaultService {
  return createVaultService({
    ports: {
      clock: { now: () => 1, monotonicMs: () => 1 },
      random: systemRandom,
      logger: { log: () => undefined },
      dataDirectory,
      osKeychain: null,
      host: 'cli',
    },
    events: createEventBus(),
    passphrase: null,
  });
}

describe('a passphrase', () => {
  it('is stretched by scrypt with N = 2^16, r = 8, p = 2 at least', async () => {
    const frame = Buffer.from(await createPassphraseBox(PASSPHRASE, systemRandom).seal(secret));
    const [logN, r, p] = frame.subarray(HEADER_AT);
    expect([logN! >= 16, r! >= 8, p! >= 2]).toEqual([true, true, true]);
  });

  it('is stretched by what the header says, with the salt that stands there', async () => {
    const frame = Buffer.from(await createPassphraseBox(PASSPHRASE, systemRandom).seal(secret));
    const [logN, r, p] = frame.subarray(HEADER_AT);
    const salt = frame.subarray(HEADER_AT + 3, HEADER_AT + 3 + 16);
    const proof = frame.subarray(HEADER_AT + 3 + 16, HEADER_AT + 3 + 32);
    const options = { N: 2 ** logN!, r: r!, p: p!, maxmem: 2 ** 28 };
    const key = scryptSync(PASSPHRASE, salt, 32, options);
    const expected = createHmac('sha256', key).update('countersign vault passphrase proof').digest();
    expect(proof).toEqual(expected.subarray(0, 16));
  });

  it('seals with another salt and another nonce each time', async () => {
    const box = createPassphraseBox(PASSPHRASE, systemRandom);
    const frames = await Promise.all([box.seal(secret), box.seal(secret), box.seal(secret)]);
    const pieces = frames.map((frame) => {
      const bytes = Buffer.from(frame);
      const header = HEADER_AT + 3 + 16 + 16;
      return {
        salt: bytes.subarray(HEADER_AT + 3, HEADER_AT + 3 + 16).toString('hex'),
        nonce: bytes.subarray(header, header + NONCE_BYTES).toString('hex'),
      };
    });
    expect(new Set(pieces.map(({ salt }) => salt)).size).toBe(3);
    expect(new Set(pieces.map(({ nonce }) => nonce)).size).toBe(3);
    for (const frame of frames) expect(Buffer.from(await box.open(frame))).toEqual(secret);
  });
});

describe('a key file', () => {
  it('seals with another nonce each time', async () => {
    const box = createKeyFileBox(join(makeTemporaryFolder('key-file'), 'vault.key'), systemRandom);
    const nonces = new Set<string>();
    for (let round = 0; round < 4; round++) {
      const bytes = Buffer.from(await box.seal(secret));
      nonces.add(bytes.subarray(HEADER_AT + 16, HEADER_AT + 16 + NONCE_BYTES).toString('hex'));
    }
    expect(nonces.size).toBe(4);
  });

  it.skipIf(process.platform === 'win32')(
    'that others may read is closed to them when it is used',
    async () => {
      const file = join(makeTemporaryFolder('key-file'), 'vault.key');
      const box = createKeyFileBox(file, systemRandom);
      const frame = await box.seal(secret);
      chmodSync(file, 0o644);
      await box.open(frame);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    },
  );

  it('belongs to one vault: each has a master key and a file of its own', async () => {
    const [first, second] = [makeTemporaryFolder('vault'), makeTemporaryFolder('vault')];
    for (const folder of [first, second]) {
      const vault = openVault(folder);
      await vault.saveCredentials('local', { consumerKey: 'ck', consumerSecret: 'the same secret' });
      vault.close();
    }
    const keyOf = (folder: string): unknown =>
      (JSON.parse(readFileSync(join(folder, 'vault.key'), 'utf8')) as { key: unknown }).key;
    expect(keyOf(first)).not.toBe(keyOf(second));
  });
});

it('leaves no copy of a vault that a killed write left, under the passphrase of then, once the vault is written', async () => {
  const directory = makeTemporaryFolder('vault-copy');
  const vault = openVault(directory);
  await vault.saveCredentials('local', { consumerKey: 'ck', consumerSecret: 'cs' });
  const names = ['.vault.json.0123456789ab.tmp', '.other.json.0123456789ab.tmp'];
  for (const name of names) copyFileSync(join(directory, 'vault.json'), join(directory, name));
  await vault.handlers['vault.setPassphrase']({ current: null, next: PASSPHRASE });
  expect(readdirSync(directory).filter((name) => name.endsWith('.tmp'))).toEqual([names[1]]);
});

describe('a master key', () => {
  it('is random, and another one in each vault', async () => {
    const box = createKeyFileBox(join(makeTemporaryFolder('key-file'), 'vault.key'), systemRandom);
    const made = await Promise.all([1, 2, 3].map(() => sealMaster(null, box, systemRandom)));
    expect(new Set(made.map(({ key }) => key.key.toString('hex'))).size).toBe(3);
    expect(new Set(made.map(({ key }) => key.id)).size).toBe(3);
  });
});

describe('a record', () => {
  it('sealed twice reads differently, so that equal secrets cannot be told', async () => {
    const folder = makeTemporaryFolder('vault');
    const vault = openVault(folder);
    const same = { consumerKey: 'ck', consumerSecret: 'the same secret' };
    const texts = new Set<string>();
    for (let round = 0; round < 3; round++) {
      await vault.saveCredentials('local', same);
      texts.add(JSON.stringify(sealedTexts(readFileSync(join(folder, 'vault.json'), 'utf8'))));
    }
    vault.close();
    expect(texts.size).toBe(3);
  });
});

/** Every long Base64 text of a document: what is sealed in it. */
function sealedTexts(document: string): string[] {
  return document.match(/"[A-Za-z0-9+/]{40,}={0,2}"/g) ?? [];
}
