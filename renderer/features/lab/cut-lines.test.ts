import { describe, expect, it } from 'vitest';
import { cutLines } from './cut-lines';

const mark = (start: number, end: number) => ({ start, end, className: 'm' });
const drawn = (text: string, marks: ReturnType<typeof mark>[]): string =>
  cutLines(text, marks)
    .map((pieces) => pieces.map((piece) => (piece.className ? `<${piece.text}>` : piece.text)).join(''))
    .join('\n');

describe('cutLines', () => {
  it('draws every character once, with marks in their lines', () => {
    expect(drawn('{\n "a": 1,\n "b": 22\n}', [mark(17, 19), mark(8, 9)])).toBe(
      '{\n "a": <1>,\n "b": <22>\n}',
    );
    expect(drawn('', [])).toBe('');
    expect(drawn('\n\n', [])).toBe('\n\n');
  });

  it('leaves out a mark that overlaps another or goes beyond its line', () => {
    expect(drawn('abcd', [mark(0, 2), mark(1, 3)])).toBe('<ab>cd');
    expect(drawn('ab\ncd', [mark(1, 4), mark(4, 5)])).toBe('ab\nc<d>');
  });
});
