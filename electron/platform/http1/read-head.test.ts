import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../../../test/support/processor-time';
import { readFieldLines, readHead } from './read-head';

const head = (...lines: string[]): string => lines.join('\r\n');

describe('readHead', () => {
  it('reads method, target, headers in order and as sent, and the framing', () => {
    expect(readHead(head('POST /a?b=%20 HTTP/1.1', 'Host: x', 'content-LENGTH:  12 ', 'X: y:z\t', 'E:'))).toEqual({
      kind: 'head',
      method: 'POST',
      target: '/a?b=%20',
      headers: ['Host', 'x', 'content-LENGTH', '12', 'X', 'y:z', 'E', ''],
      framing: { kind: 'framing', contentLength: 12, isKeepAlive: true, expectsContinue: false },
    });
    expect(readHead('GET / HTTP/1.0')).toMatchObject({ framing: { contentLength: 0, isKeepAlive: false } });
    expect(readHead(head('PUT / HTTP/1.1', 'Expect: 100-Continue'))).toMatchObject({
      framing: { expectsContinue: true },
    });
    expect(readHead(head('PURGE * HTTP/1.1', 'Transfer-Encoding: Chunked'))).toMatchObject({
      framing: { contentLength: null },
    });
  }); // prettier-ignore

  it.each([
    ['HTTP/1.1', 'TE, close', false],
    ['HTTP/1.1', 'x-close', true],
    ['HTTP/1.1', '', true],
    ['HTTP/1.1', 'Upgrade', false],
    ['HTTP/1.0', 'Keep-Alive', true],
    ['HTTP/1.0', 'keep-alive, close', false],
    ['HTTP/1.0', 'not-keep-alive', false],
  ])('%s with Connection: %s', (version, connection, isKeepAlive) => {
    expect(readHead(head(`GET / ${version}`, `Connection: ${connection}`))).toMatchObject({
      framing: { isKeepAlive },
    });
  });

  it.each([
    ['no request line', '', 400],
    ['a line without a version', 'GET /', 400],
    ['another version', 'GET / HTTP/2.0', 505],
    ['the first bytes of HTTP/2', 'PRI * HTTP/2.0', 505],
    ['a version of three digits', 'GET / HTTP/1.10', 505],
    ['a path with a space', 'GET /a b HTTP/1.1', 400],
    ['a control character in the path', 'POST /\x1b[2J HTTP/1.1', 400],
    ['a path above ASCII', 'POST /\xc3\xa0 HTTP/1.1', 400],
    ['a path without a slash', 'GET a HTTP/1.1', 400],
    ['a path beyond all measure', `GET /${'a'.repeat(20_000)} HTTP/1.1`, 414],
    ['a method that is no token', 'G(T / HTTP/1.1', 400],
    ['a method that nobody has', 'BREW / HTTP/1.1', 501],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1', 400],
    ['a header without a colon', head('GET / HTTP/1.1', 'abc'), 400],
    ['a header without a name', head('GET / HTTP/1.1', ': d'), 400],
    ['a space before the colon', head('GET / HTTP/1.1', 'abc : d'), 400],
    ['a folded line', head('GET / HTTP/1.1', 'a: b', ' c'), 400],
    ['a control character', head('GET / HTTP/1.1', 'a: b\x00c'), 400],
    ['a bare line feed', 'GET / HTTP/1.1\r\na: b\nc: d', 400],
    ['a bare carriage return', 'GET / HTTP/1.1\r\na: b\rc: d', 400],
    ['two lengths', head('POST / HTTP/1.1', 'Content-Length: 1', 'Content-Length: 1'), 400],
    ['a negative length', head('POST / HTTP/1.1', 'Content-Length: -1'), 400],
    ['a length of nothing', head('POST / HTTP/1.1', 'Content-Length:'), 400],
    ['a list of lengths', head('POST / HTTP/1.1', 'Content-Length: 1, 1'), 400],
    ['length and coding', head('POST / HTTP/1.1', 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400],
    ['a coding in HTTP/1.0', head('POST / HTTP/1.0', 'Transfer-Encoding: chunked'), 400],
    ['an unknown coding', head('POST / HTTP/1.1', 'Transfer-Encoding: gzip, chunked'), 501],
    ['a length behind a space that is none', head('POST / HTTP/1.1', 'Content-Length: \xa02'), 400],
    ['a coding behind one', head('POST / HTTP/1.1', 'Transfer-Encoding: \xa0chunked'), 501],
    ['two codings', head('POST / HTTP/1.1', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'), 400],
  ])('refuses %s', (_name, text, httpStatus) => {
    expect(readHead(text)).toMatchObject({ kind: 'refused', httpStatus });
  });

  it('takes no longer for a long hostile head', () => {
    const processorMs = countProcessorMs();
    readHead(`GET / HTTP/1.1\r\n${'a:'.repeat(30_000)}\r\n${'a: b\r\n'.repeat(500)}x`);
    readHead(`GET / HTTP/1.1\r\na:${' \t'.repeat(30_000)}`);
    readHead(`GET / HTTP/1.1\r\ncontent-length:${' \t1'.repeat(20_000)}`);
    readHead(`GET http://${'a:'.repeat(30_000)} HTTP/1.1`);
    expect(processorMs()).toBeLessThan(1000);
  });
});

describe('readFieldLines', () => {
  it('keeps what is no blank for HTTP', () => {
    expect(readFieldLines('\r\na: \xa0b\xa0 \r\nB:\t')).toEqual(['a', '\xa0b\xa0', 'B', '']);
    expect(readFieldLines('')).toEqual([]);
    expect(readFieldLines('\r\na')).toBeNull();
  });
});
