import { describe, expect, it } from 'vitest';
import { nameWhiteSpace, showControls } from './show-controls';

describe('showControls', () => {
  it('shows what would turn or hide the text after it', () => {
    expect(showControls('INV-\u202e0051\u202c')).toBe('INV-[RLO]0051[PDF]');
    expect(showControls('a\u200bb\ufeff')).toBe('a[ZWSP]b[BOM]');
  });

  it('shows controls, and leaves tabs and line ends', () => {
    expect(showControls('a\u0000b\u001b[2Jc\u0085\td\n')).toBe('a␀b␛[2Jc[U+0085]\td\n');
  });

  it('leaves letters, accents and other scripts alone', () => {
    for (const text of ['Amina Wanjirũ', 'مرجع ١٢', 'e\u0301', 'नमस्ते', '😀'])
      expect(showControls(text)).toBe(text);
  });

  it('counts marks that are heaped up', () => {
    expect(showControls(`a${'\u0301'.repeat(500)}b`)).toBe('a[500 combining marks]b');
  });
});

it.each([
  [' ', '[white space]'],
  ['\t\u00a0\n', '[white space]'],
  [' INV 1', ' INV 1'],
  ['', ''],
])('a reference %j, on which one is to press, has a name: %j', (text, shown) => {
  expect(nameWhiteSpace(text)).toBe(shown);
});
