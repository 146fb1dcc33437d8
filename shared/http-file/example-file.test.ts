import { describe, expect, it } from 'vitest';
import {
  findExampleOwner,
  indexRequests,
  isExamplePath,
  nameExample,
  parseExample,
  printExample,
} from './example-file';
import { parseHttpFile } from './parse-http-file';

const example = {
  receivedAt: Date.parse('2026-11-22T07:00:00Z'),
  request: 'POST http://127.0.0.1:4010/payments/v1/payouts',
  httpStatus: 201,
  reason: 'Created',
  headers: [
    ['Content-Type', 'application/json'],
    ['X-Request-Id', 'a: b'],
  ] as [string, string][],
  body: '{"amount": 1000.00,\r\n\n "x": "é"}\n\n',
};

describe('an example', () => {
  it('is read back as it was written, its body byte for byte', () => {
    expect(parseExample(printExample(example))).toEqual(example);
    const bare = { ...example, receivedAt: null, request: null, reason: '', headers: [], body: '' };
    expect(parseExample(printExample(bare))).toEqual(bare);
  });

  it('is no request, for us or for anybody who opens it', () => {
    const { requests, faults } = parseHttpFile(printExample(example));
    expect([requests.length, faults.length]).toEqual([0, 1]);
  });

  it('cannot be given further lines by a header', () => {
    const hostile = {
      ...example,
      reason: 'OK\nX: 1',
      headers: [['A', 'b\r\n\r\nPOST http://x']] as [string, string][],
    };
    expect(parseExample(printExample(hostile))).toMatchObject({ reason: 'OK X: 1', body: example.body });
  });

  it('is known by its name, and belongs to the request with the longest name that fits', () => {
    expect(isExamplePath('f/Pay.201 Created.example.http')).toBe(true);
    expect(isExamplePath('f/Pay.example/x.http')).toBe(false);
    expect(nameExample('f/Pay.http', '201 Created')).toBe('Pay.201 Created.example');
    const requests = indexRequests(['Pay.http', 'Pay.v2.http', 'Other.http', 'Pay.x.example.http']);
    expect(findExampleOwner('Pay.201 Created.example.http', requests)).toEqual({
      owner: 'Pay.http',
      name: '201 Created',
    });
    expect(findExampleOwner('Pay.v2.ok.example.http', requests)).toEqual({
      owner: 'Pay.v2.http',
      name: 'ok',
    });
    expect(findExampleOwner('Gone.ok.example.http', requests)).toBeNull();
  });

  it.each(['', 'GET http://x', 'not a line\nHTTP/1.1 200 OK', '# HTTP/1.1 200 OK\n'])(
    'says no more than there is: %j',
    (text) => {
      expect(parseExample(text)).toBeNull();
    },
  );
});
