import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reply } from '@shared/contract/define';
import { expect, startApp, test, type RunningApp } from './fixtures';

test.skip(
  !process.env['COUNTERSIGN_TEST_KEYRING'],
  'no Secret Service here (dbus-run-session and gnome-keyring-daemon)',
);

const body =
  '{"transaction":{"reference":"R-1","amount":1000,"service_code":"MPESA-KE"},"originator":{"country":"KE"}}';

// Each of these starts the app several times.
test.describe.configure({ timeout: 120_000 });

let dataDirectory: string;
test.beforeEach(() => (dataDirectory = mkdtempSync(join(tmpdir(), 'countersign-e2e-vault-'))));
test.afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));

const vaultFile = (): string => join(dataDirectory, 'vault.json');

/** Runs the app once over the data directory, and ends it whatever happens. */
async function withApp<T>(
  use: (app: RunningApp) => Promise<T>,
  directory: string = dataDirectory,
): Promise<T> {
  const app = await startApp('electron', directory);
  try {
    return await use(app);
  } finally {
    await app.stop();
  }
}

/** Calls the contract over the bridge, as the page does. */
function call(app: RunningApp, method: string, input: unknown = {}): Promise<Reply<Record<string, unknown>>> {
  return app.page.evaluate(
    async ([name, value]) => {
      const { countersign } = window as unknown as {
        countersign: { call(method: string, input: unknown): Promise<Reply<Record<string, unknown>>> };
      };
      return countersign.call(name, value);
    },
    [method, input] as const,
  );
}

async function readValue(
  app: RunningApp,
  method: string,
  input: unknown = {},
): Promise<Record<string, unknown>> {
  const reply = await call(app, method, input);
  if (!reply.ok) throw new Error(`${method}: ${reply.error.message}`);
  return reply.value;
}

const sign = (app: RunningApp): Promise<Record<string, unknown>> =>
  readValue(app, 'signing.sign', { environment: 'local', body });

interface MadeVault {
  directory: string;
  status: Record<string, unknown>;
  signed: Record<string, unknown>;
  /** What the keychain makes of a text that is none of ours, in Base64. */
  foreign: string;
}
let made: Promise<MadeVault> | null = null;
test.afterAll(async () => {
  if (made !== null) rmSync((await made).directory, { recursive: true, force: true });
});

/** Puts a vault with a key that has signed into the data directory: made by the app, once for all of these. */
async function placeVault(): Promise<MadeVault> {
  made ??= makeVault();
  const vault = await made;
  cpSync(vault.directory, dataDirectory, { recursive: true });
  return vault;
}

async function makeVault(): Promise<MadeVault> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-e2e-vault-'));
  return withApp(
    async (app) => ({
      directory,
      status: await readValue(app, 'vault.status'),
      signed: await sign(app),
      foreign: await app.electron!.evaluate(({ safeStorage }) =>
        safeStorage.encryptString('what another vault holds').toString('base64'),
      ),
    }),
    directory,
  );
}

/** Replaces one value of the file, and leaves every other byte. */
function damage(pattern: RegExp, change: (value: string) => string): Buffer {
  const text = readFileSync(vaultFile(), 'utf8');
  const changed = text.replace(pattern, (_whole, before: string, value: string) => before + change(value));
  expect(changed).not.toBe(text);
  writeFileSync(vaultFile(), changed);
  return readFileSync(vaultFile());
}

/** A whole frame of the keychain's box around sealed bytes: magic, checksum, length of the header (none), bytes. */
function frame(sealed: Buffer): Buffer {
  const magic = Buffer.from('CSO1', 'latin1');
  const rest = Buffer.concat([Buffer.from([0]), sealed]);
  const checksum = createHash('sha256').update(magic).update(rest).digest().subarray(0, 8);
  return Buffer.concat([magic, checksum, rest]);
}

const flipInside = (value: string): string =>
  value.slice(0, 60) + (value[60] === 'A' ? 'B' : 'A') + value.slice(61);

test('the keyring seals the vault; the key signs the same after a restart', async () => {
  const { status, signed: first } = await placeVault();
  expect(status).toMatchObject({ state: 'unlocked', box: 'os_keychain', message: null });
  const sealed = readFileSync(vaultFile(), 'utf8');
  expect(sealed).not.toContain('PRIVATE KEY');
  expect(sealed).toContain('"os_keychain"');

  const second = await withApp(sign);
  expect(second['keyId']).toBe(first['keyId']);
  expect(second['signature']).toBe(first['signature']);
  expect(readFileSync(vaultFile(), 'utf8')).toBe(sealed);
});

test('a vault of another keyring is locked, says so, and is not written to', async () => {
  const { foreign } = await placeVault();
  const own = readFileSync(vaultFile());
  // The master key as another keychain entry would have sealed it: a sound frame that this one does not open.
  const sealed = frame(Buffer.from(foreign, 'base64'));
  const before = damage(/("sealed":\s*")([^"]+)/, () => sealed.toString('base64'));

  await withApp(async (app) => {
    const status = await readValue(app, 'vault.status');
    expect(status).toMatchObject({ state: 'locked', box: 'os_keychain' });
    expect(status['message']).toMatch(/keychain.*kept as it is/);
    const refused = await call(app, 'signing.sign', { environment: 'local', body });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: expect.stringMatching(/^vault\./) as unknown },
    });
    const made = await call(app, 'keys.generate', { name: 'New', environment: null });
    expect(made).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^vault\./) as unknown } });
  });
  expect(readFileSync(vaultFile()).equals(before)).toBe(true);

  writeFileSync(vaultFile(), own);
  await withApp(async (app) => expect((await readValue(app, 'vault.status'))['state']).toBe('unlocked'));
});

test('a damaged master key, a damaged record and a damaged file are told apart, and stay as they are', async () => {
  await placeVault();
  const own = readFileSync(vaultFile());
  const cases = [
    { pattern: /("sealed":\s*")([^"]+)/, change: flipInside, state: 'locked', says: /master key.*damaged/ },
    {
      pattern: /("records"[\s\S]*?"data":\s*")([^"]+)/,
      change: flipInside,
      state: 'unlocked',
      says: /1 of the vault's entries cannot be opened/,
    },
    {
      pattern: /(^)(\{)/,
      change: () => '',
      state: 'unreadable',
      says: /vault\.json cannot be read: line \d/,
    },
  ];
  for (const { pattern, change, state, says } of cases) {
    writeFileSync(vaultFile(), own);
    const before = damage(pattern, change);
    await withApp(async (app) => {
      const status = await readValue(app, 'vault.status');
      expect(status['state']).toBe(state);
      expect(status['message']).toMatch(says);
    });
    expect(readFileSync(vaultFile()).equals(before)).toBe(true);
  }
});
