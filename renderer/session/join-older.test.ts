import { expect, it } from 'vitest';
import { joinOlder } from './join-older';

const listed = (ids: string, nextBefore: string | null) => ({
  rows: [...ids],
  nextBefore,
});

it.each([
  ['keeps older ones that follow on', 'zyx', 'x', 'yxwv', 'v', 'zyxwv', 'v'],
  ['keeps older ones up to the end', 'zyx', 'x', 'yxw', null, 'zyxw', null],
  ['drops older ones behind a gap', 'zyx', 'x', 'wv', 'v', 'zyx', 'x'],
  ['has a row that moved up once', 'wzy', 'y', 'zyxw', null, 'wzyx', null],
  ['is the page alone where nothing else is loaded', 'zyx', null, '', null, 'zyx', null],
  ['is empty where everything is gone', '', null, 'zyx', 'x', '', null],
])('%s', (_what, page, pageNext, known, knownNext, joined, next) => {
  expect(joinOlder(listed(page, pageNext), listed(known, knownNext), (id) => id)).toEqual(
    listed(joined, next),
  );
});
