import { describe, expect, it } from 'vitest';
import { createRequest, type ImportedRequest } from '../imported';
import { cleanRequest, findObstacle, nameByAddress } from './clean-request';

const of = (given: Partial<ImportedRequest>) =>
  createRequest({ name: 'Pay', method: 'GET', url: 'https://a.example/pay', ...given });

describe('what is no request of ours', () => {
  it.each([
    ['GET', '', 'It has no URL.'],
    ['GET', ' \n', 'It has no URL.'],
    ['CONNECT', 'a.example:443', /^It opens a tunnel through a proxy/],
    [' connect ', 'a.example:443', /^It opens a tunnel through a proxy/],
    ['', 'https://a.example', "Its method '' is none of HTTP."],
    ['M SEARCH', 'https://a.example', "Its method 'M SEARCH' is none of HTTP."],
    ['GET1', 'https://a.example', "Its method 'GET1' is none of HTTP."],
    ['1GET', 'https://a.example', "Its method '1GET' is none of HTTP."],
    ['A'.repeat(21), 'https://a.example', `Its method '${'A'.repeat(21)}' is none of HTTP.`],
    ['B'.repeat(50), 'https://a.example', `Its method '${'B'.repeat(40)}' is none of HTTP.`],
    ['GET', 'ws://a.example', /^It is a WebSocket/],
    ['GET', ' WSS://a.example', /^It is a WebSocket/],
    ['GET', 'ftp://a.example/x', /^Its address begins with ftp:/],
    ['GET', ' svn+ssh://a.example/x', /^Its address begins with svn\+ssh:/],
    ['GET', ' FILE:/etc/hosts', /^Its address begins with file:/],
    ['GET', 'data:text/plain,a', /^Its address begins with data:/],
    ['GET', 'blob:https://a.example/1', /^Its address begins with blob:/],
    ['GET', 'view-source:https://a.example/', /^Its address begins with view-source:/],
    ['GET', 'grpc://a.example', /^Its address begins with grpc:/],
  ])('is %j %j', (method, url, why) => {
    const found = findObstacle(of({ method, url }));
    if (typeof why === 'string') expect(found).toBe(why);
    else expect(found).toMatch(why);
  });

  it.each([
    ['GET', 'http://a.example'],
    ['GET', 'HTTPS://a.example'],
    ['GET', 'localhost:4010/data:1'],
    ['GET', '{{base_url}}/x?to=ftp://b.example'],
    ['GET', 'a.example/ws://b.example'],
    ['GET', 'database:5432/x'],
    ['disconnect', 'https://a.example'],
    ['connecting', 'https://a.example'],
    ['A'.repeat(20), 'https://a.example'],
  ])('is not %j %j', (method, url) => {
    expect(findObstacle(of({ method, url }))).toBeNull();
  });
});

describe('an address', () => {
  it.each([
    ['https://a.example/a', 'https://a.example/a'],
    ['  https://a.example/a\n', 'https://a.example/a'],
    ['https://a.example/a\n\tb\r\nc', 'https://a.example/abc'],
    ['https://a.example/a b?c=d  e', 'https://a.example/a%20b?c=d%20%20e'],
    ['https://a.example/a\u00a0b', 'https://a.example/a%C2%A0b'],
    ['https://a.example/{{ my id }}/a b', 'https://a.example/{{ my id }}/a%20b'],
    ['https://a.example/{{}}/{{a{b c}}}', 'https://a.example/{{}}/{{a{b%20c}}}'],
    ['{{host}}/a', '{{host}}/a'],
    ['localhost:4010/a', 'http://localhost:4010/a'],
    ['a.example/https://b.example', 'http://a.example/https://b.example'],
    ['a.example/{{id}}', 'http://a.example/{{id}}'],
    ['//a.example//b', 'http://a.example//b'],
    ['HTTPS://a.example', 'HTTPS://a.example'],
  ])('%j is written %s', (url, written) => {
    expect(cleanRequest(of({ url })).url).toBe(written);
  });
});

describe('a user in an address', () => {
  it.each([
    ['https://ann:word@a.example/b', 'https://a.example/b', 'Basic ann:word'],
    ['http://ann@a.example', 'http://a.example', 'Basic ann:'],
    ['https://ann:@a.example', 'https://a.example', 'Basic ann:'],
    ['https://:word@a.example', 'https://a.example', 'Basic :word'],
    ['https://ann:a:b@a.example', 'https://a.example', 'Basic ann:a:b'],
    ['https://a%6En:w%40rd@a.example', 'https://a.example', 'Basic ann:w@rd'],
    ['https://ann:100%@a.example', 'https://a.example', 'Basic ann:100%'],
    ['https://{{user}}:{{word}}@a.example', 'https://a.example', 'Basic {{user}}:{{word}}'],
    ['HTTPS://ann:word@a.example', 'HTTPS://a.example', 'Basic ann:word'],
    ['ann:word@a.example/b', 'http://a.example/b', 'Basic ann:word'],
  ])('%s goes into a header', (url, written, authorization) => {
    const clean = cleanRequest(of({ url, headers: [['Accept', '*/*']] }));
    expect(clean).toMatchObject({
      url: written,
      headers: [
        ['Accept', '*/*'],
        ['Authorization', authorization],
      ],
      notes: [],
    });
  });

  it.each([
    'https://a.example/ann:word@b.example',
    'https://a.example?mail=ann@b.example',
    'https://a.example#ann@b.example',
    'https://a.example/?to=https://ann:word@b.example/',
    'https://ann@/b',
    '{{host}}/ann@b.example',
    'ftp://ann:word@a.example',
  ])('is not what %s has', (url) => {
    expect(cleanRequest(of({ url }))).toMatchObject({ url, headers: [] });
  });

  it('is left out, with a note, beside a header that says who asks', () => {
    const headers: [string, string][] = [
      ['Accept', '*/*'],
      ['AUTHORIZATION', 'Bearer {{token}}'],
    ];
    expect(cleanRequest(of({ url: 'https://ann:word@a.example', headers }))).toMatchObject({
      url: 'https://a.example',
      headers,
      notes: ['The user name in its address is left out: it has a header Authorization.'],
    });
    expect(cleanRequest(of({ headers })).notes).toEqual([]);
  });
});

describe('headers', () => {
  const clean = (...headers: [string, string][]) => {
    const { headers: after, notes } = cleanRequest(of({ headers }));
    return [after, notes];
  };

  it.each(['Content-Length', 'transfer-encoding', 'CONNECTION', ' Expect '])(
    'that whoever sends decides on are left out, with a note: %s',
    (name) => {
      expect(clean([name, '1'], ['X-A', '2'])).toEqual([
        [['X-A', '2']],
        [`Its header ${name.trim()} is left out: whoever sends decides on it.`],
      ]);
    },
  );

  it.each(['gzip', 'gzip, identity', 'identity;q=0', ''])(
    'that ask for a compressed answer are left out, with a note: %j',
    (value) => {
      expect(clean([' Accept-Encoding', value])).toEqual([
        [],
        ['Its header Accept-Encoding is left out: an answer that comes compressed is not unpacked here.'],
      ]);
    },
  );

  it('that ask for an answer as it is stay', () => {
    for (const [name, value] of [
      ['accept-encoding', ' Identity '],
      ['X-Accept-Encoding', 'gzip'],
      ['Accept-Encoding-X', 'gzip'],
    ] as const)
      expect(clean([name, value])).toEqual([[[name, value.trim()]], []]);
  });

  it.each(['', 'a b', 'a:b', 'ключ', '#a', '{{name}}', 'a\r\nb', '.a'])(
    'of a name that no header may have are left out, with a note: %j',
    (name) => {
      expect(clean([name, '1'])).toEqual([
        [],
        [`Its header '${name.replace('\r\n', ' ')}' is left out: no header may be called so.`],
      ]);
    },
  );

  it('of odd names that they may have stay; a long one is told by its beginning', () => {
    for (const name of ["!a.b#c'", 'x', '1', '_-~|^`*+$%&'.replace('&', 'x&')])
      expect(clean([name, '1'])).toEqual([[[name, '1']], []]);
    expect(clean([`${'a'.repeat(60)} b`, '1'])[1]).toEqual([
      `Its header '${'a'.repeat(60)}' is left out: no header may be called so.`,
    ]);
  });

  it('of several lines have them joined, with a note', () => {
    expect(clean(['X-A', ' a\r\n\n b\nc '], ['X-B', '\n d \n'])).toEqual([
      [
        ['X-A', 'a  b c'],
        ['X-B', 'd'],
      ],
      ['The lines of its header X-A are joined.'],
    ]);
  });

  it('that are off are looked at in the same way, and keep their place', () => {
    const offHeaders = [
      { at: 1, name: ' X-A ', value: 'a\nb' },
      { at: 2, name: 'a b', value: '1' },
    ];
    expect(cleanRequest(of({ offHeaders }))).toMatchObject({
      offHeaders: [{ at: 1, name: 'X-A', value: 'a b' }],
      notes: [
        'The lines of its header X-A are joined.',
        "Its header 'a b' is left out: no header may be called so.",
      ],
    });
  });
});

it('puts name, method and variables on a line each, and keeps the notes that there are', () => {
  const given = of({
    name: ' Pay\r\n\u2028now\t! ',
    method: 'post',
    variables: [['a', ' b\r\nc ']],
    notes: ['One.'],
  });
  expect(cleanRequest(given)).toMatchObject({
    name: 'Pay now !',
    method: 'POST',
    variables: [['a', 'b c']],
    notes: ['One.'],
  });
  expect(given.notes).toEqual(['One.']);
});

it.each([
  ['get', 'https://a.example/w/%C3%A9%20x%0Ay?a=%C3%A9', 'GET /w/é x y'],
  ['get', 'https://a.example/100%', 'GET /100%'],
  ['get', 'https://a.example/pay/1?a=b#c', 'GET /pay/1'],
  ['GET', 'https://a.example', 'GET /'],
  ['GET', 'https://a.example?a=b', 'GET /'],
  ['GET', '{{ base url }}/pay', 'GET /pay'],
  ['GET', '{{base_url}}', 'GET /'],
  ['GET', 'https://a.example/{{id}}/b', 'GET /{{id}}/b'],
  ['GET', 'a.example/pay?to=https://b.example/', 'GET a.example/pay'],
  ['GET', 'a.example/to/https://b.example/x', 'GET a.example/to/https://b.example/x'],
  ['GET', 'SVN+ssh-1.0://a.example/pay', 'GET /pay'],
  ['GET', '/pay#\n/x', 'GET /pay'],
  ['GET', `/${'a'.repeat(200)}`, `GET /${'a'.repeat(115)}`],
])('calls %s %s, which has no name, %s', (method, url, name) => {
  expect(nameByAddress(method, url)).toBe(name);
});
