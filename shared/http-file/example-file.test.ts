import { describe, expect, it } from 'vitest';
import {
  findExampleOwner,
  indexRequests,
  isExamplePath,
  nameExample,
  parseExample,
  printExample,
  titleExample,
} from './example-file';
import { parseHttpFile } from './parse-http-file';

const example = {
  receivedAt: Date.parse('2026-11-22T07:00:00Z'),
  block: 'Second of two',
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
    const bare = {
      ...example,
      receivedAt: null,
      block: null,
      request: null,
      reason: '',
      headers: [],
      body: '',
    };
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
    expect(findExampleOwner('.ok.example.http', indexRequests(['.http']))).toBeNull();
    // What is an example itself owns none.
    expect(
      findExampleOwner('Pay.x.example.y.example.http', indexRequests(['Pay.x.example.http'])),
    ).toBeNull();
    expect([...requests.values()]).toEqual(['Pay.http', 'Pay.v2.http', 'Other.http']);
  });

  it.each([
    ['a/b/Pay.201 Created.example.http', 'Pay.201 Created'],
    ['Pay.example.REST', 'Pay'],
    ['Pay.example.http.example.http', 'Pay.example.http'],
    ['Pay.example.https', 'Pay.example.https'],
  ])('%s is called %s where it is alone', (path, title) => expect(titleExample(path)).toBe(title));

  it.each([
    ['a/b/Pay.http', 'Pay.ok.example'],
    ['Pay.http.rest', 'Pay.http.ok.example'],
    ['Pay.https', 'Pay.https.ok.example'],
  ])('of %s is named %s', (path, name) => expect(nameExample(path, 'ok')).toBe(name));

  it.each([
    ['HTTP/2 204', { httpStatus: 204, reason: '', headers: [], body: '' }],
    [
      'HTTP/1.1  200  All  good\r\nA : b\r\n\r\nx\r\n',
      { reason: 'All  good', headers: [['A', 'b']], body: 'x\r\n' },
    ],
    ['HTTP/1.1 200 OK\nno header\n: none\nB:\n\n\n', { headers: [['B', '']], body: '\n' }],
    [
      ' \n// GET http://x\n#@received   2026-01-01T00:00:00Z\nHTTP/1.0 200\n',
      { request: 'GET http://x', receivedAt: 1767225600000 },
    ],
    ['# a remark\n# @received soon\n# x GET y\n# GET\nHTTP/1.1 200\n', { request: null, receivedAt: null }],
    ['# @received 2026-01-01T00:00:00Z x\nHTTP/1.1 200\n', { receivedAt: null }],
    ['# x @received 2026-01-01T00:00:00Z\nHTTP/1.1 200\n', { receivedAt: null, request: null }],
  ])('written by hand, %j, says %j', (text, said) => {
    expect(parseExample(text)).toMatchObject(said);
  });

  it.each(['xHTTP/1.1 200', 'HTTP/1.1 2000', 'HTTP/1.1 20', 'HTTP/1.1 200OK', 'HTTP 200', '# x\n'])(
    'is none without a status line: %j',
    (text) => expect(parseExample(text)).toBeNull(),
  );

  it.each(['', 'GET http://x', 'not a line\nHTTP/1.1 200 OK', '# HTTP/1.1 200 OK\n'])(
    'says no more than there is: %j',
    (text) => {
      expect(parseExample(text)).toBeNull();
    },
  );
});
