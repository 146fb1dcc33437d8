import { expect, it } from 'vitest';
import { importDocument } from '../import-document';

const entry = (method: string, url: string, more: object = {}) => ({
  request: { method, url, headers: [], ...more },
});
const read = (...entries: object[]) => {
  const text = JSON.stringify({ log: { version: '1.2', entries } });
  return importDocument({ name: 'a.har', files: [{ path: 'a.har', text }] }, 'har');
};

it('says where an archive does not hold the body of a request', () => {
  const { files, notes } = read(entry('POST', 'https://a.example/b', { bodySize: 512 }));
  expect(files.map(({ path }) => path)).toEqual(['POST b.http']);
  expect(notes).toEqual([{ where: 'POST b.http', what: 'The archive does not hold its body of 512 bytes.' }]);
});

it('leaves the tunnel of a proxy out, and says so', () => {
  const { counts, notes } = read(
    entry('CONNECT', 'https://a.example:443'),
    entry('GET', 'https://a.example/b', { bodySize: 0 }),
  );
  expect(counts.requests).toBe(1);
  expect(notes.map(({ what }) => what)).toEqual([expect.stringMatching(/^Left out: It opens a tunnel/)]);
});
