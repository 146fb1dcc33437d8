import { describe, expect, it } from 'vitest';
import { compareReaders, createNodeReader, createOwnReader, isReadAlike } from './testing/compare-readers';

/** The same with 100,000 messages: test/integration/http1-fuzz.test.ts. */
const MESSAGES = 3000;

const isOldest = process.versions['llhttp']?.startsWith('8.') === true;

describe('our reader and Node’s', () => {
  it('read sound and damaged messages alike, or we refuse', async ({ skip }) => {
    skip(isOldest, 'llhttp 8, of the first Node 20.19, refuses sound codings');
    const { counts, differences } = await compareReaders(20, MESSAGES);
    expect(differences).toEqual([]);
    expect(counts.validLost).toBe(0);
    // Strict, not shy: of what Node takes we leave little.
    expect(counts.own).toBeGreaterThan(counts.node * 0.95);
    expect(counts.node).toBeGreaterThan(MESSAGES * 0.4);
  });

  const post = (fields: string, body = 'abc') => `POST / HTTP/1.1\r\n${fields}\r\n\r\n${body}`;
  /** Each was once taken by us and refused by Node. */
  it.each([
    ['a tab behind a coding', post('Transfer-Encoding: chunked\t', '3\r\nabc\r\n0\r\n\r\n')],
    ['a length twice, the same', post('Content-Length: 3\r\nContent-Length: 3')],
    ['a blank behind a chunk size', post('Transfer-Encoding: chunked', '3 \r\nabc\r\n0\r\n\r\n')],
    ['a method that nobody has', 'BREW / HTTP/1.1\r\n\r\n'],
  ])('%s is refused by both', async (_name, text) => {
    expect(await createNodeReader()([text])).toEqual([]);
    expect(await createOwnReader()([text])).toEqual([]);
  });

  /** Some of Node refuse these, too: its parsers differ in them. */
  it.each([
    ['a tab behind a length', post('Content-Length: 3\t')],
    ['a tab and a space behind a length', post('Content-Length: 3\t ')],
    ['a space and a tab behind a length', post('Content-Length: 3 \t')],
    ['bytes above ASCII in the target', 'GET /\xc3\xa0 HTTP/1.1\r\n\r\n'],
    ['bytes above ASCII in the query', 'GET http://host?\xf2 HTTP/1.1\r\n\r\n'],
  ])('%s is refused by ours', async (_name, text) => {
    expect(await createOwnReader()([text])).toEqual([]);
  });

  it.each([
    ['Proxy-Connection: close', 'Proxy-Connection: close'],
    ['an offer of another protocol', 'Connection: Upgrade\r\nUpgrade: h2c'],
    ['Connection: close', 'Connection: x, Close'],
  ])('behind %s no second request is read by either', async (_name, fields) => {
    const text = `${post(`Content-Length: 3\r\n${fields}`)}GET / HTTP/1.1\r\n\r\n`;
    expect(await createNodeReader()([text])).toHaveLength(1);
    expect(await createOwnReader()([text])).toHaveLength(1);
  });

  it.each(['Connection: close', 'Proxy-Connection: close', 'Upgrade: x', 'Content-Length: 0'])(
    'behind %s in a trailer we read no further, wherever Node does not',
    async (field) => {
      const text = `${post('Transfer-Encoding: chunked', `0\r\n${field}\r\n\r\n`)}GET / HTTP/1.1\r\n\r\n`;
      expect(await createOwnReader()([text])).toEqual([]);
      expect((await createNodeReader()([text])).length).toBeLessThanOrEqual(2);
    },
  );

  it.each([
    ['blanks around values', 'GET / HTTP/1.1\r\nA:\t b \t\r\nb: \xa0c\xa0\r\n\r\n'],
    ['one name twice, in two cases', 'GET / HTTP/1.1\r\nCookie: a\r\ncookie: b\r\n\r\n'],
    ['trailers', 'PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;a="b"\r\nx\r\n0\r\nA: b\r\n\r\n'],
    ['HTTP/1.0 that stays', 'GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\n'],
    ['an upgrade that nobody offers', 'GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('%s are taken by both, alike', async (_name, text) => {
    const own = await createOwnReader()([...text]);
    expect(own.length).toBeGreaterThan(0);
    expect(own).toEqual(await createNodeReader()([text]));
    expect(isReadAlike(own, [])).toBe(false);
  });
});
