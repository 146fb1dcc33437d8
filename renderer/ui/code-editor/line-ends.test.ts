import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEditorChanges, findChange, toEditorOffset, toEditorText, toSourceOffset } from './line-ends';

const source = fc
  .tuple(fc.constantFrom('', '\ufeff'), fc.array(fc.constantFrom('a', '"', 'é', '😀', '\r', '\n', '\r\n')))
  .map(([mark, parts]) => mark + parts.join(''));

describe('line ends between source and editor', () => {
  it('keeps every byte that no change touches', () => {
    expect(applyEditorChanges('\ufeffa\r\nb\rc\nd', [{ start: 2, end: 3, text: 'X' }])).toBe(
      '\ufeffa\r\nX\rc\nd',
    );
  });

  it('writes new line breaks as the source does', () => {
    expect(applyEditorChanges('a\r\nb', [{ start: 1, end: 1, text: '\nnew\n' }])).toBe('a\r\nnew\r\n\r\nb');
  });

  it('applies several changes told in offsets before any of them', () => {
    const changes = [
      { start: 4, end: 5, text: 'C' },
      { start: 0, end: 1, text: 'AA' },
    ];
    expect(applyEditorChanges('a\r\nb\r\nc', changes)).toBe('AA\r\nb\r\nC');
  });

  it('keeps two breaks two where \\r comes to stand before \\n', () => {
    expect(toEditorText(applyEditorChanges('a\rb\n', [{ start: 0, end: 3, text: '\n' }]))).toBe('\n\n');
    expect(toEditorText(applyEditorChanges('a\rb\nc', [{ start: 2, end: 3, text: '' }]))).toBe('a\n\nc');
    expect(applyEditorChanges('a\r\nb', [{ start: 0, end: 1, text: 'x' }])).toBe('x\r\nb');
  });

  it('shows in the editor what was applied to the source, for any text and change', () => {
    fc.assert(
      fc.property(
        source,
        fc.nat(30),
        fc.nat(30),
        fc.constantFrom('', 'x', '\n', 'x\ny'),
        (text, a, b, insert) => {
          const shown = toEditorText(text);
          const start = Math.min(a, b, shown.length);
          const end = Math.min(Math.max(a, b), shown.length);
          const changed = applyEditorChanges(text, [{ start, end, text: insert }]);
          const expected = shown.slice(0, start) + insert + shown.slice(end);
          expect(toEditorText(changed)).toBe(expected);
        },
      ),
    );
  });

  it('maps an offset there and back', () => {
    expect(toSourceOffset('a\r\nb', 2)).toBe(3);
    expect(toEditorOffset('a\r\nb', 3)).toBe(2);
    expect(toEditorOffset('\ufeffab', 2)).toBe(1);
  });

  it('finds the smallest change between two texts', () => {
    expect(findChange('{"a":1500.00}', '{"a":1500}')).toEqual({ start: 9, end: 12, text: '' });
    expect(findChange('same', 'same')).toBeNull();
    expect(findChange('a😀b', 'a😁b')).toEqual({ start: 1, end: 3, text: '😁' });
    fc.assert(
      fc.property(source, source, (before, after) => {
        const change = findChange(before, after);
        if (change)
          expect(before.slice(0, change.start) + change.text + before.slice(change.end)).toBe(after);
        else expect(before).toBe(after);
      }),
    );
  });
});
