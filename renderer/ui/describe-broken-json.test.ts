import { describe, expect, it } from 'vitest';
import { findBrokenJson } from './describe-broken-json';

const describeBrokenJson = (text: string, contentType: string | null): string | null =>
  findBrokenJson(text, contentType)?.message ?? null;

describe('findBrokenJson', () => {
  it('says of what claims to be JSON that it is none', () => {
    expect(describeBrokenJson('{"a":1', null)).toContain('not JSON');
    expect(describeBrokenJson('{\n"a": 1\n"b": 2}', null)).toContain('line 2, column 7: a comma is missing');
    expect(describeBrokenJson('oops', 'application/json; charset=utf-8')).toContain('not JSON');
  });

  it('says nothing of JSON, of other texts and of nothing', () => {
    expect(describeBrokenJson('{"a":1e3}', 'application/json')).toBeNull();
    expect(describeBrokenJson('<html>', 'text/html')).toBeNull();
    expect(describeBrokenJson('', 'application/json')).toBeNull();
  });

  it('gives the place to mark: the character at fault, whole, or the one before it where that is white space or the end', () => {
    const place = (text: string): string => {
      const { start, end } = findBrokenJson(text, null)!;
      return `${text.slice(0, start)}>${text.slice(start, end)}<${text.slice(end)}`;
    };
    expect(place('{"amount": 12 oops}')).toBe('{"amount": 12 >o<ops}');
    expect(place('{"a":😀}')).toBe('{"a":>😀<}');
    expect(place('{"a":1\n\n')).toBe('{"a":>1<\n\n');
    expect(place('{\n"a": 1\n"b": 2}')).toBe('{\n"a": >1<\n"b": 2}');
    expect(findBrokenJson(' ', 'application/json')).toMatchObject({ start: 0, end: 1 });
  });
});
