import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../../../test/support/processor-time';
import { ChunkedBody, SizedBody, type IncomingBody } from './read-body';

/** Pushes bytes in pieces of one size; gives what stands behind the body, or the refusal, or null. */
function pushAll(body: IncomingBody, text: string, size: number) {
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    const progress = body.push(piece, 0);
    if (typeof progress === 'number') return text.slice(at + progress);
    if (progress !== null) return progress;
  }
  return null;
}

const sizes = [1, 2, 3, 7, 1000];

describe.each(sizes)('in pieces of %i bytes', (size) => {
  it('a body of a told length ends where it says', () => {
    const body = new SizedBody(5);
    expect(pushAll(body, 'helloNEXT', size)).toBe('NEXT');
    expect(body.view().toString()).toBe('hello');
    expect(pushAll(new SizedBody(5), 'hell', size)).toBeNull();
  });

  it('a body in chunks ends behind its trailers', () => {
    const body = new ChunkedBody(100);
    const text = '5;name=value;q="a b"\r\nhello\r\n0006\r\n world\r\n0\r\nTrailer: x \r\na:\r\n\r\nNEXT';
    expect(pushAll(body, text, size)).toBe('NEXT');
    expect(body.view().toString()).toBe('hello world');
    expect(body.trailers).toEqual(['Trailer', 'x', 'a', '']);
    expect(pushAll(new ChunkedBody(100), text.slice(0, -5), size)).toBeNull();
  });

  it.each([
    ['a size that is no number', 'xyz\r\n', 400],
    ['an empty size', '\r\n', 400],
    ['a blank behind the size', '5 \r\n', 400],
    ['a size that ends in a bare line feed', '5\nhello\r\n', 400],
    ['an extension without a name', '5;=a\r\n', 400],
    ['a chunk longer than it says', '2\r\nabc\r\n', 400],
    ['a chunk behind which a carriage return is missing', '2\r\nab\n', 400],
    ['a size line without end', `5;${'x'.repeat(5000)}`, 400],
    ['extensions beyond all measure', `1;${'x'.repeat(1000)}\r\na\r\n`.repeat(20), 400],
    ['a trailer line without end', `0\r\n${'x'.repeat(50_000)}`, 431],
    ['a trailer of endless lines', `0\r\n${'X: y\r\n'.repeat(5000)}`, 431],
    ['a trailer that is none', '0\r\nabc\r\n\r\n', 400],
    ['a trailer with a bare line feed', '0\r\na: b\n\r\n', 400],
    ['an end of the connection in the trailer', '0\r\nConnection: close\r\n\r\n', 400],
    ['a length in the trailer', '0\r\nContent-Length: 0\r\n\r\n', 400],
    ['more than is allowed', 'ff\r\n', 413],
    ['more than is allowed, chunk by chunk', `${'a\r\n0123456789\r\n'.repeat(11)}`, 413],
    ['a size beyond counting', 'ffffffffffffffffff\r\n', 400],
  ])('refuses %s', (_name, text, httpStatus) => {
    expect(pushAll(new ChunkedBody(100), text, size)).toMatchObject({ kind: 'refused', httpStatus });
  });
});

it('a million bytes in chunks of one byte, byte by byte, take their time once', () => {
  const processorMs = countProcessorMs();
  const body = new ChunkedBody(2_000_000);
  expect(pushAll(body, `${'1\r\na\r\n'.repeat(200_000)}0\r\n\r\n`, 1)).toBe('');
  expect(body.view().length).toBe(200_000);
  expect(processorMs()).toBeLessThan(10_000);
});
