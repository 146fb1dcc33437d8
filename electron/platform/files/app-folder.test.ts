import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { isAppRunning, openAppFolder, tellEnding } from './app-folder';

it('says of an app that is ending that it is, and not that its window may be used', () => {
  const directory = makeTemporaryFolder('app-folder');
  const { held } = openAppFolder(directory);
  expect(isAppRunning(directory)).toBe(false);
  held.tell({ host: 'electron' });
  expect(isAppRunning(directory)).toBe(true);
  expect(() => openAppFolder(directory)).toThrow('Use its window');
  tellEnding(held, 'electron');
  expect(isAppRunning(directory)).toBe(false);
  expect(() => openAppFolder(directory)).toThrow('is about to end. Start it again in a moment.');
  held.release();
  openAppFolder(directory).held.release();
});
