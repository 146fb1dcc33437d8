import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEventBus } from '../../electron/platform/event-bus';
import { createFileLogger } from '../../electron/platform/logger';
import { systemClock, systemRandom } from '../../electron/platform/node-ports';
import { usualSetup } from '@shared/contract/usual-setup';
import { createTokensService } from '../../electron/services/tokens/create-tokens-service';
import { createVaultService, type VaultService } from '../../electron/services/vault/create-vault-service';
import { findSentinels, plantSentinels } from '../support/secrets';
import { makeTemporaryFolder } from '../support/temporary';
import { endWithTests } from '../support/run-cli';

const root = resolve(import.meta.dirname, '../..');
/** Below node_modules, so that the built writer finds libsql. */
const builtWriter = join(root, 'node_modules/.cache/vault-writer');
let directory: string;

beforeAll(async () => {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    resolve: { alias: { '@shared': join(root, 'shared') } },
    build: {
      ssr: join(root, 'test/support/vault-writer.ts'),
      outDir: builtWriter,
      emptyOutDir: true,
      target: 'node20.18',
    },
  });
});
afterAll(() => rmSync(builtWriter, { recursive: true, force: true }));
beforeEach(() => (directory = makeTemporaryFolder('vault')));

function openVault(passphrase: string | null = null): { vault: VaultService; events: unknown[] } {
  const events: unknown[] = [];
  const bus = createEventBus();
  bus.subscribeAll((name, payload) => events.push({ name, payload }));
  const vault = createVaultService({
    ports: {
      clock: systemClock,
      random: systemRandom,
      logger: createFileLogger({ dataDirectory: directory, clock: systemClock, level: 'debug' }),
      dataDirectory: directory,
      osKeychain: null,
      host: 'cli',
    },
    events: bus,
    passphrase,
  });
  return { vault, events };
}

/** Starts a writer. `saved` grows with each name that it said is saved. */
function startWriter(
  name: string,
  count: number,
): { child: ChildProcess; saved: string[]; ended: Promise<number | null> } {
  const env = { ...process.env, COUNTERSIGN_PASSPHRASE: '' };
  const child = endWithTests(
    spawn(process.execPath, [join(builtWriter, 'vault-writer.js'), directory, name, String(count)], { env }),
  );
  const saved: string[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    saved.push(...lines);
  });
  child.stderr.pipe(process.stderr);
  return { child, saved, ended: new Promise((done) => child.once('close', (code) => done(code))) };
}

async function expectSaved(names: readonly string[]): Promise<void> {
  const { vault } = openVault();
  expect(await vault.status()).toMatchObject({ state: 'unlocked' });
  for (const name of names) {
    expect(await vault.getCredentials(name)).toEqual({
      consumerKey: name,
      consumerSecret: `secret of ${name}`,
    });
  }
  vault.close();
}

describe('several processes on one vault', () => {
  it('lose nothing of each other, from the first write that makes the file on', async () => {
    const writers = ['a', 'b', 'c'].map((name) => startWriter(name, 15));
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    const names = writers.flatMap(({ saved }) => saved);
    expect(names).toHaveLength(45);
    await expectSaved(names);
  });

  it('keep all that was saved when one is killed in the middle, and go on', async () => {
    const killed = startWriter('killed', 0);
    const steady = startWriter('steady', 20);
    const timer = setInterval(() => {
      if (killed.saved.length >= 10) killed.child.kill('SIGKILL');
    }, 1);
    expect(await steady.ended).toBe(0);
    await killed.ended;
    clearInterval(timer);
    expect(killed.saved.length).toBeGreaterThanOrEqual(10);
    await expectSaved([...killed.saved, ...steady.saved]);
  });
});

describe('secrets', () => {
  it('stand in no file, reply, event, error or log in any form', async () => {
    const sentinels = plantSentinels();
    const { consumerKey, consumerSecret, passphrase, token, privateKeyPem } = sentinels;
    const seen: unknown[] = [];
    const attempt = async (act: () => unknown): Promise<void> => {
      try {
        seen.push(await act());
      } catch (error) {
        seen.push(error, String((error as Error).stack), (error as { details?: unknown }).details);
      }
    };
    const { vault, events } = openVault();
    const { handlers } = vault;
    const answer = { access_token: token, product: 'payout', expires_in: 60 };
    const timings = {
      queueMs: 0,
      dnsMs: null,
      tlsMs: null,
      connectMs: 0,
      firstByteMs: 0,
      downloadMs: 0,
      totalMs: 0,
    };
    const tokens = createTokensService({
      listSessionSecrets: () => [],
      ports: {
        clock: systemClock,
        random: systemRandom,
        given: { token: null, credentials: null },
        http: async () => ({
          httpStatus: 200,
          headers: [],
          body: Buffer.from(JSON.stringify(answer)),
          isCut: false,
          timings,
        }),
      },
      vault,
      requireBound: async (id) => ({
        id,
        name: id,
        label: id,
        baseUrl: 'http://127.0.0.1:1',
        setup: usualSetup,
      }),
    });
    await attempt(() =>
      handlers['keys.import']({ name: 'sentinel', text: privateKeyPem, environment: null }),
    );
    await attempt(() => handlers['keys.import']({ name: 'again', text: privateKeyPem, environment: null }));
    await attempt(() =>
      handlers['keys.import']({ name: 'cut', text: privateKeyPem.slice(0, 900), environment: null }),
    );
    await attempt(() => handlers['keys.inspect']({ text: privateKeyPem }));
    await attempt(() =>
      handlers['credentials.save']({ environment: 'local', product: null, consumerKey, consumerSecret }),
    );
    await attempt(() => handlers['credentials.list']({}));
    await attempt(() => handlers['vault.setPassphrase']({ current: null, next: passphrase }));
    await attempt(() => handlers['vault.setPassphrase']({ current: `${passphrase}x`, next: passphrase }));
    await attempt(() =>
      tokens.handlers['tokens.fetch']({ environment: 'local', product: 'payout', isForced: false }),
    );
    await attempt(() => tokens.handlers['tokens.list']({}));
    await attempt(() => handlers['vault.lock']({}));
    await attempt(() => handlers['vault.unlock']({ passphrase: `${passphrase}x` }));
    await attempt(() => handlers['vault.unlock']({ passphrase }));
    await attempt(() => handlers['keys.list']({}));
    vault.close();
    expect(seen.filter((value) => value instanceof Error)).toHaveLength(4);
    expect(findSentinels(sentinels, { text: JSON.stringify(seen), name: 'replies' })).toEqual([]);
    expect(findSentinels(sentinels, { text: JSON.stringify(events), name: 'events' })).toEqual([]);
    expect(findSentinels(sentinels, { directory })).toEqual([]);
  });

  it('would be found if they did', () => {
    const sentinels = plantSentinels();
    const { privateKeyPem, consumerSecret, token } = sentinels;
    const forms = [
      `log line with ${consumerSecret}`,
      Buffer.from(`x${consumerSecret}`).toString('base64'),
      Buffer.from(consumerSecret, 'utf16le'),
      JSON.stringify({ token }),
      privateKeyPem.replace(/-----[^-]+-----|\n/g, ''),
      Buffer.from(privateKeyPem.replace(/-----[^-]+-----|\n/g, ''), 'base64').toString('hex'),
    ];
    for (const text of forms) expect(findSentinels(sentinels, { text })).not.toEqual([]);
  });
});
