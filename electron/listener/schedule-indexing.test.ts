import { expect, it } from 'vitest';
import type { InboxIndexer } from './inbox-indexer';
import { scheduleIndexing } from './schedule-indexing';

it('tells whoever waits for the index that it cannot be written, and goes on when it can', async () => {
  const full = new Error('full');
  let isFull = true;
  const failures: unknown[] = [];
  const runSlice = (): boolean => {
    if (isFull) throw full;
    return true;
  };
  const indexing = scheduleIndexing({ runSlice } as unknown as InboxIndexer, (error) => failures.push(error));
  await expect(indexing.whenIndexed()).rejects.toBe(full);
  expect(failures).toEqual([full]);
  isFull = false;
  await indexing.whenIndexed();
  indexing.stop();
});
