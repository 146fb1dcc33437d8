import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { HelperThread } from './helper-thread';

const asked = vi.hoisted(() => vi.fn());
vi.mock(import('./signature-helper'), () => {
  asked();
  throw new Error('Its file was replaced by that of another build.');
});

it('gives no help, and ends nothing, where the code of the thread cannot be loaded', async () => {
  const failures: unknown[] = [];
  const note = (reason: unknown): void => void failures.push(reason);
  process.on('unhandledRejection', note);
  try {
    const helper = new HelperThread(new URL('file:///none.js'));
    expect(helper.findRingBuffer([])).toBeNull();
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
    await wait(50);
    expect(helper.findRingBuffer([])).toBeNull();
    await wait(50);
  } finally {
    process.off('unhandledRejection', note);
  }
  expect(asked).toHaveBeenCalledTimes(1);
  expect(failures).toEqual([]);
});
