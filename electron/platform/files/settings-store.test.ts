import { readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { systemClock } from '../node-ports';
import { openSettings } from './settings-store';

it('leaves no one listening to the signals of a crash: they end the process', async () => {
  await openSettings(makeTemporaryFolder('settings'), systemClock);
  for (const signal of ['SIGABRT', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'] as const) {
    expect(process.listenerCount(signal), signal).toBe(0);
  }
});

it('reads settings that an editor wrote with a mark before them', async () => {
  const folder = makeTemporaryFolder('settings');
  writeFileSync(join(folder, 'settings.json'), '\ufeff{"theme":"dark"}');
  const settings = await openSettings(folder, systemClock);
  expect([settings.get('theme'), settings.notice]).toEqual(['dark', null]);
  settings.set('theme', 'light');
  expect(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'))).toEqual({ theme: 'light' });
});

it('reads settings that get such a mark while they are in use, and says nothing of it', async () => {
  const folder = makeTemporaryFolder('settings');
  const settings = await openSettings(folder, systemClock);
  settings.set('theme', 'light');
  for (const theme of ['dark', 'system']) {
    writeFileSync(join(folder, 'settings.json'), `\ufeff{"theme":"${theme}"}`);
    expect(settings.get('theme')).toBe(theme);
    writeFileSync(join(folder, 'settings.json'), `\ufeff{"theme":"${theme}"}`);
    settings.set('own', 1);
    expect(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'))).toEqual({ theme, own: 1 });
  }
  expect(settings.notice).toBeNull();
});

it('sets settings aside that are too large to be asked, and says so', async () => {
  const folder = makeTemporaryFolder('settings');
  writeFileSync(join(folder, 'settings.json'), `{"theme":"${'x'.repeat(17 * 2 ** 20)}"}`);
  const settings = await openSettings(folder, systemClock);
  expect(settings.get('theme')).toBeUndefined();
  expect(settings.notice).toMatch(
    /^The settings are larger than 16 MiB\. They were kept as settings\.json\.unreadable-/,
  );
  expect(readdirSync(folder).filter((name) => name.includes('unreadable'))).toHaveLength(1);
});

it.runIf(process.platform === 'linux')(
  'leaves settings where they are that the system fails to read',
  async () => {
    const folder = makeTemporaryFolder('settings');
    symlinkSync('/proc/self/mem', join(folder, 'settings.json'));
    await expect(openSettings(folder, systemClock)).rejects.toThrow(/EIO/);
    expect(readdirSync(folder).filter((name) => name.startsWith('settings.json'))).toEqual(['settings.json']);
  },
);

it.skipIf(process.platform === 'win32')('sets a link aside that leads to nothing, and says so', async () => {
  const folder = makeTemporaryFolder('settings');
  symlinkSync('away.json', join(folder, 'settings.json'));
  const settings = await openSettings(folder, systemClock);
  settings.set('theme', 'dark');
  expect(settings.notice).toMatch(
    /^The settings were a link to something that is not there\. They were kept as settings\.json\.unreadable-/,
  );
  expect(readdirSync(folder).filter((name) => name.includes('unreadable'))).toHaveLength(1);
});
