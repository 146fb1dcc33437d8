import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { searchFiles } from './search-files';

let directory: string;
const texts: Record<string, string> = {
  'Pay.http': '# @name Pay\nPOST {{base_url}}/Orders?x=1\nX-Team: Needle\n\n{"note":\n  "a needle here"}\n',
  'f/Two.http': 'GET http://a/needle\n### second\nPOST http://b\n\nneedle NEEDLE\nneedle\n',
  'Needle.http': 'GET http://c\n',
};
const search = (text: string, limit = 50, isCanceled = () => false) =>
  searchFiles(
    [
      {
        id: 'c',
        directory,
        files: Object.keys(texts).map((path) => [path, path.replace(/^.*\/|\.http$/g, '')]),
      },
    ],
    { text, limit },
    isCanceled,
  );

beforeEach(() => {
  directory = makeTemporaryFolder('search');
  mkdirSync(join(directory, 'f'));
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(directory, path), text);
});

describe('searching in collections', () => {
  it('finds names, addresses, headers and bodies, and says where', async () => {
    const { hits, searched, isCut } = await search('nEEdle');
    expect(hits.map(({ path, place, line, requestIndex }) => [path, place, line, requestIndex])).toEqual([
      ['Pay.http', 'header', 3, 0],
      ['Pay.http', 'body', 6, 0],
      ['f/Two.http', 'url', 1, 0],
      ['f/Two.http', 'body', 5, 1],
      ['f/Two.http', 'body', 6, 1],
      ['Needle.http', 'name', 1, 0],
    ]);
    expect([searched, isCut]).toEqual([3, false]);
    const { excerpt, start, length, bodyRange } = hits[1]!;
    expect(excerpt.slice(start, start + length)).toBe('needle');
    expect('{"note":\n  "a needle here"}'.slice(bodyRange!.start, bodyRange!.end)).toBe('needle');
  });

  it('says a name once, where the file says it too', async () => {
    expect((await search('pay')).hits.map(({ place }) => place)).toEqual(['name']);
  });

  it('ends once there are enough hits, or once nobody waits any more', async () => {
    expect(await search('needle', 2)).toMatchObject({ hits: { length: 2 }, isCut: true });
    expect(await search('needle', 50, () => true)).toMatchObject({ searched: 1, isCut: true });
  });

  it.skipIf(process.platform === 'win32')('reads no device, and nothing outside of the folder', async () => {
    const outside = join(makeTemporaryFolder('search-outside'), 'outside.txt');
    writeFileSync(outside, 'needle');
    texts['zero.http'] = texts['out.http'] = '';
    symlinkSync('/dev/zero', join(directory, 'zero.http'));
    symlinkSync(outside, join(directory, 'out.http'));
    expect((await search('needle')).hits.map(({ path }) => path)).not.toContain('out.http');
    delete texts['zero.http'];
    delete texts['out.http'];
  });

  it('shows a piece of a long line, around what was found', async () => {
    writeFileSync(
      join(directory, 'Needle.http'),
      `POST http://c\n\n${'x'.repeat(5000)}İneedle${'y'.repeat(5000)}\n`,
    );
    const hit = (await search('needle')).hits.at(-1)!;
    expect(hit.excerpt.length).toBeLessThanOrEqual(160);
    expect(hit.excerpt).toContain('needle');
  });
});
