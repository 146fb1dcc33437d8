import { decodeText } from './decode-text';
import { describe, expect, it } from 'vitest';
import { readCsv } from './read-csv';
import { writeCsv } from './write-csv';

describe('CSV', () => {
  it('is written so that no cell is a formula, and numbers stay numbers', () => {
    const csv = writeCsv(
      ['a', 'b'],
      [
        ['=HYPERLINK("x")', '-5.00'],
        ['@x', '-1+2'],
        ['\tx', null],
        ['\n=x', '＝1+1'],
        ['a,"b"\nc', 7],
      ],
    );
    expect(csv).toBe(
      'a,b\r\n"\'=HYPERLINK(""x"")",-5.00\r\n\'@x,\'-1+2\r\n\'\tx,\r\n"\'\n=x",\'＝1+1\r\n"a,""b""\nc",7\r\n',
    );
  });

  it('is read with its quotes, delimiters and lines', () => {
    expect(readCsv('\ufeffa;b\r\n"x;""y""\nz";2\r\n\r\n"open', 10)).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['x;"y"\nz', '2'] },
      { line: 5, cells: ['open'] },
    ]);
    expect(readCsv('a\tb\nc\td', 1)).toEqual([{ line: 1, cells: ['a', 'b'] }]);
    expect(readCsv('', 1)).toEqual([]);
    expect(readCsv('"'.repeat(200_000), 10)).toHaveLength(1);
  });

  it('counts its lines at CR, LF and both, and passes over lines of blanks', () => {
    for (const lineEnd of ['\n', '\r', '\r\n']) {
      expect(readCsv(`a,b${lineEnd} , ${lineEnd}${lineEnd}c,${lineEnd}`, 9)).toEqual([
        { line: 1, cells: ['a', 'b'] },
        { line: 4, cells: ['c', ''] },
      ]);
    }
    expect(readCsv('\na;b\n1;2', 9)).toEqual([
      { line: 2, cells: ['a;b'] },
      { line: 3, cells: ['1;2'] },
    ]);
  });

  it('leaves what stands behind a closing quote to no cell', () => {
    expect(readCsv('"a"xyz,"b"\n"c" ,d\n""e,f', 9).map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['', 'f'],
    ]);
    expect(readCsv('a,"b"xyz', 9)).toEqual([{ line: 1, cells: ['a', 'b'] }]);
  });

  it('is written and read back', () => {
    const rows = [
      ['a=b', '-x'],
      ['12', '-3'],
      ['1.5', '10.25'],
      ['', 'z\r\n"y"'],
    ];
    const text = writeCsv(['n', 'm'], rows);
    expect(text).toContain("a=b,'-x\r\n12,-3\r\n1.5,10.25\r\n");
    expect(readCsv(text, 9).map(({ cells }) => cells)).toEqual([
      ['n', 'm'],
      ['a=b', "'-x"],
      ...rows.slice(1),
    ]);
  });
});

it('takes the mark of a UTF-16 file at its word, and all else for UTF-8', () => {
  const wide = Buffer.from('\ufeffä;1', 'utf16le');
  expect(decodeText(wide)).toBe('ä;1');
  expect(decodeText(Buffer.from(wide).swap16())).toBe('ä;1');
  expect(decodeText(Buffer.from('\ufeffä;1'))).toBe('ä;1');
  expect(decodeText(new Uint8Array([0xe4, 0x31]))).toBe('\ufffd1');
  expect(decodeText(new Uint8Array())).toBe('');
});
