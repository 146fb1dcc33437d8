import { describe, expect, it } from 'vitest';
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

  it('leaves what scripts and emoji are written with', () => {
    for (const character of ['a', 'é', 'م', '😀', 'न'])
      expect(describeHidden(character.codePointAt(0)!)).toBeNull();
    for (const character of [' ', '\u00a0', '\u200c', '\u200d', '\t', '\n', '\u202f'])
      expect(isActive(character), describeHidden(character.codePointAt(0)!)?.name).toBe(false);
  });
});
