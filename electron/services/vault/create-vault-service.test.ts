import { createPublicKey, sign, verify } from 'node:crypto';
import { existsSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeySummary } from '@shared/contract/vault';
import { createEventBus } from '../../platform/event-bus';
import { systemRandom } from '../../platform/node-ports';
import type { SecretBox } from '../../platform/ports';
import {
  describeWrongKey,
  openBytes,
  readFrame,
  sealBytes,
  writeFrame,
} from '../../platform/crypto/sealed-frame';
import { createVaultService, type VaultDeps, type VaultService } from './create-vault-service';
import { generatePrivateKey, writePrivatePem } from './key-forms/key-making';
import { makeTemporaryFolder } from '../../../test/support/temporary';

const PASSPHRASE = 'a long passphrase';
let directory: string;
let now = 0;
let pems: string[];
let events: string[];
const open: VaultService[] = [];

/** Stands in for the system's keychain: seals with a key that lives as long as the test. */
function createKeychain(key = systemRandom.bytes(32)): SecretBox {
  return {
    kind: 'os_keychain',
    warning: null,
    seal: async (plain) =>
      writeFrame('TEST', Buffer.alloc(0), sealBytes(key, systemRandom.bytes(12), plain, 'test')),
    async open(frame) {
      const plain = openBytes(key, readFrame('TEST', frame, 0).sealed, 'test');
      if (plain === null) throw describeWrongKey('another keychain');
      return plain;
    },
  };
}

function openVault(
  deps: Partial<VaultDeps> & { osKeychain?: SecretBox | null; host?: 'electron' | 'web' | 'cli' } = {},
): VaultService {
  const { osKeychain = null, host = 'electron', ...rest } = deps;
  const bus = createEventBus();
  bus.subscribeAll((name) => events.push(name));
  const vault = createVaultService({
    ports: {
      clock: { now: () => now, monotonicMs: () => now },
      random: systemRandom,
      logger: { log: () => undefined },
      dataDirectory: directory,
      osKeychain,
      host,
    },
    events: bus,
    passphrase: null,
    ...rest,
  });
  open.push(vault);
  return vault;
}

async function importKey(
  vault: VaultService,
  index = 0,
  environment: string | null = null,
): Promise<KeySummary> {
  const { key } = await vault.handlers['keys.import']({
    name: `key ${index}`,
    text: pems[index]!,
    environment,
  });
  return key;
}

const vaultText = (): string => readFileSync(join(directory, 'vault.json'), 'utf8');

beforeAll(async () => {
  const keys = await Promise.all([
    generatePrivateKey(2048),
    generatePrivateKey(2048),
    generatePrivateKey(2048),
  ]);
  pems = keys.map(writePrivatePem);
});
beforeEach(() => {
  directory = makeTemporaryFolder('vault');
  now = 1_000_000;
  events = [];
});
afterEach(() => {
  for (const vault of open.splice(0)) vault.close();
});

describe('the box that seals a new vault', () => {
  it('is the system keychain where there is one, with nothing to warn of', async () => {
    const vault = openVault({ osKeychain: createKeychain(), passphrase: PASSPHRASE });
    await importKey(vault);
    expect(await vault.status()).toEqual({
      state: 'unlocked',
      box: 'os_keychain',
      message: null,
      keyCount: 1,
    });
    expect(existsSync(join(directory, 'vault.key'))).toBe(false);
  });

  it('is a passphrase that was given, where there is no keychain', async () => {
    await importKey(openVault({ passphrase: PASSPHRASE }));
    expect(await openVault({ passphrase: PASSPHRASE }).status()).toMatchObject({
      state: 'unlocked',
      box: 'passphrase',
    });
    expect(await openVault().status()).toMatchObject({ state: 'locked', box: 'passphrase', keyCount: 1 });
    expect(await openVault({ passphrase: 'another one' }).status()).toMatchObject({ state: 'locked' });
  });

  it('is a key file of mode 0600 where there is neither, with a standing warning', async () => {
    const vault = openVault();
    await importKey(vault);
    const status = await openVault().status();
    expect(status).toMatchObject({ state: 'unlocked', box: 'key_file' });
    expect(status.message).toContain('Set a passphrase');
    if (process.platform !== 'win32') {
      for (const name of ['vault.key', 'vault.json', 'vault.lock']) {
        expect(statSync(join(directory, name)).mode & 0o077, name).toBe(0);
      }
    }
  });

  it('writes nothing before there is a secret to keep', async () => {
    const vault = openVault();
    expect(await vault.status()).toMatchObject({ state: 'unlocked', keyCount: 0 });
    expect((await vault.handlers['keys.list']({})).keys).toEqual([]);
    expect(await vault.getCredentials('local')).toBeNull();
    expect(existsSync(join(directory, 'vault.json'))).toBe(false);
    expect(existsSync(join(directory, 'vault.key'))).toBe(false);
  });
});

describe('lock and passphrase', () => {
  it('gives no secret while it is locked, and all of them after', async () => {
    const vault = openVault({ passphrase: PASSPHRASE });
    const key = await importKey(vault, 0, 'local');
    await vault.saveCredentials('local', { consumerKey: 'ck', consumerSecret: 'cs' });
    // The pane has the field to unlock it: a reason stands there only where there is one.
    const locked = { state: 'locked', keyCount: 1, message: null };
    expect(await vault.handlers['vault.lock']({})).toMatchObject(locked);
    await expect(vault.getSigningKey('local')).rejects.toMatchObject({ code: 'vault.locked' });
    await expect(vault.getCredentials('local')).rejects.toMatchObject({ code: 'vault.locked' });
    await expect(importKey(vault, 1)).rejects.toMatchObject({ code: 'vault.locked' });
    expect((await vault.handlers['keys.list']({})).keys).toEqual([{ ...key, isLocked: true }]);
    await expect(vault.handlers['vault.unlock']({ passphrase: 'wrong' })).rejects.toMatchObject({
      code: 'vault.wrong_passphrase',
    });
    expect(await vault.handlers['vault.unlock']({ passphrase: PASSPHRASE })).toMatchObject({
      state: 'unlocked',
    });
    expect(await vault.getCredentials('local')).toEqual({ consumerKey: 'ck', consumerSecret: 'cs' });
    expect(events).toContain('vault.changed');
  });

  it('takes the passphrase in any Unicode form', async () => {
    await importKey(openVault({ passphrase: 'pässphrase'.normalize('NFC') }));
    const vault = openVault();
    const status = await vault.handlers['vault.unlock']({ passphrase: 'pässphrase'.normalize('NFD') });
    expect(status.state).toBe('unlocked');
  });

  it('replaces a key file by a passphrase, and removes the file', async () => {
    const vault = openVault();
    await importKey(vault, 0, 'local');
    await vault.handlers['vault.setPassphrase']({ current: null, next: PASSPHRASE });
    expect(existsSync(join(directory, 'vault.key'))).toBe(false);
    expect(await vault.status()).toMatchObject({ state: 'unlocked', box: 'passphrase', message: null });
    expect(await openVault().status()).toMatchObject({ state: 'locked', message: expect.any(String) });
    const other = openVault({ passphrase: PASSPHRASE });
    expect((await other.getSigningKey('local')).name).toBe('key 0');
  });

  it('changes a passphrase only for who knows the one before', async () => {
    const vault = openVault({ passphrase: PASSPHRASE });
    await importKey(vault);
    const change = vault.handlers['vault.setPassphrase'];
    await expect(change({ current: null, next: 'the next one' })).rejects.toMatchObject({
      code: 'vault.wrong_passphrase',
    });
    await expect(change({ current: 'no', next: 'the next one' })).rejects.toMatchObject({
      code: 'vault.wrong_passphrase',
    });
    await change({ current: PASSPHRASE, next: 'the next one' });
    await expect(openVault().handlers['vault.unlock']({ passphrase: PASSPHRASE })).rejects.toMatchObject({
      code: 'vault.wrong_passphrase',
    });
    expect(await openVault({ passphrase: 'the next one' }).status()).toMatchObject({ state: 'unlocked' });
  });

  it('locks by itself after the time set, counted from the last use', async () => {
    const vault = openVault({ passphrase: PASSPHRASE, autoLockMinutes: () => 10 });
    await importKey(vault, 0, 'local');
    now += 9 * 60_000;
    await vault.getSigningKey('local');
    now += 9 * 60_000;
    expect(await vault.status()).toMatchObject({ state: 'unlocked' });
    now += 60_000;
    expect(await vault.status()).toMatchObject({ state: 'locked' });
    await expect(vault.getSigningKey('local')).rejects.toMatchObject({ code: 'vault.locked' });
  });
});

describe('a vault that cannot be opened', () => {
  it('stays as it is without its keychain, or with another one', async () => {
    await importKey(openVault({ osKeychain: createKeychain() }), 0, 'local');
    const before = vaultText();
    for (const osKeychain of [null, createKeychain()]) {
      const vault = openVault({ osKeychain });
      expect(await vault.status()).toMatchObject({ state: 'locked', box: 'os_keychain', keyCount: 1 });
      await expect(importKey(vault, 1)).rejects.toMatchObject({ code: 'vault.locked' });
      await expect(
        vault.handlers['vault.setPassphrase']({ current: null, next: PASSPHRASE }),
      ).rejects.toMatchObject({
        code: 'vault.locked',
      });
      await expect(vault.handlers['keys.delete']({ id: 'x' })).rejects.toMatchObject({
        code: 'vault.locked',
      });
    }
    expect(vaultText()).toBe(before);
    expect(existsSync(join(directory, 'vault.key'))).toBe(false);
  });

  it('stays as it is without its key file, and opens again with it', async () => {
    await importKey(openVault());
    const keyFile = join(directory, 'vault.key');
    const content = readFileSync(keyFile);
    unlinkSync(keyFile);
    const vault = openVault();
    const status = await vault.status();
    expect(status).toMatchObject({ state: 'locked', box: 'key_file' });
    expect(status.message).toContain('vault.key');
    await expect(importKey(vault, 1)).rejects.toMatchObject({ code: 'vault.locked' });
    expect(existsSync(keyFile)).toBe(false);
    writeFileSync(keyFile, content, { mode: 0o600 });
    expect(await vault.handlers['vault.unlock']({ passphrase: '' })).toMatchObject({ state: 'unlocked' });
  });

  it.each([
    ['cut in half', (text: string) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['of another program', () => '{"format": "other", "version": 1, "master": {}, "records": []}'],
    ['from a newer version', (text: string) => text.replace('"version": 2', '"version": 3')],
    [
      'with a byte that is not text',
      (text: string) => Buffer.concat([Buffer.from(text), Buffer.from([0xff])]),
    ],
    ['with a part twice', (text: string) => text.replace('{', '{ "records": [],')],
  ])('is left untouched and refuses writes when it is %s', async (_name, spoil) => {
    await importKey(openVault());
    const file = join(directory, 'vault.json');
    writeFileSync(file, spoil(vaultText()));
    const spoilt = readFileSync(file);
    const vault = openVault();
    const status = await vault.status();
    expect(status.state).toBe('unreadable');
    expect(status.message).toContain('left as it is');
    for (const act of [
      () => importKey(vault, 1),
      () => vault.saveCredentials('local', { consumerKey: 'a', consumerSecret: 'b' }),
      () => vault.getSigningKey('local'),
      () => vault.handlers['vault.unlock']({ passphrase: PASSPHRASE }),
      () => vault.handlers['vault.setPassphrase']({ current: null, next: PASSPHRASE }),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'vault.unreadable' });
    }
    expect(readFileSync(file).equals(spoilt)).toBe(true);
    expect(await vault.facts('local')).toEqual({
      keyId: null,
      hasCredentials: false,
      holdsSecrets: false,
      sealedParts: [],
    });
  });
});

describe('records that this version cannot read', () => {
  it('keep their bytes, unknown fields and odd white space included, through every kind of write', async () => {
    const vault = openVault();
    const key = await importKey(vault, 0, 'local');
    const odd = '{  "id":"x1","kind" : "passkey", "n": 1.00e+2, "later":[1,\n2 ] , "sealed": "what" }';
    const text = vaultText()
      .replace('"records": [', `"records": [ ${odd},`)
      .replace('"version": 2,', '"version": 2,\n  "future": {"keep":  [1.0, "me"]},');
    writeFileSync(join(directory, 'vault.json'), text);
    expect((await vault.status()).message).toContain('1 of the vault');
    await importKey(vault, 1);
    await vault.handlers['keys.update']({ id: key.id, name: 'renamed' });
    await vault.saveCredentials('local', { consumerKey: 'a', consumerSecret: 'b' });
    await vault.handlers['keys.delete']({ id: key.id });
    await vault.handlers['vault.setPassphrase']({ current: null, next: PASSPHRASE });
    expect(vaultText()).toContain(odd);
    expect(vaultText()).toContain('"future": {"keep":  [1.0, "me"]}');
    expect((await vault.handlers['keys.list']({})).keys.map(({ name }) => name)).toEqual(['key 1']);
  });

  it('keep fields that this version does not know in a record it changes', async () => {
    const vault = openVault();
    await vault.store.edit(() => {
      const fields = { id: 'k', kind: 'key', name: 'n', environment: null, created_at: 1, later: { a: 1 } };
      return { changes: [{ kind: 'add', fields, secret: Buffer.from('s') }], result: undefined };
    });
    await vault.handlers['keys.update']({ id: 'k', name: 'm' });
    expect(vaultText()).toContain('"later":{"a":1}');
  });

  it('are shown as locked and never overwritten when they are damaged', async () => {
    const vault = openVault();
    await vault.saveCredentials('local', { consumerKey: 'a', consumerSecret: 'b' });
    const damaged = vaultText().replace('"name":"local"', '"name":"locaX"');
    writeFileSync(join(directory, 'vault.json'), damaged);
    await expect(vault.getCredentials('local')).rejects.toMatchObject({ code: 'vault.damaged' });
    await vault.saveCredentials('local', { consumerKey: 'c', consumerSecret: 'd' });
    expect(await vault.getCredentials('local')).toEqual({ consumerKey: 'c', consumerSecret: 'd' });
    expect(vaultText()).toContain('"name":"locaX"');
    const { credentials } = await vault.handlers['credentials.list']({});
    expect(credentials.map(({ isLocked }) => isLocked)).toEqual([true, false]);
  });
});

describe('keys', () => {
  it('are generated, listed with what is public of them, and sign', async () => {
    const vault = openVault();
    const key = await vault.generateKey({ name: 'Sandbox', bits: 2048, environment: 'local' });
    expect(key).toMatchObject({
      name: 'Sandbox',
      bits: 2048,
      exponent: 65_537,
      origin: 'generated',
      isLocked: false,
    });
    const signing = await vault.getSigningKey('local');
    const signature = sign('sha256', Buffer.from('x'), signing.privateKey);
    expect(verify('sha256', Buffer.from('x'), createPublicKey(key.publicKeyPem), signature)).toBe(true);
    expect(await vault.listPublicKeys()).toEqual([key]);
    expect(JSON.stringify(key)).not.toContain('PRIVATE');
  });

  it('of an environment come before those of none, the newest first', async () => {
    const vault = openVault();
    const unbound = await importKey(vault, 0);
    expect((await vault.getSigningKey('local')).id).toBe(unbound.id);
    const bound = await importKey(vault, 1, 'local');
    await importKey(vault, 2, 'production');
    expect((await vault.getSigningKey('local')).id).toBe(bound.id);
    expect((await vault.facts('local')).keyId).toBe(bound.id);
    await vault.handlers['keys.delete']({ id: unbound.id });
    await expect(vault.getSigningKey('staging')).rejects.toMatchObject({ code: 'keys.none_for_environment' });
  });

  it('of one environment are refused in another unless its name is typed', async () => {
    const vault = openVault();
    const key = await importKey(vault, 0, 'sandbox');
    const refusal = {
      code: 'keys.wrong_environment',
      details: { keyEnvironment: 'sandbox', environment: 'production' },
    };
    await expect(vault.getSigningKey('production', key.id)).rejects.toMatchObject(refusal);
    await expect(vault.getSigningKey('production', key.id, 'sandbox')).rejects.toMatchObject(refusal);
    expect((await vault.getSigningKey('production', key.id, 'production')).id).toBe(key.id);
  });

  it('are not kept twice', async () => {
    const vault = openVault();
    await importKey(vault, 0);
    await expect(importKey(vault, 0, 'production')).rejects.toMatchObject({
      code: 'keys.duplicate',
      details: { name: 'key 0' },
    });
  });

  it('follow their environment to its new name, credentials too', async () => {
    const vault = openVault();
    await importKey(vault, 0, 'old');
    await vault.saveCredentials('old', { consumerKey: 'a', consumerSecret: 'b' });
    await vault.renameEnvironment('old', 'new');
    expect((await vault.getSigningKey('new')).name).toBe('key 0');
    expect(await vault.getCredentials('new')).toEqual({ consumerKey: 'a', consumerSecret: 'b' });
    expect(await vault.facts('old')).toEqual({
      keyId: null,
      hasCredentials: false,
      holdsSecrets: false,
      sealedParts: [],
    });
  });

  it('are recognised when someone inspects or checks a pair', async () => {
    const vault = openVault();
    const key = await importKey(vault, 0, 'local');
    const seen = await vault.handlers['keys.inspect']({ text: pems[0]! });
    expect(seen).toMatchObject({ kind: 'private', vaultKeyIds: [key.id], environments: ['local'] });
    expect(JSON.stringify(seen)).not.toMatch(/privateKey|PRIVATE/);
    const check = vault.handlers['keys.checkPair'];
    expect(await check({ id: key.id, publicKeyText: key.publicKeyPem })).toMatchObject({ matches: true });
    const other = createPublicKey(pems[1]!).export({ type: 'spki', format: 'pem' }).toString();
    expect(await check({ id: key.id, publicKeyText: other })).toMatchObject({ matches: false });
  });

  it('leave only encrypted, by name, and never through the web host', async () => {
    const vault = openVault();
    const { id } = await importKey(vault, 0);
    const exportKey = vault.handlers['keys.exportPrivate'];
    await expect(exportKey({ id, passphrase: 'export it', confirmName: 'key' })).rejects.toMatchObject({
      code: 'keys.confirmation_wrong',
    });
    const { encryptedPem } = await exportKey({ id, passphrase: 'export it', confirmName: 'key 0' });
    expect(encryptedPem).toContain('BEGIN ENCRYPTED PRIVATE KEY');
    const web = openVault({ host: 'web' });
    await expect(
      web.handlers['keys.exportPrivate']({ id, passphrase: 'export it', confirmName: 'key 0' }),
    ).rejects.toMatchObject({ code: 'keys.export_refused' });
  });
});

describe('credentials', () => {
  it('show the ends of the consumer key alone', async () => {
    const vault = openVault();
    await vault.saveCredentials('local', {
      consumerKey: 'ck_abcdefghijklmnop',
      consumerSecret: 'never shown',
    });
    await vault.saveCredentials('short', { consumerKey: 'abc', consumerSecret: 'never shown' });
    const { credentials } = await vault.handlers['credentials.list']({});
    expect(credentials.map(({ consumerKeyMasked }) => consumerKeyMasked)).toEqual(['ck_a…mnop', '••••••••']);
    await vault.handlers['credentials.delete']({ environment: 'local' });
    expect(await vault.getCredentials('local')).toBeNull();
  });

  it('are refused for an environment that is not there', async () => {
    const vault = openVault({ hasEnvironment: (name) => name === 'local' });
    const save = vault.handlers['credentials.save'];
    await save({ environment: 'local', product: null, consumerKey: 'a', consumerSecret: 'b' });
    await expect(
      save({ environment: 'nowhere', product: null, consumerKey: 'a', consumerSecret: 'b' }),
    ).rejects.toMatchObject({
      code: 'environments.unknown',
    });
  });
});

describe('two vaults over one file', () => {
  it('see each other’s writes and lose none, also when both make the file', async () => {
    const one = openVault();
    const two = openVault();
    await Promise.all([
      importKey(one, 0),
      importKey(two, 1),
      one.saveCredentials('a', { consumerKey: '1', consumerSecret: '1' }),
      two.saveCredentials('b', { consumerKey: '2', consumerSecret: '2' }),
    ]);
    for (const vault of [one, two, openVault()]) {
      expect((await vault.handlers['keys.list']({})).keys.filter(({ isLocked }) => !isLocked)).toHaveLength(
        2,
      );
      expect(await vault.getCredentials('a')).toEqual({ consumerKey: '1', consumerSecret: '1' });
      expect(await vault.getCredentials('b')).toEqual({ consumerKey: '2', consumerSecret: '2' });
    }
  });

  it('stay open when one of them changes the passphrase', async () => {
    const one = openVault();
    const two = openVault();
    await importKey(one, 0, 'local');
    await two.getSigningKey('local');
    await one.handlers['vault.setPassphrase']({ current: null, next: PASSPHRASE });
    await importKey(two, 1);
    expect((await one.handlers['keys.list']({})).keys).toHaveLength(2);
  });

  it('drop what they had open when another vault takes the place', async () => {
    const vault = openVault();
    await importKey(vault, 0, 'local');
    await vault.getSigningKey('local');
    const other = vaultText().replace(/"key_id": "[0-9a-f]{32}"/, `"key_id": "${'0'.repeat(32)}"`);
    writeFileSync(join(directory, 'vault.json'), other);
    expect(await vault.status()).toMatchObject({ state: 'locked' });
    await expect(vault.getSigningKey('local')).rejects.toMatchObject({ code: 'vault.locked' });
  });
});

describe('every sealed value', () => {
  it('has a nonce of its own, and names its key', async () => {
    const vault = openVault();
    for (let count = 0; count < 40; count++) {
      await vault.saveCredentials(`e${count % 20}`, { consumerKey: 'same', consumerSecret: 'same' });
    }
    const { master, records } = JSON.parse(vaultText()) as {
      master: { key_id: string; check: { data: string } };
      records: { sealed: { data: string; key_id: string } }[];
    };
    const nonces = [master.check, ...records.map(({ sealed }) => sealed)].map(({ data }) =>
      Buffer.from(data, 'base64').subarray(0, 12).toString('hex'),
    );
    expect(new Set(nonces).size).toBe(21);
    expect(records.every(({ sealed }) => sealed.key_id === master.key_id)).toBe(true);
  });

  it('cannot take the place of another', async () => {
    const vault = openVault();
    await vault.saveCredentials('a', { consumerKey: 'a', consumerSecret: 'secret of a' });
    await vault.saveCredentials('b', { consumerKey: 'b', consumerSecret: 'secret of b' });
    const [one, two] = [...vaultText().matchAll(/"data":"([^"]+)"\}\}/g)].map((match) => match[1]!);
    const swapped = vaultText().replace(one!, '#').replace(two!, one!).replace('#', two!);
    writeFileSync(join(directory, 'vault.json'), swapped);
    await expect(vault.getCredentials('a')).rejects.toMatchObject({ code: 'vault.damaged' });
    await expect(vault.getCredentials('b')).rejects.toMatchObject({ code: 'vault.damaged' });
  });
});
