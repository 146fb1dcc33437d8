import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { endingFacts, isAppEnding, openAppFolder, tellEnding } from './app-folder';
import { holdPlace } from './process-lock';

it('says of an app that is ending that it is, and not that its window may be used', () => {
  const directory = makeTemporaryFolder('app-folder');
  const { held } = openAppFolder(directory);
  held.tell({ host: 'electron' });
  expect(isAppEnding(directory)).toBe(false);
  expect(() => openAppFolder(directory)).toThrow('Use its window');
  tellEnding(held, 'electron');
  expect(isAppEnding(directory)).toBe(true);
  expect(() => openAppFolder(directory)).toThrow('is about to end. Start it again in a moment.');
  // Its process has a moment left.
  held.release(endingFacts('electron'));
  expect(isAppEnding(directory)).toBe(true);
  const next = openAppFolder(directory).held;
  expect(isAppEnding(directory)).toBe(false);
  next.release();
  writeFileSync(join(directory, 'app.holder.json'), JSON.stringify({ state: 'ending', pid: '999999999' }));
  expect(isAppEnding(directory)).toBe(false);
});

it.runIf(process.platform !== 'win32')(
  'begins no other folder in the place of one that is away while an app has it',
  () => {
    const directory = makeTemporaryFolder('app-folder');
    // As the app of the other folder has it.
    const letGo = holdPlace(directory, 'app');
    expect(() => openAppFolder(directory)).toThrow('and was moved, removed or unmounted. Put it back');
    letGo?.();
    const { held } = openAppFolder(directory);
    expect(holdPlace(directory, 'app')).toBeNull();
    held.release();
    openAppFolder(directory).held.release();
  },
);
