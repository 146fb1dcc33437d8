import { describe, expect, it } from 'vitest';
import { makeSafeName, NameBook } from './safe-names';

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

describe('makeSafeName', () => {
  it.each([
    ['Pay a supplier', 'Pay a supplier'],
    ['e\u0301te', '\u00e9te'],
    ['a\ud800b', 'ab'],
    ['a\u200b\u202eb\u2028c\0d', 'a b c d'],
    ['a\u3164b\u{e0101}c\u{e0041}d\ufe00\ufe01e', 'a b c d e'],
    ['❤\ufe0f', '❤\ufe0f'],
    ['a\\/<>:"|?*b', 'a-b'],
    ['a{{b}}c', 'abc'],
    ['a \t\n  b', 'a b'],
    ['POST /payouts', 'POST payouts'],
    ['POST //payouts -x', 'POST payouts x'],
    ['//payouts', 'payouts'],
    ['a - b', 'a - b'],
    ['pay --now', 'pay now'],
    [' a ', 'a'],
    ['a-b', 'a-b'],
    ['pay -', 'pay -'],
    ['../../etc/passwd', 'etc-passwd'],
    ['.git', 'git'],
    ['- . -.x', 'x'],
    ['x...', 'x'],
    ['x. . ', 'x'],
    ['a.b', 'a.b'],
  ])('%j is called %j', (text, name) => {
    expect(makeSafeName(text, 'fallback')).toBe(name);
  });

  it.each(['', ' ', '..', '{{}}', '///', '\0', '-', 'node_modules', ' node_modules/'.replace('/', '.')])(
    'of %j nothing is left that may be a name',
    (text) => {
      expect(makeSafeName(text, 'fallback')).toBe('fallback');
    },
  );

  it.each(['con', 'PRN', 'aux.txt', 'nul.', 'com0', 'COM9.x', 'com¹', 'lpt3', 'lpt².a'])(
    'keeps Windows from taking %s for a device',
    (text) => {
      expect(makeSafeName(text, 'fallback')).toBe(`_${text.replace(/\.$/, '')}`);
    },
  );

  it.each(['console', 'com', 'com10', 'lptx', 'a.con', 'my con', 'node_modules2'])('leaves %s', (text) => {
    expect(makeSafeName(text, 'fallback')).toBe(text);
  });

  it('cuts a long name between characters, with room for an extension', () => {
    expect(makeSafeName('a'.repeat(200), '')).toBe('a'.repeat(200));
    expect(makeSafeName('a'.repeat(201), '')).toBe('a'.repeat(200));
    expect(makeSafeName('é'.repeat(101), '')).toBe('é'.repeat(100));
    expect(makeSafeName(`a${'é'.repeat(100)}`, '')).toBe(`a${'é'.repeat(99)}`);
    const money = makeSafeName('💰'.repeat(60), '');
    expect([money, bytesOf(money)]).toEqual(['💰'.repeat(50), 200]);
    expect(makeSafeName(`${'a'.repeat(198)}. b`, '')).toBe('a'.repeat(198));
  });
});

describe('NameBook', () => {
  it('numbers what is there already, on systems that do not tell case or Unicode form apart, too', () => {
    const book = new NameBook();
    const wanted = ['Pay', 'pay', 'PAY', '\u00e9', 'e\u0301', 'Pay 2', 'Other'];
    expect(wanted.map((name) => book.take('', name, '.http'))).toEqual([
      'Pay',
      'pay 2',
      'PAY 3',
      '\u00e9',
      'e\u0301 2',
      'Pay 2 2',
      'Other',
    ]);
  });

  it('counts each folder and each extension by itself, and passes over what is kept', () => {
    const book = new NameBook();
    book.reserve('a', 'Pay.http');
    book.reserve('a', 'pay 2.HTTP');
    expect(book.take('a', 'Pay', '.http')).toBe('Pay 3');
    expect(book.take('b', 'Pay', '.http')).toBe('Pay');
    expect(book.take('a', 'Pay', '')).toBe('Pay');
    expect(book.take('a', 'Pay', '')).toBe('Pay 2');
    expect(book.take('', 'collection', '')).toBe('collection');
  });
});
