import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../test/support/processor-time';
import { activeCharacters, describeHidden } from './hidden-characters';

const isActive = (character: string): boolean => character.replace(activeCharacters, '') === '';

describe('hidden characters', () => {
  it('has a mark for every control, C0 and C1', () => {
    for (let code = 0; code < 0xa0; code += 1) {
      if (code === 0x20) code = 0x7f;
      const hidden = describeHidden(code);
      expect(hidden?.mark, String(code)).toMatch(/^([\u2400-\u2421⇥↵␍␛␡]|\[U\+00[0-9A-F]{2}\])$/u);
      expect(isActive(String.fromCodePoint(code))).toBe(code !== 0x09 && code !== 0x0a);
    }
    expect(describeHidden(0x1b)).toEqual({ mark: '␛', name: 'escape' });
    expect(describeHidden(0x85)).toEqual({ mark: '[U+0085]', name: 'U+0085' });
  });

  it('has a mark with a name for what turns the direction of text', () => {
    for (const code of [
      0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
    ]) {
      expect(describeHidden(code)?.mark).toMatch(/^\[[A-Z]{3}\]$/);
      expect(isActive(String.fromCodePoint(code))).toBe(true);
    }
  });

  it.each([0x115f, 0x1160, 0x17b4, 0x3164, 0xffa0, 0xfff0, 0xe0001, 0xe0041, 0xe007f])(
    'has a mark for U+%i, which nobody sees',
    (code) => {
      expect(describeHidden(code)?.mark).toMatch(/^\[(?:H|U\+)\w+\]$/);
      expect(isActive(String.fromCodePoint(code))).toBe(true);
    },
  );

  it('takes tags for hidden text wherever they spell no flag, in time that grows with their number', () => {
    const spell = (text: string): string =>
      [...text].map((one) => String.fromCodePoint(0xe0000 + one.codePointAt(0)!)).join('');
    const england = `🏴${spell('gbeng\x7f')}`;
    expect(england.replace(activeCharacters, '?')).toBe(england);
    expect(`R-1${spell('ignore')}`.replace(activeCharacters, '?')).toBe('R-1??????');
    expect(`${england}${spell('ignore')}`.replace(activeCharacters, '?')).toBe(`${england}??????`);
    const long = spell('a'.repeat(200_000));
    const readMs = countProcessorMs();
    expect(long.replace(activeCharacters, '')).toBe('');
    expect(readMs()).toBeLessThan(1500);
  });

  it('takes selectors of a form for hidden text wherever they choose that of no Chinese character', () => {
    const hide = (text: string): string =>
      [...text].map((one) => String.fromCodePoint(0xe0100 + one.codePointAt(0)! - 16)).join('');
    const shown = `葛\u{e0100}城 辻\u{e0101} \u{20b9f}\u{e0100} ❤\ufe0f`;
    expect(shown.replace(activeCharacters, '?')).toBe(shown);
    expect(`R-1${hide('ignore')} 😀${hide('b')}`.replace(activeCharacters, '?')).toBe('R-1?????? 😀?');
    expect(`葛\u{e0100}${hide('ab')}`.replace(activeCharacters, '?')).toBe('葛\u{e0100}??');
    expect(describeHidden(0xe0141)?.mark).toBe('[U+E0141]');
  });

  it('takes the other selectors for hidden text, too, but behind what has such a form, and one alone', () => {
    const hide = (text: string): string =>
      [...text].map((one) => String.fromCodePoint(0xfe00 + (one.codePointAt(0)! & 15))).join('');
    const shown =
      '❤\ufe0f ✔\ufe0e 1\ufe0f\u20e3 👁\ufe0f\u200d🗨\ufe0f ©\ufe0f ㊗\ufe0f 0\ufe00 ≨\ufe00 葛\ufe00 က\ufe00 、\ufe01';
    expect(shown.replace(activeCharacters, '?')).toBe(shown);
    expect(`R-1${hide('ignore')} ${hide('ab')}`.replace(activeCharacters, '?')).toBe('R-1?????? ??');
    expect(`😀\ufe0f${hide('ignore')}`.replace(activeCharacters, '?')).toBe('😀\ufe0f??????');
    expect('a\ufe0f ب\ufe0e 1\ufe00 葛\u{e0100}\ufe00 🏴\u{e0067}\ufe0f'.replace(activeCharacters, '?')).toBe(
      'a? ب? 1? 葛\u{e0100}? 🏴\u{e0067}?',
    );
    expect(describeHidden(0xfe03)?.mark).toBe('[U+FE03]');
    const long = hide('a'.repeat(500_000));
    const readMs = countProcessorMs();
    expect(long.replace(activeCharacters, '')).toBe('');
    expect(readMs()).toBeLessThan(1500);
  });

  it('leaves what scripts and emoji are written with', () => {
    for (const character of ['a', 'é', 'م', '😀', 'न'])
      expect(describeHidden(character.codePointAt(0)!)).toBeNull();
    for (const character of [' ', '\u00a0', '\u200c', '\u200d', '\t', '\n', '\u202f'])
      expect(isActive(character), describeHidden(character.codePointAt(0)!)?.name).toBe(false);
  });
});
