import { describe, expect, it } from 'vitest';
import { createRequest, type ImportedRequest } from '../imported';
import { readDocument } from '../read-document';
import { readPostmanBody, type BodySettings } from './postman-body';

const asUsual: BodySettings = { keepsBody: false, addsType: true };
const read = (body: unknown, given: Partial<ImportedRequest> = {}, settings = asUsual) => {
  const headers_ = [...(given.headers ?? [])];
  const request = createRequest({
    name: '',
    method: 'POST',
    url: 'https://a.example',
    ...given,
    headers: headers_,
  });
  readPostmanBody(request, readDocument(JSON.stringify(body)), settings);
  const { body: read_, headers, notes } = request;
  return { parts: read_?.parts ?? null, headers, notes };
};
const raw = (text: string | null, language?: string) => ({
  mode: 'raw',
  raw: text,
  options: { raw: { language } },
});
const typed = (type: string): [string, string][] => [['Content-Type', type]];
const nothing = { parts: null, headers: [], notes: [] };
const files = { mode: 'formdata', formdata: [{ key: 'f', type: 'file', src: 'C:\\me\\b.csv' }] };

describe('a raw body', () => {
  it.each([
    ['json', 'application/json'],
    ['xml', 'application/xml'],
    ['html', 'text/html'],
    ['javascript', 'application/javascript'],
    ['text', 'text/plain'],
    ['toString', 'text/plain'],
    [undefined, 'text/plain'],
  ])('of %s is sent as it stands, as %s', (language, type) => {
    const text = ' {"a": 1.00}\r\n';
    expect(read(raw(text, language))).toEqual({ parts: [text], headers: typed(type), notes: [] });
  });

  it('has no type where it has its own, or none is added, and none at all where it is empty', () => {
    const headers = typed('text/csv').map(([, value]): [string, string] => ['content-type', value]);
    expect(read(raw('a', 'json'), { headers }).headers).toEqual(headers);
    expect(read(raw('a', 'json'), {}, { ...asUsual, addsType: false })).toEqual({ ...nothing, parts: ['a'] });
    for (const text of ['', null]) expect(read(raw(text, 'json'))).toEqual(nothing);
  });

  it.each([
    ['{"a": 1} // note', 'json', '{"a": 1} '],
    ['{/* note */"a": 1}', 'json', '{"a": 1}'],
    ['"a\\"" // note', 'json', '"a\\"" '],
    ['{\n  // note\n}', 'json', '{\n  \n}'],
    ['{"a": "https://x", "b": "/* c */"}', 'json', null],
    ['{"a\\"// b": "\\\\"}', 'json', null],
    ['1 / 2 /', 'json', null],
    ['a // note', 'text', null],
    ['a // note', undefined, null],
  ])('leaves out the comments of JSON, as Postman does: %j as %s', (text, language, sent) => {
    const { parts, notes } = read(raw(text, language));
    expect(parts).toEqual([sent ?? text]);
    expect(notes).toEqual(
      sent === null
        ? []
        : ['The comments in its body are left out, as Postman leaves them out when it sends.'],
    );
  });
});

describe('a form', () => {
  it('goes as pairs, without those that are off', () => {
    const urlencoded = [
      { key: 'a b', value: '1 & {{x}}' },
      { key: 'off', value: '1', disabled: true },
      { value: '2', disabled: true },
      { key: 'none' },
      { value: '3' },
    ];
    expect(read({ mode: 'urlencoded', urlencoded })).toEqual({
      parts: ['a%20b=1%20%26%20{{%x}}&none=&=3'],
      headers: typed('application/x-www-form-urlencoded'),
      notes: [
        'The field off of its form is disabled, and left out.',
        'The field  of its form is disabled, and left out.',
      ],
    });
  });

  it.each([
    ['application/json', 'application/x-www-form-urlencoded', 1],
    ['', 'application/x-www-form-urlencoded', 1],
    ['application/x-www-form-urlencoded;charset=utf-8', 'application/x-www-form-urlencoded;charset=utf-8', 0],
  ])('whose own type is %j goes as %s', (own, expected, count) => {
    const form = { mode: 'urlencoded', urlencoded: [{ key: 'a', value: '1' }] };
    const { headers, notes } = read(form, { headers: [['content-type', own]] });
    expect(headers.map(([, value]) => value)).toEqual([expected]);
    expect(notes).toHaveLength(count);
  });

  it('without a field is no body', () => {
    for (const mode of ['urlencoded', 'formdata']) {
      expect(read({ mode })).toEqual(nothing);
      const { parts, headers, notes } = read({ mode, [mode]: [{ key: 'a', disabled: true }] });
      expect([parts, headers, notes.length]).toEqual([null, [], 1]);
    }
  });

  it('of parts has texts and files, and says which files it needs', () => {
    const formdata = [
      { key: 'a', value: '1', type: 'text' },
      { key: 'b', value: '{"c":1}', contentType: 'application/json' },
      { key: 'off', value: 'x', disabled: true },
      { value: null },
      { key: 'f', type: 'file', src: ['/home/a.csv', 'b.bin'], contentType: 'text/x-own' },
      { key: 'g', type: 'file', src: '/home/c.csv' },
      { key: 'h', type: 'file', src: [] },
      { key: 'i', type: 'file', src: null },
      { key: 'j', type: 'file', src: [''] },
    ];
    const { parts, headers, notes } = read(
      { mode: 'formdata', formdata },
      {
        headers: [
          ['X-A', '1'],
          ['content-TYPE', 'multipart/form-data'],
        ],
      },
    );
    const b = '--countersign-boundary\r\nContent-Disposition: form-data; name=';
    expect(headers).toEqual([
      ['X-A', '1'],
      ['Content-Type', 'multipart/form-data; boundary=countersign-boundary'],
    ]);
    expect(parts).toEqual([
      `${b}"a"\r\n\r\n1\r\n${b}"b"\r\nContent-Type: application/json\r\n\r\n{"c":1}\r\n${b}""\r\n\r\n\r\n` +
        `${b}"f"; filename="a.csv"\r\nContent-Type: text/x-own\r\n\r\n`,
      { file: './a.csv' },
      `\r\n${b}"f"; filename="b.bin"\r\nContent-Type: text/x-own\r\n\r\n`,
      { file: './b.bin' },
      `\r\n${b}"g"; filename="c.csv"\r\nContent-Type: text/csv\r\n\r\n`,
      { file: './c.csv' },
      '\r\n--countersign-boundary--\r\n',
    ]);
    expect(notes).toEqual([
      'The field off of its form is disabled, and left out.',
      "Its body holds the file '/home/a.csv', which was not imported: copy it beside the request.",
      "Its body holds the file 'b.bin', which was not imported: copy it beside the request.",
      "Its body holds the file '/home/c.csv', which was not imported: copy it beside the request.",
      'The field h of its form has no file chosen, and is left out.',
      'The field i of its form has no file chosen, and is left out.',
      'The field j of its form has no file chosen, and is left out.',
    ]);
  });
});

describe('GraphQL', () => {
  it.each([
    [{ query: '{a "b"}\n' }, '{"query":"{a \\"b\\"}\\n"}'],
    [
      { query: 'q', operationName: 'O"p', variables: ' {"n": 1.0} ' },
      '{"query":"q","operationName":"O\\"p","variables":{"n": 1.0}}',
    ],
    [{ query: 'q', operationName: '', variables: ' ' }, '{"query":"q"}'],
    [
      { query: 'q', variables: { n: 1, list: ['{{x}}'] } },
      '{"query":"q","variables":{"n":1,"list":["{{x}}"]}}',
    ],
    [{ query: 'q', variables: [1] }, '{"query":"q","variables":[1]}'],
    [{ query: 'q', variables: null }, '{"query":"q"}'],
    [{}, '{"query":""}'],
  ])('%j goes as JSON, its variables as they were typed', (graphql, text) => {
    expect(read({ mode: 'graphql', graphql })).toEqual({
      parts: [text],
      headers: typed('application/json'),
      notes: [],
    });
  });
});

describe('a file', () => {
  it.each([
    [{ src: '/home/a b.json' }, 'a b.json', typed('application/json')],
    ['C:\\x\\y.unknown', 'y.unknown', []],
  ])('%j is one beside the request, and must be brought along', (file, name, headers) => {
    const { notes, ...rest } = read({ mode: 'file', file });
    expect(rest).toEqual({ parts: [{ file: `./${name}` }], headers });
    expect(notes).toEqual([expect.stringMatching(/^Its body holds the file '.*', which was not imported/)]);
    expect(read({ mode: 'file', file }, {}, { ...asUsual, addsType: false }).headers).toEqual([]);
  });

  it.each([{}, { src: '' }, { src: null }, null, ''])('that is not chosen is no body: %j', (file) => {
    expect(read({ mode: 'file', file })).toEqual({
      ...nothing,
      notes: ['Its body is a file, and none is chosen: it has no body here.'],
    });
  });
});

describe('no body', () => {
  it('is there where none is, or where it is off', () => {
    for (const body of [{}, { mode: 'none' }, { mode: null, raw: 'x' }]) expect(read(body)).toEqual(nothing);
    const request = createRequest({ name: '', method: 'POST', url: 'https://a.example' });
    readPostmanBody(request, null, asUsual);
    expect([request.body, request.notes]).toEqual([null, []]);
    expect(read({ ...raw('a', 'json'), disabled: true })).toEqual({
      ...nothing,
      notes: ['Its body is disabled, and left out.'],
    });
    expect(read({ ...raw('a'), disabled: false }).parts).toEqual(['a']);
  });

  it('is made of one of a kind that is not known, and that is said', () => {
    expect(read({ mode: 'protobuf', protobuf: 'x' })).toEqual({
      ...nothing,
      notes: ["Its body is left out: a kind 'protobuf' is not known."],
    });
    expect(read({ mode: 'x'.repeat(50) }).notes).toEqual([
      `Its body is left out: a kind '${'x'.repeat(40)}' is not known.`,
    ]);
  });

  it.each(['get', 'HEAD', 'Copy', 'PURGE', 'UNLOCK'])(
    'goes out with %s, with a note, as with Postman',
    (method) => {
      const headers: [string, string][] = [['X-A', '1']];
      const notes = [`Its body is left out: Postman sends none with ${method.toUpperCase()}.`];
      expect(read(raw('{} // x', 'json'), { method, headers })).toEqual({ parts: null, headers, notes });
      expect(read(files, { method, headers, notes: ['Before.'] })).toEqual({
        parts: null,
        headers,
        notes: ['Before.', ...notes],
      });
      expect(read({ mode: 'raw', raw: '' }, { method })).toEqual(nothing);
      expect(read(raw('a'), { method }, { ...asUsual, keepsBody: true }).parts).toEqual(['a']);
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TARGET', 'HEADS'])(
    'is not what %s means',
    (method) => {
      expect(read(raw('a'), { method }).parts).toEqual(['a']);
    },
  );
});
