import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  printBulk,
  readBulk,
  readHeaderRows,
  readQuery,
  replaceHeaderRows,
  replaceQuery,
  type PairRow,
} from './edit-rows';
import { parseHttpFile } from './parse-http-file';

const open = (text: string) => {
  const file = parseHttpFile(text);
  return { file, request: file.requests[0]! };
};
const plain = (rows: readonly PairRow[]) =>
  rows.map(({ name, value, isEnabled }) => [name, value, isEnabled]);
const on = (name: string, value: string): PairRow => ({ name, value, isEnabled: true });
const off = (name: string, value: string): PairRow => ({ name, value, isEnabled: false });

describe('rows of headers', () => {
  const text = 'GET http://x/\r\nA: 1\r\n# B: 2\r\n# a remark\r\nC: 3\r\n\r\nbody\r\n';

  it('has those that are commented out, in their places', () => {
    const { file, request } = open(text);
    expect(plain(readHeaderRows(file, request))).toEqual([
      ['A', '1', true],
      ['B', '2', false],
      ['C', '3', true],
    ]);
    expect(request.headers).toHaveLength(2);
  });

  it('switches one off and on, and leaves every other byte', () => {
    const { file, request } = open(text);
    const next = replaceHeaderRows(file, request, [off('A', '1'), off('B', '2'), on('C', '3'), on('D', '4')]);
    expect(next).toBe('GET http://x/\r\n# A: 1\r\n# B: 2\r\n# a remark\r\nC: 3\r\nD: 4\r\n\r\nbody\r\n');
    const again = open(next);
    expect(again.request.headers.map(({ name }) => name)).toEqual(['C', 'D']);
    expect(replaceHeaderRows(again.file, again.request, [on('A', '1'), off('B', '2'), on('C', '3')])).toBe(
      text,
    );
    expect(replaceHeaderRows(file, request, [])).toBe('GET http://x/\r\n# a remark\r\n\r\nbody\r\n');
  });
});

describe('rows of a query', () => {
  const read = (text: string) => {
    const { file, request } = open(text);
    return readQuery(file, request);
  };
  const write = (text: string, rows: readonly PairRow[]) => {
    const { file, request } = open(text);
    return replaceQuery(file, request, rows);
  };

  it('shows values decoded and keeps what is not edited as it was written', () => {
    const text = 'GET {{base}}/w?a=%7e+b&currency={{c?&}}&flag#top HTTP/1.1\nA: 1\n';
    const { base, rows, fragment } = read(text);
    expect([base, fragment]).toEqual(['{{base}}/w', '#top']);
    expect(plain(rows)).toEqual([
      ['a', '~ b', true],
      ['currency', '{{c?&}}', true],
      ['flag', '', true],
    ]);
    expect(write(text, rows)).toBe(text);
    expect(write(text, [rows[0]!, on('x y', 'a&b={{c}}')])).toBe(
      'GET {{base}}/w?a=%7e+b&x%20y=a%26b%3D{{c}}#top HTTP/1.1\nA: 1\n',
    );
  });

  it('keeps one that is off as a comment between lines, in its place', () => {
    const text = 'GET http://x/w?a=1&b=2&c=3 HTTP/1.1\nA: 1\n\n';
    const { rows } = read(text);
    const next = write(text, [rows[0]!, { ...rows[1]!, isEnabled: false }, rows[2]!]);
    expect(next).toBe('GET http://x/w\n    ?a=1\n    # &b=2\n    &c=3 HTTP/1.1\nA: 1\n\n');
    expect(open(next).request.url).toBe('http://x/w?a=1&c=3');
    expect(open(next).request.httpVersion).toBe('HTTP/1.1');
    expect(plain(read(next).rows)).toEqual([
      ['a', '1', true],
      ['b', '2', false],
      ['c', '3', true],
    ]);
    expect(
      write(
        next,
        read(next).rows.map((row) => ({ ...row, isEnabled: true })),
      ),
    ).toBe(text);
    const none = write(
      text,
      rows.map((row) => ({ ...row, isEnabled: false })),
    );
    expect(open(none).request).toMatchObject({ url: 'http://x/w', httpVersion: 'HTTP/1.1' });
    expect(read(none).rows).toHaveLength(3);
    expect(open(none).request.headers).toHaveLength(1);
  });

  it('reads back a name that begins with a slash: two of them would begin a comment', () => {
    const rows = [on('/', ''), off('/a', '/'), on('//', '1')];
    expect(plain(read(write('POST http://x/y\n\n{}\n', rows)).rows)).toEqual(plain(rows));
  });

  it('puts one that is off between its neighbours, where a question mark stands in a name, too', () => {
    const rows = [on('a?b', '?'), off('c', ''), on('d', '')];
    expect(plain(read(write('POST http://x/y\n\n{}\n', rows)).rows)).toEqual(plain(rows));
  });

  it('reads back what it wrote, for any rows', () => {
    const cell = fc.string({ maxLength: 8, unit: 'grapheme' });
    const row = fc.record({ name: cell.filter((name) => name !== ''), value: cell, isEnabled: fc.boolean() });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
        const text = 'POST http://x/y#f\nA: 1\n\n{}\n';
        const next = write(text, rows);
        expect(plain(read(next).rows)).toEqual(plain(rows));
        expect(open(next).request).toMatchObject({ body: '{}', headers: [{ name: 'A', value: '1' }] });
        expect(write(next, [])).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});

it('writes rows as text and reads them back', () => {
  const rows = [on('A', '1: 2'), off('B', '')];
  expect(printBulk(rows, ':')).toBe('A: 1: 2\n# B: ');
  expect(readBulk(printBulk(rows, ':'), ':')).toEqual(rows);
  expect(readBulk('a=1=2\n\n#b', '=')).toEqual([on('a', '1=2'), off('b', '')]);
});
