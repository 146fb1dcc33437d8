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
        ['a,"b"\nc', 7],
      ],
    );
    expect(csv).toBe('a,b\r\n"\'=HYPERLINK(""x"")",-5.00\r\n\'@x,\'-1+2\r\n\'\tx,\r\n"a,""b""\nc",7\r\n');
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
});
