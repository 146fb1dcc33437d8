import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { createEventBus } from '../../platform/event-bus';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { createVaultService, type VaultService } from './create-vault-service';
import { generatePrivateKey, writePrivatePem } from './key-forms/key-making';
import { readDocument } from './vault-document';
import { makeTemporaryFolder } from '../../../test/support/temporary';

let directory: string;
let file: string;
let keyFile: string;
let whole: Buffer;
let wholeKey: Buffer;
let pem: string;

function openVault(): VaultService {
  const vault = createVaultService({
    ports: {
      clock: systemClock,
      random: systemRandom,
      logger: { log: () => undefined },
      dataDirectory: directory,
      osKeychain: null,
      host: 'cli',
    },
    events: createEventBus(),
    passphrase: null,
  });
  vault.close();
  return vault;
}

/** Everything a user may do; each step works, or says with a code of ours why not. */
async function useEverything(vault: VaultService): Promise<number> {
  const steps: (() => unknown)[] = [
    () => vault.status(),
    () => vault.handlers['keys.list']({}),
    () => vault.getSigningKey('local'),
    () => vault.getCredentials('local'),
    () => vault.saveCredentials('other', { consumerKey: 'a', consumerSecret: 'b' }),
  ];
  let failures = 0;
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect((error as AppError).code).toMatch(/^(vault|keys)\./);
      failures++;
    }
  }
  return failures;
}

/** Tells that `after` is `before` with something put in at one place, or the same. */
function keepsEveryByte(before: Buffer, after: Buffer): boolean {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return start + end === before.length;
}

beforeAll(async () => {
  directory = makeTemporaryFolder('corrupt');
  file = join(directory, 'vault.json');
  keyFile = join(directory, 'vault.key');
  pem = writePrivatePem(await generatePrivateKey(2048));
  const vault = openVault();
  await vault.handlers['keys.import']({ name: 'key', text: pem, environment: 'local' });
  await vault.saveCredentials('local', { consumerKey: 'ck', consumerSecret: 'cs' });
  whole = readFileSync(file);
  wholeKey = readFileSync(keyFile);
});

describe('vault.json with one byte changed', () => {
  it('is read, or refused with a code, wherever the byte stands', () => {
    let refused = 0;
    for (let at = 0; at < whole.length; at++) {
      const spoilt = Buffer.from(whole);
      spoilt[at] = spoilt[at]! ^ (1 << (at % 8));
      try {
        readDocument(spoilt);
      } catch (error) {
        expect((error as AppError).code, `byte ${at}`).toBe('vault.unreadable');
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  it('never crashes and never loses a byte, whatever is done with it', async () => {
    for (let at = 0; at < whole.length; at += 23) {
      const spoilt = Buffer.from(whole);
      spoilt[at] = spoilt[at]! ^ (1 << (at % 7));
      writeFileSync(file, spoilt);
      writeFileSync(keyFile, wholeKey);
      await useEverything(openVault());
      expect(keepsEveryByte(spoilt, readFileSync(file)), `byte ${at}`).toBe(true);
      expect(readFileSync(keyFile).equals(wholeKey), `byte ${at}`).toBe(true);
    }
  });

  it('never gives another secret than the one that was put in', async () => {
    for (let at = 5; at < whole.length; at += 61) {
      const spoilt = Buffer.from(whole);
      spoilt[at] = spoilt[at]! ^ 1;
      writeFileSync(file, spoilt);
      writeFileSync(keyFile, wholeKey);
      const vault = openVault();
      const credentials = await vault.getCredentials('local').catch(() => null);
      if (credentials !== null) expect(credentials).toEqual({ consumerKey: 'ck', consumerSecret: 'cs' });
      const key = await vault.getSigningKey('local').catch(() => null);
      if (key !== null) expect(writePrivatePem(key.privateKey)).toBe(pem);
    }
  });
});

describe('vault.json cut short', () => {
  it('is unreadable at any length, and left as it is', async () => {
    for (let length = 0; length < whole.length - 2; length += 211) {
      const spoilt = whole.subarray(0, length);
      writeFileSync(file, spoilt);
      expect(await useEverything(openVault()), `length ${length}`).toBe(4);
      expect(readFileSync(file).equals(spoilt), `length ${length}`).toBe(true);
    }
  });
});

describe('vault.key with one byte changed', () => {
  it('locks the vault and changes neither file', async () => {
    for (let at = 0; at < wholeKey.length; at += 5) {
      const spoilt = Buffer.from(wholeKey);
      spoilt[at] = spoilt[at]! ^ 2;
      writeFileSync(file, whole);
      writeFileSync(keyFile, spoilt);
      const vault = openVault();
      const before = await vault.status();
      await useEverything(vault);
      expect(readFileSync(keyFile).equals(spoilt), `byte ${at}`).toBe(true);
      if (before.state !== 'unlocked') expect(readFileSync(file).equals(whole), `byte ${at}`).toBe(true);
    }
  });
});

describe.skipIf(process.platform === 'win32')('a pipe in the place of', () => {
  it.each(['vault.json', 'vault.key'])('%s is refused and not waited for', async (name) => {
    writeFileSync(file, whole);
    writeFileSync(keyFile, wholeKey);
    rmSync(join(directory, name));
    execFileSync('mkfifo', [join(directory, name)]);
    expect(await useEverything(openVault())).toBeGreaterThan(2);
    rmSync(join(directory, name));
  });
});

it('a vault.json nested without end is called so', async () => {
  writeFileSync(file, `{"version":1,"a":${'['.repeat(200_000)}`);
  expect(await openVault().status()).toMatchObject({
    state: 'unreadable',
    message: expect.stringMatching(
      /^vault\.json cannot be read: it is nested too deep\. It was left as it is\./,
    ),
  });
});

it('a vault.json of another version is left for that version, not for a backup of it', async () => {
  writeFileSync(file, String(whole).replace(/"version": \d+/, '"version": 97'));
  const { message } = await openVault().status();
  expect(message).toBe(
    'vault.json cannot be read: it was written by another version of Countersign (format 97). It was left as it is. Use that version, or move it away to start an empty vault.',
  );
});

it.runIf(process.platform === 'linux')(
  'a vault.json that the system fails to read is no question of rights',
  async () => {
    rmSync(file);
    symlinkSync('/proc/self/mem', file);
    expect(await openVault().status()).toMatchObject({
      state: 'unreadable',
      message: expect.stringMatching(/cannot be read: the system says EIO\. It was left as it is\.$/),
    });
    rmSync(file);
  },
);

describe.skipIf(process.platform === 'win32')('a vault.json that is a link', () => {
  it('stays one: what it leads to is written', async () => {
    const target = join(directory, 'elsewhere.json');
    writeFileSync(keyFile, wholeKey);
    writeFileSync(target, whole);
    rmSync(file, { force: true });
    symlinkSync(target, file);
    expect(await useEverything(openVault())).toBe(0);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target).length).toBeGreaterThan(whole.length);
  });

  it('to something that is away begins no other vault in its place', async () => {
    rmSync(join(directory, 'elsewhere.json'));
    const vault = openVault();
    expect(await useEverything(vault)).toBe(4);
    expect(await vault.status()).toMatchObject({
      state: 'unreadable',
      message: expect.stringContaining('a link'),
    });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
  });
});

describe('a link in the place of vault.json that leads to nothing', () => {
  it.each(['nowhere', 'vault.json'])(
    'is told of once, and not as a new vault each time (%s)',
    async (target) => {
      directory = makeTemporaryFolder('vault-link');
      symlinkSync(join(directory, target), join(directory, 'vault.json'));
      const events = createEventBus();
      let toldCount = 0;
      events.subscribe('vault.changed', () => toldCount++);
      const vault = createVaultService({
        ports: {
          clock: systemClock,
          random: systemRandom,
          logger: { log: () => undefined },
          dataDirectory: directory,
          osKeychain: null,
          host: 'cli',
        },
        events,
        passphrase: null,
      });
      for (let look = 0; look < 3; look++)
        expect(await vault.status()).toMatchObject({
          state: 'unreadable',
          message: expect.stringContaining('is a link to something that is not there'),
        });
      await expect(vault.generateKey({ name: 'k', bits: 2048, environment: 'local' })).rejects.toThrow(
        'a link to',
      );
      vault.close();
      expect(toldCount).toBe(0);
    },
  );
});
