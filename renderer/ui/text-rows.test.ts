import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countThreadMs } from '../../test/support/processor-time';
import { listTextRows, type TextRow } from './text-rows';

function rowsOf(text: string, rowChars: number): TextRow[] {
  const rows = listTextRows(text, rowChars);
  return Array.from({ length: rows.count }, (_, index) => rows.at(index));
}

describe('listTextRows', () => {
  it('has a row a line, numbered, without line ends', () => {
    const text = 'a\r\nbc\n\nd';
    const rows = rowsOf(text, 100);
    expect(rows.map(({ start, end, line }) => [text.slice(start, end), line])).toEqual([
      ['a', 1],
      ['bc', 2],
      ['', 3],
      ['d', 4],
    ]);
  });

  it('goes on with a long line in rows without a number', () => {
    const rows = rowsOf('abcdefg\nh', 3);
    expect(rows.map(({ line }) => line)).toEqual([1, null, null, 2]);
  });

  it('goes on below where the line began, within its width', () => {
    const rows = rowsOf('  abcdefghij', 9);
    expect(rows.map(({ start, end, indent }) => [start, end, indent])).toEqual([
      [0, 9, 0],
      [9, 12, 2],
    ]);
    const [, second, third] = rowsOf(`${' '.repeat(6)}${'x'.repeat(12)}`, 9);
    expect(second).toMatchObject({ start: 9, end: 15, indent: 3 });
    expect(third).toMatchObject({ start: 15, end: 18, indent: 3 });
  });

  it('ends a row before the letter that would not fit as it is drawn', () => {
    const rows = (text: string): string[] => rowsOf(text, 6).map(({ start, end }) => text.slice(start, end));
    // A mark takes five places, wide letters and emoji two.
    expect(rows('ab\u202ecdefg')).toEqual(['ab', '\u202ec', 'defg']);
    expect(rows('漢字漢字ab')).toEqual(['漢字漢', '字ab']);
    expect(rows('😀😀😀😀é')).toEqual(['😀😀😀', '😀é']);
    expect(rows('a\n\nđ')).toEqual(['a', '', 'đ']);
  });

  it.each(['\u0301', 'م', '漢', '😀', '\u202e'])(
    'measures a million of %j without holding the window up',
    (letter) => {
      const text = letter.repeat(1_000_000 / letter.length);
      const readMs = countThreadMs();
      listTextRows(text, 100);
      expect(readMs()).toBeLessThan(60);
    },
  );

  it('finds the row of any character', () => {
    const text = 'abcdefg\nh\n\nijk';
    const rows = listTextRows(text, 3);
    for (let offset = 0; offset < text.length; offset += 1) {
      const { start } = rows.at(rows.indexOfOffset(offset));
      const next = rows.at(rows.indexOfOffset(offset) + 1);
      expect(start <= offset && (next.start > offset || next.start === 0)).toBe(true);
    }
    expect(rows.at(rows.indexOfOffset(5)).start).toBe(3);
  });

  it('shows every character once, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 9 }), (text, rowChars) => {
        const shown = rowsOf(text, rowChars).map(({ start, end }) => text.slice(start, end));
        expect(shown.join('')).toBe(text.replaceAll(/\r?\n/g, ''));
        expect(Math.max(...shown.map((row) => row.length))).toBeLessThanOrEqual(rowChars + 1);
      }),
    );
  });

  it('ends at the rows that an element can be tall for', () => {
    expect(listTextRows('\n'.repeat(1_000_000), 100)).toMatchObject({ count: 800_000, isCut: true });
    expect(listTextRows('x'.repeat(2_000_000), 2)).toMatchObject({ count: 800_000, isCut: true });
  });

  it('has a place for each row of ten megabytes of wallets, laid out', () => {
    const wallet = {
      id: 1,
      currency: 'KES',
      available_balance: 1500,
      name: 'Wallet of salaries and such',
      note: '',
    };
    const text = JSON.stringify({ data: Array.from({ length: 95_000 }, () => wallet) }, null, 2);
    expect(JSON.stringify(JSON.parse(text)).length).toBeGreaterThan(9_000_000);
    expect(listTextRows(text, 80).isCut).toBe(false);
  });

  it('finds where a line begins', () => {
    expect(listTextRows('abcdefg\nh', 3).indexOfLine(2)).toBe(3);
  });
});
