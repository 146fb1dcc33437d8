import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { createEventBus } from '../../platform/event-bus';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { createVaultService, type VaultDeps, type VaultService } from './create-vault-service';
import { generatePrivateKey, writePrivatePem } from './key-forms/key-making';

const PASSPHRASE = 'a long passphrase';
let directory: string;
let pems: string[];
const open: VaultService[] = [];
const vaultText = () => readFileSync(join(directory, 'vault.json'), 'utf8');

function openVault(deps: Partial<VaultDeps> = {}): VaultService {
  const ports = {
    clock: systemClock,
    random: systemRandom,
    logger: { log: () => undefined },
    dataDirectory: directory,
    osKeychain: null,
    host: 'cli' as const,
  };
  const vault = createVaultService({ ports, events: createEventBus(), passphrase: null, ...deps });
  open.push(vault);
  return vault;
}

const importKey = (vault: VaultService, index: number, environment: string | null = null) =>
  vault.handlers['keys.import']({ name: `key ${index}`, text: pems[index]!, environment });

beforeAll(async () => {
  const keys = await Promise.all([generatePrivateKey(2048), generatePrivateKey(2048)]);
  pems = keys.map((key) => writePrivatePem(key));
});
beforeEach(() => {
  directory = makeTemporaryFolder('vault');
});
afterEach(() => {
  for (const vault of open.splice(0)) vault.close();
});

describe('a vault of version 1, whose records name their environment', () => {
  const identifyEnvironment = (name: string) => (name === 'local' ? name : `data/${name}`);
  /** As it was written: the names are sealed in with the records. */
  const writeFormer = async (): Promise<string> => {
    const vault = openVault();
    await importKey(vault, 0, 'staging');
    await importKey(vault, 1);
    await vault.saveCredentials('staging', { consumerKey: 'a', consumerSecret: 'b' });
    await vault.saveCredentials('local', { consumerKey: 'c', consumerSecret: 'd' });
    const text = vaultText().replace('"version": 2', '"version": 1');
    writeFileSync(join(directory, 'vault.json'), text);
    return text;
  };

  it('binds them to what the names mean, once, and keeps a copy of the file', async () => {
    const former = await writeFormer();
    const vault = openVault({ identifyEnvironment });
    expect(await vault.facts('data/staging')).toEqual({
      keyId: expect.any(String),
      hasCredentials: true,
      holdsSecrets: true,
      sealedParts: [],
    });
    expect(await vault.getCredentials('data/staging')).toMatchObject({
      consumerKey: 'a',
      consumerSecret: 'b',
    });
    expect(await vault.getCredentials('local')).toMatchObject({ consumerKey: 'c' });
    expect((await vault.getSigningKey('data/staging')).name).toBe('key 0');
    expect(await vault.getCredentials('staging')).toBeNull();
    expect(readFileSync(join(directory, 'vault.json.before-2'), 'utf8')).toBe(former);
    // Another meaning later changes nothing.
    const later = openVault({ identifyEnvironment: (name) => `c1/${name}` });
    expect(await later.getCredentials('data/staging')).toMatchObject({ consumerKey: 'a' });
    expect(await later.getCredentials('c1/staging')).toBeNull();
    expect(readdirSync(directory).filter((name) => name.includes('before'))).toEqual(['vault.json.before-2']);
  });

  it('keeps one copy of it however often that was killed before its end', async () => {
    const former = await writeFormer();
    const copies = (): string[] => readdirSync(directory).filter((name) => name.includes('before'));
    for (const again of [1, 2, 3]) {
      writeFileSync(join(directory, 'vault.json'), former);
      await openVault({ identifyEnvironment }).getCredentials('local');
      expect([again, copies()]).toEqual([again, ['vault.json.before-2']]);
    }
    writeFileSync(join(directory, 'vault.json'), `${former}\n`);
    await openVault({ identifyEnvironment }).getCredentials('local');
    expect(copies()).toEqual(['vault.json.before-2', 'vault.json.before-2.2']);
    expect(readFileSync(join(directory, 'vault.json.before-2'), 'utf8')).toBe(former);
  });

  it('is brought up to date with the first unlocking, and keeps what cannot be opened', async () => {
    const vault = openVault();
    await vault.handlers['vault.setPassphrase']({ current: null, next: PASSPHRASE });
    await importKey(vault, 0, 'staging');
    await importKey(vault, 1, 'staging');
    const former = vaultText()
      .replace('"version": 2', '"version": 1')
      .replace('"name":"key 1"', '"name":"key X"');
    writeFileSync(join(directory, 'vault.json'), former);
    const locked = openVault({ identifyEnvironment });
    expect((await locked.status()).state).toBe('locked');
    expect((await locked.facts('data/staging')).keyId).not.toBeNull();
    expect(vaultText()).toBe(former);
    await locked.handlers['vault.unlock']({ passphrase: PASSPHRASE });
    expect((await locked.getSigningKey('data/staging')).name).toBe('key 0');
    expect(vaultText()).toContain('"version": 2');
    expect(vaultText()).toContain('"name":"key X","environment":"staging"');
  });

  it('is brought up to date before a change of it', async () => {
    await writeFormer();
    const vault = openVault({ identifyEnvironment });
    await vault.saveCredentials('data/staging', { consumerKey: 'e', consumerSecret: 'f' });
    const { credentials } = await vault.handlers['credentials.list']({});
    expect(credentials.map(({ environment }) => environment)).toEqual(['data/staging', 'local']);
  });
});
