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
import { replaceHeaders } from './replace-headers';

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

  it('rewrites no row that is as it was, however it is spaced', () => {
    const spaced = 'GET http://x/\nA:1\n  #B:   2  \n\t#\tC:\n#D: x: y\nE:  5\n\n# F: 6\n';
    const { file, request } = open(spaced);
    const rows = readHeaderRows(file, request);
    expect(plain(rows)).toEqual([
      ['A', '1', true],
      ['B', '2', false],
      ['C', '', false],
      ['D', 'x: y', false],
      ['E', '5', true],
    ]);
    expect(replaceHeaderRows(file, request, rows)).toBe(spaced);
    expect(replaceHeaderRows(file, request, [...rows, on('G', '')])).toBe(
      spaced.replace('E:  5', 'E:  5\nG:'),
    );
    for (const changed of [on('A', '2'), on('Z', '1'), off('A', '1')]) {
      const [first] = plain([changed]);
      expect(replaceHeaderRows(file, request, [changed, ...rows.slice(1)])).toBe(
        spaced.replace('A:1', `${first![2] ? '' : '# '}${changed.name}: ${changed.value}`),
      );
    }
    expect(replaceHeaderRows(file, request, rows.slice(0, 1))).toBe('GET http://x/\nA:1\n\n# F: 6\n');
  });

  it('writes a value of several lines on one, and what is added behind the last row that is off', () => {
    const { file, request } = open('GET http://x/\n# A: 1');
    expect(replaceHeaderRows(file, request, [off('A', '1'), on('B', 'a\r\nb')])).toBe(
      'GET http://x/\n# A: 1\nB: a b',
    );
    const bare = open('GET http://x/');
    expect(replaceHeaderRows(bare.file, bare.request, [on('B', '1')])).toBe('GET http://x/\nB: 1');
    expect(readHeaderRows(bare.file, bare.request)).toEqual([]);
  });

  it.each(['a # B: 1', '# a b: 1', '# B', '# http://x/', '# @name: x', '## B: 1'])(
    'has no row of the line %s',
    (line) => {
      const { file, request } = open(`GET http://x/\nA: 1\n${line}\nC: 3\n`);
      expect(readHeaderRows(file, request).filter(({ isEnabled }) => !isEnabled)).toEqual([]);
    },
  );
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

  it('decodes what stands beside a variable whose braces hold a percent sign, and beside one that encodes nothing', () => {
    const text = 'GET http://x/w?a=%26{{%id}}+b&c=%%20d';
    const { rows } = read(text);
    expect(plain(rows)).toEqual([
      ['a', '&{{%id}} b', true],
      ['c', '% d', true],
    ]);
    expect(write(text, [on('a', '&{{%id}} b!'), rows[1]!])).toBe('GET http://x/w?a=%26{{%id}}%20b!&c=%%20d');
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

  it('keeps comments and headers that stand among its lines, and what cannot be decoded', () => {
    const text =
      'GET http://x/w?a=1\n    # a remark\n    # &b=%zz \n    &c=%zz\n# &d=4\nA: 1\n# B: 2\n\n# &e=5\n';
    const { rows } = read(text);
    expect(plain(rows)).toEqual([
      ['a', '1', true],
      ['b', '%zz', false],
      ['c', '%zz', true],
      ['d', '4', false],
    ]);
    const all = rows.map((row) => ({ ...row, isEnabled: true }));
    expect(write(text, all)).toBe(
      'GET http://x/w?a=1&b=%zz&c=%zz&d=4\n    # a remark\nA: 1\n# B: 2\n\n# &e=5\n',
    );
  });

  it.each([
    [
      'GET http://h/x\r\n\t?a=1\r\n  # &b=2 \r\n# why ?c=3\r\n\t&c=3&d=4\r\n\t&a=1#f HTTP/1.1\r\nX: 1\r\n',
      2,
      '\t&c=9 9&d=4',
    ],
    ['GET http://h/x?a=1&&b=2&c={{ x }}\n\n### n\nGET http://h/y?b=2\n', 1, 'a=1&&b=9%209&c={{ x }}'],
    ['GET http://h/x\n  ?a=1\n  # &b=2\n  &c=3\n', 1, '\n  # &b=9%209\n'],
  ])('changes a value where it stands, and no other byte: %j', (text, index, wanted) => {
    const file = parseHttpFile(text);
    const block = file.requests[0]!;
    const { rows } = readQuery(file, block);
    expect(replaceQuery(file, block, rows)).toBe(text);
    const { name, isEnabled } = rows[index]!;
    const edited = replaceQuery(file, block, rows.with(index, { name, isEnabled, value: '9 9' }));
    expect(edited).toContain(wanted.replace('c=9 9', 'c=9%209'));
    expect(edited.replace('9%209', rows[index]!.value)).toBe(text);
  });

  it('counts the parameters of each line of an address', () => {
    const text = 'GET http://x/w\n    ?a=1&&b=2&\n    # &c=3\n    &d=4\n    # &e=5\n';
    expect(plain(read(text).rows).map(([name]) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
    const split = 'GET http://x/w?a=1\n    # &b=2\n    &c=3&\n    # &d=4\n';
    expect(plain(read(split).rows).map(([name]) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(read('GET http://x/w#a?b=1').rows).toEqual([]);
    expect(read('GET http://x/w\n# &a=1').rows).toMatchObject([{ name: 'a', isEnabled: false }]);
  });

  it.each(['x # &a=1', '# &a b', '# &', '# a=1', '# &#a'])('has no row of the line %s', (line) => {
    expect(read(`GET http://x/w?z=1\nA: 1\n${line}\n`).rows).toHaveLength(1);
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
  expect(readBulk(' a = 1 \r\n \n\t# b = ', '=')).toEqual([on('a', ' 1 '), off('b', ' ')]);
  expect(readBulk(' a :  1 \n{{x:y}}: 2\na # b: 1', ':')).toEqual([
    on('a', '1'),
    on('{{x:y}}', '2'),
    on('a # b', '1'),
  ]);
  expect(printBulk([on('a', '1'), off('b', '2')], '=')).toBe('a=1\n# b=2');
});

describe('in a file whose lines end in two ways, each line keeps its own end', () => {
  const [a, b, c] = ['A', 'B', 'C'].map((name) => ({ name, value: '1', isEnabled: true }));
  const edit = (text: string, rows: readonly PairRow[]): string => {
    const file = parseHttpFile(text);
    return replaceHeaderRows(file, file.requests[0]!, rows);
  };

  it('where a row is added', () =>
    expect(edit('# c\r\nGET /\r\nA: 1\n\r\nbody', [a!, b!])).toBe('# c\r\nGET /\r\nA: 1\nB: 1\n\r\nbody'));
  it('where rows are taken away', () => {
    expect(edit('GET /\r\nA: 1\nB: 1\r\nC: 1\n\nbody', [a!])).toBe('GET /\r\nA: 1\n\nbody');
    expect(edit('GET /\r\nA: 1\nB: 1\r\nC: 1', [a!, b!])).toBe('GET /\r\nA: 1\nB: 1');
    expect(edit('GET /\r\nA: 1\nB: 1\r\nC: 1', [])).toBe('GET /\r\n');
    expect(edit('GET /\r\nA: 1\n', [a!, b!, c!])).toBe('GET /\r\nA: 1\nB: 1\nC: 1\n');
  });
  it('where all headers are set', () => {
    const file = parseHttpFile('GET /\r\nA: 1\nB: 1\r\n\r\nbody');
    const [request] = file.requests;
    expect(replaceHeaders(file, request!, [['A', '1']])).toBe('GET /\r\nA: 1\n\r\nbody');
  });
  it('where a parameter is switched off', () => {
    const file = parseHttpFile('# c\r\nGET /\n  ?a=1\n# note\n  # &b=2\r\nA: 1\n');
    const [request] = file.requests;
    const { rows } = readQuery(file, request!);
    const next = replaceQuery(file, request!, [...rows, { name: 'c', value: '', isEnabled: true }]);
    expect(next).toContain('\n# note\r\nA: 1\n');
    expect(next).not.toContain('\r\n# note');
  });
});
