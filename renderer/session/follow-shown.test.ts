import { beforeEach, expect, it, vi } from 'vitest';
import { followShown } from './follow-shown';
import type * as Routes from './routes';
import { replaceRoute, useRoute } from './routes';

vi.mock('./routes', async (original) => ({
  ...(await original<typeof Routes>()),
  replaceRoute: vi.fn<typeof replaceRoute>(),
}));

const show = vi.fn<(id: string) => void>();
beforeEach(() => {
  vi.clearAllMocks();
  useRoute.setState({ view: 'inbox', rest: 'team/a' });
});

it('names the row that took the place of one that is gone, and none where none did', () => {
  followShown('inbox', 'a', 'b', show);
  expect(show).toHaveBeenCalledExactlyOnceWith('b');
  followShown('inbox', 'a', null, show);
  expect(replaceRoute).toHaveBeenCalledExactlyOnceWith('inbox');
});

it('leaves the address of another view, of a row that was chosen, and of what stays on show', () => {
  followShown('history', 'a', 'b', show);
  followShown('inbox', 'b', 'a', show);
  followShown('inbox', 'a', 'a', show);
  followShown('inbox', null, 'b', show);
  expect([show, replaceRoute].map((one) => vi.mocked(one).mock.calls)).toEqual([[], []]);
});
