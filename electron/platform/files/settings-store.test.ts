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
