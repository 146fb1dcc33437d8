import { describe, expect, it } from 'vitest';
import { findMarked, markBlock } from './follow-block';
import { parseHttpFile } from './parse-http-file';

const requestsOf = (text: string) => parseHttpFile(text).requests;
/** Requests by name and what they send: `Pay/a` is called Pay, `/a` has no name. */
const write = (...requests: string[]): string =>
  requests
    .map((one) => one.split('/') as [string, string])
    .map(([name, path]) => `### ${name}\n# about ${path}\nGET http://h/${path}\n\n`)
    .join('');

/** Where the request `shown` of one file is in another. */
const follow = (shown: number, before: string[], after: string[]): number => {
  const former = requestsOf(write(...before));
  return findMarked(requestsOf(write(...after)), markBlock(former, shown)!, former);
};

describe('a request of a file that is another now is found', () => {
  it.each([
    ['by its name, wherever that stands', 1, ['one/a', 'two/b'], ['x/x', 'one/a', 'two/c'], 2],
    ['by what it sends under another name', 1, ['one/a', 'two/b'], ['zwei/b', 'one/a'], 0],
    ['by its name rather than by what it sends', 1, ['one/a', 'two/b'], ['new/b', 'two/c'], 1],
    ['without a name, by what it sends', 1, ['/a', '/b'], ['/x', '/a', '/b'], 2],
    ['without a name among twins, in its place', 2, ['/a', '/b', '/a'], ['/a', '/b', '/a'], 2],
    ['without a name and changed, where the others are as they were', 1, ['/a', '/b'], ['/a', '/c'], 1],
    ['under a name that it has twice', 1, ['one/a', 'one/b'], ['x/x', 'one/a', 'one/b'], 2],
    ['as the only one, whatever became of it', 0, ['one/a'], ['two/b'], 0],
  ])('%s', (_how, shown, before, after, found) => expect(follow(shown, before, after)).toBe(found));
});

describe('another is not taken for it', () => {
  it.each([
    ['that stands in its place', 1, ['one/a', 'two/b'], ['one/a', 'three/c']],
    ['that is left alone', 1, ['one/a', 'two/b'], ['one/a']],
    ['that sends the same under its own name', 1, ['one/a', 'two/a'], ['one/a']],
    ['without a name, where the others are not as they were', 1, ['/a', '/b'], ['/b2', '/c']],
    ['without a name that moved up', 1, ['/a', '/b', '/c'], ['/a', '/c']],
    ['that has a name', 0, ['/a', '/b'], ['one/c', '/b']],
    ['where there is none', 0, ['/a'], []],
  ])('%s', (_how, shown, before, after) => expect(follow(shown, before, after)).toBe(-1));
});

it('knows a request of a file that nobody has any more', () => {
  const mark = (shown: number, ...of: string[]) => markBlock(requestsOf(write(...of)), shown)!;
  const now = requestsOf(write('one/a', 'two/b', '/c'));
  expect(findMarked(now, mark(0, 'two/x', 'one/a'))).toBe(1);
  expect(findMarked(now, mark(0, '/c', 'one/a'))).toBe(2);
  expect(findMarked(now, mark(0, 'three/x', 'one/a'))).toBe(-1);
  expect(markBlock(now, 3)).toBeNull();
});
