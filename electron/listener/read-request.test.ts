import { describe, expect, it } from 'vitest';
import { ChunkedBody, readHead } from './read-request';

const head = (...lines: string[]): string => lines.join('\r\n');

describe('readHead', () => {
  it('reads method, path and framing', () => {
    expect(readHead(head('POST /a?b=%20 HTTP/1.1', 'Host: x', 'content-LENGTH:  12 ', 'X: y:z'))).toEqual({
      kind: 'head',
      method: 'POST',
      path: '/a?b=%20',
      contentLength: 12,
      isKeepAlive: true,
      expectsContinue: false,
    });
    expect(readHead('GET / HTTP/1.0')).toMatchObject({ contentLength: 0, isKeepAlive: false });
    expect(
      readHead(head('PURGE * HTTP/1.1', 'Transfer-Encoding: Chunked', 'Connection: TE, close')),
    ).toMatchObject({
      contentLength: -1,
      isKeepAlive: false,
    });
    expect(
      readHead(head('PUT / HTTP/1.1', 'Expect: 100-Continue', 'Content-Length: 5', 'Content-Length: 5')),
    ).toMatchObject({
      contentLength: 5,
      expectsContinue: true,
    });
  });

  it.each([
    ['no request line', '', 400],
    ['a line without a version', 'GET /', 400],
    ['another version', 'GET / HTTP/2.0', 505],
    ['a path with a space', 'GET /a b HTTP/1.1', 400],
    ['a bad method', 'G(T / HTTP/1.1', 400],
    ['a header without a colon', head('GET / HTTP/1.1', 'abc'), 400],
    ['a space before the colon', head('GET / HTTP/1.1', 'abc : d'), 400],
    ['a folded line', head('GET / HTTP/1.1', 'a: b', ' c'), 400],
    ['a control character', head('GET / HTTP/1.1', 'a: b\x00c'), 400],
    ['a bare line feed', 'GET / HTTP/1.1\r\na: b\nc: d', 400],
    ['two lengths', head('POST / HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2'), 400],
    ['a negative length', head('POST / HTTP/1.1', 'Content-Length: -1'), 400],
    ['a list of lengths', head('POST / HTTP/1.1', 'Content-Length: 1, 1'), 400],
    ['length and coding', head('POST / HTTP/1.1', 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400],
    ['a coding in HTTP/1.0', head('POST / HTTP/1.0', 'Transfer-Encoding: chunked'), 400],
    ['an unknown coding', head('POST / HTTP/1.1', 'Transfer-Encoding: gzip, chunked'), 501],
    ['a length behind a space that is none', head('POST / HTTP/1.1', 'Content-Length: \xa02'), 400],
    ['a coding behind one', head('POST / HTTP/1.1', 'Transfer-Encoding: \xa0chunked'), 501],
    ['a control character in the path', 'POST /\x1b[2J HTTP/1.1', 400],
    ['two codings', head('POST / HTTP/1.1', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'), 501],
  ])('refuses %s', (_name, text, httpStatus) => {
    expect(readHead(text)).toMatchObject({ kind: 'refused', httpStatus });
  });

  it('takes a path with bytes of UTF-8 as they are', () => {
    expect(readHead(`GET /${Buffer.from('à付').toString('latin1')} HTTP/1.1`)).toMatchObject({
      kind: 'head',
    });
  });

  it('takes no longer for a long hostile head', () => {
    const startedAt = performance.now();
    readHead(`GET / HTTP/1.1\r\n${'a:'.repeat(30_000)}\r\n${'a: b\r\n'.repeat(500)}x`);
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

describe('ChunkedBody', () => {
  const message = '5;name=value\r\nhello\r\n0006\r\n world\r\n0\r\nTrailer: x\r\n\r\nNEXT';

  it.each([1, 2, 3, 7, 1000])('reads a body in pieces of %i bytes', (size) => {
    const body = new ChunkedBody(100);
    const bytes = Buffer.from(message);
    for (let at = 0; at < bytes.length; at += size) {
      const reading = body.push(bytes.subarray(at, at + size));
      if (reading.kind !== 'complete') {
        expect(reading.kind).toBe('incomplete');
        continue;
      }
      expect(body.body.take().toString()).toBe('hello world');
      expect(
        bytes
          .subarray(bytes.length - 4)
          .toString()
          .startsWith(reading.rest.toString().slice(0, 4)),
      ).toBe(true);
      return;
    }
    expect.unreachable();
  });

  it.each([
    ['a size that is no number', 'xyz\r\n', 400],
    ['an empty size', '\r\n', 400],
    ['a chunk longer than it says', '2\r\nabc\r\n', 400],
    ['a size line without end', `5;${'x'.repeat(5000)}`, 400],
    ['a trailer without end', `0\r\n${'x'.repeat(50_000)}`, 400],
    ['a trailer of endless lines', `0\r\n${'X: y\r\n'.repeat(5000)}`, 431],
    ['more than is allowed', 'ff\r\n', 413],
    ['a size beyond counting', 'ffffffffffffffffff\r\n', 400],
  ])('refuses %s', (_name, text, httpStatus) => {
    expect(new ChunkedBody(100).push(Buffer.from(text))).toMatchObject({ kind: 'refused', httpStatus });
  });
});
