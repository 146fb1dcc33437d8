import { describe, expect, it } from 'vitest';
import {
  describeFile,
  guessFileType,
  guessTypeByCurl,
  nameFile,
  printForm,
  printMultipart,
  type FormPart,
} from './form-bodies';

it('writes pairs as a form, variables as they stand', () => {
  expect(
    printForm([
      ['a b', "it's (a) *! ~ + & = %"],
      ['{{n}}', 'ä{{ my v }}'],
      ['', ''],
    ]),
  ).toBe('a%20b=it%27s%20%28a%29%20%2A%21%20~%20%2B%20%26%20%3D%20%25&{{n}}=%C3%A4{{ my v }}&=');
  expect(printForm([])).toBe('');
});

it.each([
  ['/home/a/b c.csv', 'b c.csv'],
  ['C:\\me\\x.bin', 'x.bin'],
  ['x.bin', 'x.bin'],
  ['a/b\r\nc', 'bc'],
  ['/home/', 'file'],
  ['', 'file'],
])('calls the file %j %s', (path, name) => expect(nameFile(path)).toBe(name));

it.each([
  ['a.JSON', 'application/json'],
  ['/x/a.b.csv', 'text/csv'],
  ['a.htm', 'text/html'],
  ['a.json.gz', null],
  ['json', null],
  ['a.json ', null],
  ['a.constructor', null],
  ['', null],
])('takes %j for %s', (path, type) => expect(guessFileType(path)).toBe(type));

it('says of a file that it must be brought along, by the beginning of a long path', () => {
  expect(describeFile('a.csv')).toBe(
    "Its body holds the file 'a.csv', which was not imported: copy it beside the request.",
  );
  expect(describeFile('a'.repeat(300))).toContain(`'${'a'.repeat(200)}'`);
});

describe('printMultipart', () => {
  const start = '--countersign-boundary\r\nContent-Disposition: form-data; name=';
  const end = '--countersign-boundary--\r\n';
  it.each([
    [{ name: 'a', value: '1' }, `"a"\r\n\r\n1\r\n`],
    [{ name: 'a', value: '1', contentType: null }, `"a"\r\n\r\n1\r\n`],
    [{ name: 'a', value: '1', contentType: 'text/x' }, `"a"\r\nContent-Type: text/x\r\n\r\n1\r\n`],
    [{ name: 'a"b\r\nc\nd', value: '' }, `"a%22b%0Ac%0Ad"\r\n\r\n\r\n`],
    [
      { name: 'a', value: '{}', fileName: 'x"y.json' },
      `"a"; filename="x%22y.json"\r\nContent-Type: application/json\r\n\r\n{}\r\n`,
    ],
    [{ name: 'a', value: '1', fileName: 'x' }, `"a"; filename="x"\r\n\r\n1\r\n`],
  ] as [FormPart, string][])('writes the text %j', (part, written) => {
    expect(printMultipart([part])).toEqual({
      contentType: 'multipart/form-data; boundary=countersign-boundary',
      body: { parts: [start + written + end] },
    });
  });

  it.each([
    [{}, '; filename="x.csv"\r\nContent-Type: text/csv'],
    [{ contentType: 'text/x' }, '; filename="x.csv"\r\nContent-Type: text/x'],
    [{ fileName: 'y.odd' }, '; filename="y.odd"\r\nContent-Type: application/octet-stream'],
    [{ isField: true }, ''],
    [{ isField: true, fileName: 'y.xml' }, '; filename="y.xml"\r\nContent-Type: application/xml'],
    [{ isField: true, fileName: 'y.odd' }, '; filename="y.odd"'],
  ] as [Partial<FormPart>, string][])('writes a file, %j', (more, head) => {
    const { body } = printMultipart([{ name: 'f', value: { file: '/home/x.csv' }, ...more }]);
    expect(body.parts).toEqual([`${start}"f"${head}\r\n\r\n`, { file: './x.csv' }, `\r\n${end}`]);
  });

  it('takes a boundary that stands in none of its texts', () => {
    const value = 'countersign-boundary and countersign-boundary-x';
    const { contentType, body } = printMultipart([
      { name: 'a', value: 'b' },
      { name: 'c', value },
    ]);
    expect(contentType).toBe('multipart/form-data; boundary=countersign-boundary-x-x');
    expect(String(body.parts[0]).endsWith('\r\n--countersign-boundary-x-x--\r\n')).toBe(true);
    expect(printMultipart([]).body.parts).toEqual(['--countersign-boundary--\r\n']);
  });
});

/** Seen of curl 7.88.1. */
it.each([
  [{ value: { file: 'b.json' } }, 'application/octet-stream'],
  [{ value: { file: 'noext' } }, 'application/octet-stream'],
  [{ value: { file: '/x/p.xml' } }, 'application/xml'],
  [{ value: { file: 'p.xml' }, fileName: 'q.json' }, 'application/xml'],
  [{ value: { file: 'b.json' }, fileName: 'n.PDF' }, 'application/pdf'],
  [{ value: { file: 'p.xml' }, isField: true }, 'application/xml'],
  [{ value: { file: 'b.json' }, isField: true }, ''],
  [{ value: { file: 't.txt' }, isField: true }, ''],
  [{ value: { file: 't.txt' }, fileName: '' }, 'text/plain'],
  [{ value: { file: 'b.json' }, fileName: '' }, 'application/octet-stream'],
  [{ value: 'text', fileName: 'x.json' }, ''],
  [{ value: 'text', fileName: 'x.txt' }, 'text/plain'],
  [{ value: 'text' }, ''],
] as [Omit<FormPart, 'name'>, string][])('curl sends %j as %j', (part, type) => {
  expect(guessTypeByCurl({ name: 'f', ...part })).toBe(type);
});
