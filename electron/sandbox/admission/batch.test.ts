import { expect, test } from 'vitest';
import { createBatch } from './batch';

test('what is ready at the same time is done together, and each item gets its own result', async () => {
  const batches: number[][] = [];
  const double = createBatch((items: readonly number[]) => {
    batches.push([...items]);
    return Promise.resolve(items.map((item) => item * 2));
  });
  const ready = Promise.resolve();
  const results = [1, 2, 3].map(async (item) => {
    await ready;
    return double(item);
  });
  expect(await Promise.all(results)).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(batches).toEqual([[1, 2, 3], [4]]);
});

test('an item that comes while a batch is run is in the next one', async () => {
  const batches: number[][] = [];
  const add = createBatch(async (items: readonly number[]) => {
    batches.push([...items]);
    await new Promise(setImmediate);
    return items;
  });
  const first = add(1);
  await new Promise(setImmediate);
  expect(await Promise.all([first, add(2)])).toEqual([1, 2]);
  expect(batches).toEqual([[1], [2]]);
});

test('where a batch fails all of it fails, and the next one does not', async () => {
  let isBroken = true;
  const add = createBatch((items: readonly number[]) =>
    isBroken ? Promise.reject(new Error('disk full')) : Promise.resolve(items),
  );
  const failed = await Promise.allSettled([add(1), add(2)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await add(3)).toBe(3);
});
