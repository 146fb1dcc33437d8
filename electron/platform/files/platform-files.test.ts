import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findUsualDataDirectory, lookUpHome, prepareDataDirectory } from './data-directory';
import { createEventBus } from '../event-bus';
import { writeFileDurably, toFileError } from './files';
import { withProcessLock } from './process-lock';
import { openSettings } from './settings-store';
import { makeTemporaryFolder } from '../../../test/support/temporary';

const clock = { now: () => Date.UTC(2030, 0, 2, 3, 4, 5), monotonicMs: () => 0 };
let directory: string;

beforeEach(() => (directory = makeTemporaryFolder('files')));

describe('writeFileDurably', () => {
  it('replaces a file, with the permissions asked for, and leaves nothing beside it', () => {
    const file = join(directory, 'x.json');
    writeFileSync(file, 'old', { mode: 0o644 });
    writeFileDurably(file, 'new', { mode: 0o600 });
    expect(readFileSync(file, 'utf8')).toBe('new');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['x.json']);
  });

  it('names the folder that it cannot write in, and leaves the old file', () => {
    writeFileSync(join(directory, 'file'), '');
    expect(() => writeFileDurably(join(directory, 'file', 'x'), 'new')).toThrow(
      expect.objectContaining({
        code: 'platform.unwritable',
        message:
          `Cannot write in ${join(directory, 'file')}: a part of its path is a file. ` +
          'Move that away, or choose another folder.',
      }),
    );
  });

  it.each([
    ['ENOENT', 'there is no such folder. Make it, or choose another folder.'],
    ['EACCES', 'you may not write there. Make it writable for you, or choose another folder.'],
    ['EROFS', 'its disk is read-only. Make that writable, or choose another folder.'],
    [
      'EIO',
      'the system says EIO. See that its folder is there and writable for you, or choose another folder.',
    ],
  ])('says %s in words', (code, said) => {
    expect(toFileError(Object.assign(new Error('x'), { code }), '/d').message).toBe(
      `Cannot write in /d: ${said}`,
    );
  });
});

describe('the data directory', () => {
  it('lies where the platform keeps such things', () => {
    expect(findUsualDataDirectory('linux', { XDG_DATA_HOME: '/d' }, () => '/home/u')).toBe('/d/countersign');
    expect(findUsualDataDirectory('linux', { XDG_DATA_HOME: 'rel' }, () => '/home/u')).toBe(
      '/home/u/.local/share/countersign',
    );
    expect(findUsualDataDirectory('darwin', {}, () => '/Users/u')).toBe(
      '/Users/u/Library/Application Support/Countersign',
    );
    expect(findUsualDataDirectory('win32', { APPDATA: 'C:/Roaming' }, () => 'C:/u')).toContain('Countersign');
  });

  it('is in no folder that a command happens to be started in: an empty or relative HOME says nothing', () => {
    const unknown = (): string => {
      throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { syscall: 'uv_os_homedir' });
    };
    expect(lookUpHome([() => '', () => '/home/u'])).toBe('/home/u');
    expect(lookUpHome([() => 'rel', () => '/home/u'])).toBe('/home/u');
    expect(lookUpHome([() => '/h', unknown])).toBe('/h');
    expect(lookUpHome([unknown, () => '/home/u'])).toBe('/home/u');
    expect(lookUpHome([() => '', unknown])).toBeNull();
    const broken = (): string => {
      throw new TypeError('ours');
    };
    expect(() => lookUpHome([broken])).toThrow('ours');
    // A whole path there needs no home.
    expect(findUsualDataDirectory('linux', { XDG_DATA_HOME: '/d' }, unknown)).toBe('/d/countersign');
  });

  it('is made for this user alone and left empty by the check', () => {
    const made = prepareDataDirectory(join(directory, 'a', 'b'));
    if (process.platform !== 'win32') expect(statSync(made).mode & 0o777).toBe(0o700);
    expect(readdirSync(made)).toEqual([]);
  });

  it('is freed of what killed writes left a while ago, and of nothing else', () => {
    const killed = [
      '.vault.json.0123456789ab.tmp',
      'settings.json.tmp-1790000000a1b2c3',
      '.write-test-01234567',
    ];
    const kept = [
      'settings.json',
      'settings.json.before-2',
      '.notes.tmp',
      'mine.tmp-1',
      '.vault.json.ba9876543210.tmp',
    ];
    for (const name of [...killed, ...kept]) writeFileSync(join(directory, name), '');
    const longAgo = new Date(Date.now() - 120_000);
    for (const name of [...killed, ...kept.slice(0, -1)]) utimesSync(join(directory, name), longAgo, longAgo);
    const collections = join(directory, 'collections');
    mkdirSync(join(collections, 'Mine'), { recursive: true });
    const half = join(collections, '.Mine.0123456789ab.tmp');
    mkdirSync(half);
    utimesSync(half, longAgo, longAgo);
    prepareDataDirectory(directory);
    expect(readdirSync(directory)).toEqual([...kept, 'collections'].toSorted());
    expect(readdirSync(collections)).toEqual(['Mine']);
  });

  it('is refused by name when it cannot be made', () => {
    writeFileSync(join(directory, 'file'), '');
    expect(() => prepareDataDirectory(join(directory, 'file'))).toThrow(
      expect.objectContaining({ code: 'platform.unwritable', message: expect.stringContaining('--data') }),
    );
  });
});

describe('withProcessLock', () => {
  it('lets one run at a time, and the next one after a failure', async () => {
    const file = join(directory, 'x.lock');
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    await Promise.all(Array.from({ length: 12 }, () => withProcessLock(file, work)));
    expect(most).toBe(1);
    await expect(withProcessLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await withProcessLock(file, work);
  });

  it('gives up with a clear code when another holds it', async () => {
    const file = join(directory, 'x.lock');
    await withProcessLock(file, async () => {
      await expect(withProcessLock(file, () => Promise.resolve(), { timeoutMs: 30 })).rejects.toMatchObject({
        code: 'platform.busy',
        retryable: true,
      });
    });
  });
});

describe('openSettings', () => {
  it('keeps values over restarts, in a file for this user alone', async () => {
    (await openSettings(directory, clock)).set('theme', 'dark');
    expect((await openSettings(directory, clock)).get('theme')).toBe('dark');
    if (process.platform !== 'win32') expect(statSync(join(directory, 'settings.json')).mode & 0o077).toBe(0);
  });

  it('keeps an unreadable file aside, byte for byte, and says so', async () => {
    writeFileSync(join(directory, 'settings.json'), '{"theme": "da');
    const settings = await openSettings(directory, clock);
    const aside = 'settings.json.unreadable-2030-01-02T03-04-05.000Z';
    expect(settings.notice).toContain(aside);
    expect(settings.get('theme')).toBeUndefined();
    settings.set('theme', 'light');
    expect(readFileSync(join(directory, aside), 'utf8')).toBe('{"theme": "da');
  });

  it('does the same when the file is spoilt while the app runs', async () => {
    const settings = await openSettings(directory, clock);
    settings.set('theme', 'dark');
    writeFileSync(join(directory, 'settings.json'), '[');
    expect(settings.get('theme')).toBeUndefined();
    expect(settings.notice).toContain('unreadable');
  });
});

describe('createEventBus', () => {
  it('tells every listener, even after one of them failed', () => {
    const errors: unknown[] = [];
    const bus = createEventBus((error) => errors.push(error));
    const heard: string[] = [];
    bus.subscribe('vault.changed', () => {
      throw new Error('slip');
    });
    const stop = bus.subscribe('vault.changed', () => heard.push('one'));
    bus.subscribeAll((name) => heard.push(name));
    bus.emit('vault.changed', {});
    stop();
    bus.emit('environments.changed', {});
    expect(heard).toEqual(['one', 'vault.changed', 'environments.changed']);
    expect(errors).toHaveLength(1);
  });
});
