import { expect, it } from 'vitest';
import { createLatest } from './create-latest';

it('knows the last asking, of each thing by itself', () => {
  const begin = createLatest();
  const [first, other, second] = [begin('a'), begin('b'), begin('a')];
  expect([first(), other(), second()]).toEqual([false, true, true]);
});
