import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HttpTrace } from '../../platform/ports';
import { countTraceBytes, maskWire } from './mask-wire';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.c2VudGluZWwtc2VjcmV0.signature-part';

function mask(sent: string | Buffer, received: string | Buffer = '', secrets = [TOKEN]) {
  const of = (data: string | Buffer) => {
    const bytes = Buffer.from(data);
    return { bytes: bytes.subarray(0, countTraceBytes(secrets)), sizeBytes: bytes.length };
  };
  const trace: HttpTrace = {
    address: null,
    isProxied: false,
    isReused: false,
    httpVersion: null,
    tls: null,
    sent: of(sent),
    received: of(received),
  };
  const masked = maskWire(trace, secrets);
  return {
    sent: Buffer.from(masked.sent.base64, 'base64'),
    received: Buffer.from(masked.received.base64, 'base64'),
    trace: masked,
  };
}

const inChunks = (bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('3\r\n'),
    bytes.subarray(0, 3),
    Buffer.from(`\r\n${(bytes.length - 3).toString(16)}\r\n`),
    bytes.subarray(3),
    Buffer.from('\r\n0\r\n\r\n'),
  ]);

describe('maskWire', () => {
  it('leaves every byte as it was where nothing is secret, bytes that are no text too', () => {
    const bytes = Buffer.concat([
      Buffer.from('GET / HTTP/1.1\r\nX-A:  ü\r\n\r\n'),
      Buffer.from([0, 255, 13, 10]),
    ]);
    const { sent, trace } = mask(bytes);
    expect(sent.equals(bytes)).toBe(true);
    expect(trace.sent).toMatchObject({ isMasked: false, sizeBytes: bytes.length });
  });

  it('masks tokens and what is secret by its name, in lines, addresses and bodies', () => {
    const { sent, received, trace } = mask(
      `POST /?api_key=key-in-the-query HTTP/1.1\r\nAuthorization: Bearer ${TOKEN}\r\nCookie: sid=abcdef\r\n\r\n{"password":"word-in-the-body"}`,
      `HTTP/1.1 200 OK\r\nSet-Cookie: sid=ghijkl\r\n\r\n{"echo":"${TOKEN}","b":"${Buffer.from(`x${TOKEN}`).toString('base64')}"}`,
    );
    const text = `${sent.toString()}${received.toString()}`;
    for (const secret of ['key-in-the-query', 'c2VudGluZWwt', 'abcdef', 'word-in-the-body', 'ghijkl']) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('Authorization: Bearer eyJh…part');
    expect(trace).toMatchObject({ sent: { isMasked: true }, received: { isMasked: true } });
  });

  it.each([
    ['gzip', gzipSync, 'Content-Encoding: gzip'],
    ['gzip in chunks, not named', (text: string) => inChunks(gzipSync(text)), 'Transfer-Encoding: chunked'],
    ['zlib, not named', deflateSync, 'A: b'],
    ['Brotli', brotliCompressSync, 'Content-Encoding: br'],
  ])('keeps nothing of an answer that is compressed: %s', (_name, pack, line) => {
    const packed = pack(`{"echo":"${TOKEN}"}`);
    const answer = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`), packed]);
    const { received, trace } = mask('', answer);
    expect(received.toString()).toBe(`HTTP/1.1 200 OK\r\n${line}\r\n\r\ncompressed`);
    expect(trace.received).toMatchObject({ isMasked: true, sizeBytes: answer.length });
  });

  it('finds a secret in chunks of one byte', () => {
    const chunks = [...TOKEN].map((letter) => `1\r\n${letter}\r\n`).join('');
    const { received } = mask('', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    expect(received.toString().replace(/1\r\n|\r\n/g, '')).not.toContain('c2VudGluZWwt');
  });

  it('shows no beginning of a secret that goes on where the shown part ends', () => {
    for (const before of [16 * 1024 - 20, 16 * 1024 - 4, 16 * 1024 + 1]) {
      const { sent } = mask(`${'x'.repeat(before)}${TOKEN}`);
      expect(sent.length).toBeLessThanOrEqual(16 * 1024 + 2);
      expect(sent.toString()).not.toContain(TOKEN.slice(4, 12));
    }
  });

  it('keeps no more than it shows, however much there was', () => {
    const { sent, trace } = mask('y'.repeat(1_000_000));
    expect(sent).toHaveLength(16 * 1024);
    expect(trace.sent.sizeBytes).toBe(1_000_000);
  });
});
