import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { cliEntry } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

/** Whom root runs the commands as: root itself may read everything. */
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : null;
const directory = makeTemporaryFolder('closed-files');
const whole = join(directory, 'whole');
const data = join(directory, 'data');
const backup = join(directory, 'backup.tgz');

function run(
  args: readonly string[],
  input = '',
): { exitCode: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliEntry, ...args], {
    env: {
      PATH: process.env['PATH'],
      HOME: directory,
      COUNTERSIGN_PASSPHRASE: 'a passphrase of some length',
    },
    cwd: directory,
    input,
    encoding: 'utf8',
    timeout: 60_000,
    ...(user ?? {}),
  });
  return { exitCode: status, stdout, stderr };
}

function giveAway(path: string): void {
  if (user !== null) chownSync(path, user.uid, user.gid);
}

/** Below a folder that root keeps to itself, as `/root` is, nobody else can start the program. */
let isOutOfReach = false;

beforeAll(() => {
  mkdirSync(whole);
  giveAway(directory);
  giveAway(whole);
  isOutOfReach =
    user !== null && /EACCES|MODULE_NOT_FOUND|permission denied/i.test(run(['--version']).stderr);
  if (isOutOfReach) return;
  const calls = [
    ['settings.update', { theme: 'dark' }],
    ['keys.generate', { name: 'one' }],
    ['collections.list', {}],
    ['history.list', { limit: 1 }],
  ] as const;
  for (const [method, input] of calls) run(['call', method, '--data', whole], JSON.stringify(input));
  expect(readdirSync(whole)).toEqual(
    expect.arrayContaining(['collections', 'history.db', 'settings.json', 'vault.json']),
  );
});

beforeEach(({ skip }) =>
  skip(isOutOfReach, 'the tests run as root, below a folder that nobody else may enter'),
);
afterEach(() => {
  for (const name of existsSync(data) ? readdirSync(data) : []) chmodSync(join(data, name), 0o700);
  rmSync(data, { recursive: true, force: true });
  rmSync(backup, { force: true });
});

/** Makes a copy of the folder in which one file may not be read, as one that was made by root. */
function close(name: string): string {
  cpSync(whole, data, { recursive: true });
  for (const one of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })])
    giveAway(join(data, one));
  chmodSync(join(data, name), 0);
  return join(data, name);
}

/** What is in the folder, without what SQLite keeps beside a database, and locks. */
const listFiles = (): string[] =>
  readdirSync(data).filter((one) => !/-wal$|-shm$|\.closed$|\.lock$/.test(one));

const commands: readonly (readonly [file: string, args: readonly string[]])[] = [
  ['settings.json', ['call', 'settings.get']],
  ['settings.json', ['settings', 'export', join(directory, 'exported.json')]],
  ['settings.json', ['data', 'backup', backup]],
  ['vault.json', ['data', 'backup', backup]],
  ['collections', ['data', 'backup', backup]],
  ['collections/Payments API', ['data', 'backup', backup]],
  ['history.db', ['data', 'backup', backup]],
  ['history.db', ['call', 'history.list']],
  ['settings.lock', ['call', 'settings.update']],
];

it.skipIf(process.platform === 'win32').each(commands)(
  'of %s that may not be read, it is said by its name, and nothing goes on without it: %j',
  (name, args) => {
    const file = close(name);
    const before = listFiles();
    const { exitCode, stdout, stderr } = run([...args, '--data', data], '{"theme":"light"}');
    expect(stderr).toContain(`${file} may not be read by you, and was left as it is. Make it yours`);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(listFiles()).toEqual(before);
    expect(readdirSync(directory).filter((one) => /backup|exported/.test(one))).toEqual([]);
  },
);

it.skipIf(process.platform === 'win32').each(['collections', 'collections/Payments API'])(
  'starts with %s that may not be read, and says of the collection why it is away',
  (name) => {
    close(name);
    expect(run(['call', 'collections.list', '--data', data]).exitCode).toBe(0);
    const { stderr } = run(['export', join(data, 'collections', 'Payments API'), '--format', 'curl']);
    expect(stderr).toContain('cannot be reached');
    expect(stderr).toContain('you may not read it; look at its permissions');
  },
);

it.skipIf(process.platform === 'win32').each([
  ['inbox.db', 'listen'],
  ['sandbox.db', 'sandbox'],
  ['sandbox.holder.json', 'sandbox'],
])('refuses by its name a %s that may not be written when %s starts', (name, command) => {
  const file = join(data, name);
  mkdirSync(data);
  writeFileSync(file, '');
  for (const path of [data, file]) giveAway(path);
  chmodSync(file, 0o400);
  const { exitCode, stdout, stderr } = run([command, '--port', '0', '--data', data]);
  expect(stderr).toContain(`${file} may not be written by you, and was left as it is. Make it yours`);
  expect([exitCode, stdout]).toEqual([2, '']);
});

it.skipIf(process.platform === 'win32')(
  'imports nothing of a folder in which one may not be listed, and says so',
  () => {
    const source = join(directory, 'bruno');
    const closed = join(source, 'closed');
    mkdirSync(closed, { recursive: true });
    writeFileSync(join(source, 'a.bru'), 'get {\n  url: https://x.test/a\n}\n');
    chmodSync(closed, 0);
    const { exitCode, stderr } = run(['import', 'bruno', source, '--into', join(directory, 'imported')]);
    chmodSync(closed, 0o700);
    expect([exitCode, existsSync(join(directory, 'imported'))]).toEqual([2, false]);
    expect(stderr).toContain(
      'closed cannot be read: you may not read it; look at its permissions. Nothing was imported.',
    );
  },
);
