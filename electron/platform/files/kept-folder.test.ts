import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openDatabase } from '../database/database';
import { makeDirectory, writeFileDurably, writeOwnFile } from './files';
import { isFolderGone, keepFolder, requireKept } from './kept-folder';
import { openSettings } from './settings-store';

const gone = expect.objectContaining({ code: 'platform.folder_gone' }) as unknown;

function keep(): { folder: string; away: string } {
  const folder = join(makeTemporaryFolder('kept'), 'data');
  mkdirSync(folder);
  onTestFinished(keepFolder(folder));
  return { folder, away: `${folder}-away` };
}

const movedAway = (): ReturnType<typeof keep> => {
  const kept = keep();
  renameSync(kept.folder, kept.away);
  return kept;
};

it('tells of a folder that was moved, and takes it for the same once it is back', () => {
  const { folder, away } = movedAway();
  expect(isFolderGone(join(folder, 'logs', 'today.log'))).toBe(true);
  expect(() => requireKept(folder)).toThrow(`${folder} was moved, removed or unmounted`);
  renameSync(away, folder);
  expect(isFolderGone(folder)).toBe(false);
});

it('tells of a folder that was removed and made anew, whatever number the new one got', () => {
  const { folder } = keep();
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  expect(isFolderGone(folder)).toBe(true);
});

it('watches it until the last one has let go of it, and no folder beside it', () => {
  const folder = makeTemporaryFolder('kept');
  const [stopFirst, stopSecond] = [keepFolder(folder), keepFolder(folder)];
  rmSync(folder, { recursive: true });
  expect(isFolderGone(`${folder}-beside`)).toBe(false);
  stopFirst();
  stopFirst();
  expect(isFolderGone(folder)).toBe(true);
  stopSecond();
  expect(isFolderGone(folder)).toBe(false);
});

it('goes by no number of a folder on Windows, where it may be another each time', () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('process', { ...process, platform: 'win32' });
  const { folder } = movedAway();
  mkdirSync(folder);
  expect(isFolderGone(folder)).toBe(false);
});

it('makes nothing at the path of a folder that has gone', () => {
  const { folder } = movedAway();
  expect(() => makeDirectory(join(folder, 'logs'))).toThrow(gone as Error);
  expect(() => openDatabase({ file: join(folder, 'new.db'), migrations: [] })).toThrow(gone as Error);
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder);
  expect(() => writeFileDurably(join(folder, 'vault.json'), '')).toThrow(gone as Error);
  expect(() => writeOwnFile(join(folder, 'note'), '')).toThrow(gone as Error);
});

it('keeps the folder of each database that is open', () => {
  const folder = makeTemporaryFolder('kept');
  const database = openDatabase({ file: join(folder, 'one.db'), migrations: [] });
  renameSync(folder, `${folder}-away`);
  expect(isFolderGone(folder)).toBe(true);
  database.close();
  expect([isFolderGone(folder), existsSync(folder)]).toEqual([false, false]);
});

it('gives settings as they were read last, changes none, and makes no folder for them', async () => {
  const { folder, away } = keep();
  const settings = await openSettings(folder, { now: () => 0, monotonicMs: () => 0 });
  settings.set('theme', 'dark');
  expect(settings.get('theme')).toBe('dark');
  renameSync(folder, away);
  expect(settings.get('theme')).toBe('dark');
  expect(() => settings.set('theme', 'light')).toThrow(gone as Error);
  expect(existsSync(folder)).toBe(false);
});
