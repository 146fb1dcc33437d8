import { describe, expect, it } from 'vitest';
import { isKeyPress, readKey, readKeys, showKeys } from './keys';

const press = (key: string, held: Partial<KeyboardEvent> = {}) => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

describe('isKeyPress', () => {
  it('asks for exactly the modifiers named', () => {
    expect(isKeyPress(press('Enter', { ctrlKey: true }), 'mod+Enter')).toBe(true);
    expect(isKeyPress(press('Enter'), 'mod+Enter')).toBe(false);
    expect(isKeyPress(press('Enter', { ctrlKey: true, shiftKey: true }), 'mod+Enter')).toBe(false);
    expect(isKeyPress(press('F6', { shiftKey: true }), 'shift+F6')).toBe(true);
  });

  it.each([
    ['an Arabic', 'ن', 'KeyK', 'mod+k'],
    ['a Cyrillic', 'л', 'KeyK', 'mod+k'],
    ['a Greek', 'Κ', 'KeyK', 'mod+k'],
    ['an Arabic', '٣', 'Digit3', 'mod+3'],
    ['an Arabic', 'و', 'Comma', 'mod+,'],
    ['an Arabic', 'ظ', 'Slash', 'mod+/'],
    ['a French', 'é', 'Digit2', 'mod+2'],
    ['a French', '-', 'Digit6', 'mod+6'],
  ])('knows the key on %s keyboard, which writes %s with %s', (_keyboard, key, code, keys) => {
    const event = press(key, { code, ctrlKey: true });
    expect(isKeyPress(event, keys)).toBe(true);
    expect(readKeys(event)?.toLowerCase()).toBe(keys);
  });

  it('goes by what a Latin keyboard writes, wherever its keys stand', () => {
    const dvorak = press('k', { code: 'KeyV', ctrlKey: true });
    expect(isKeyPress(dvorak, 'mod+k')).toBe(true);
    expect(isKeyPress(dvorak, 'mod+v')).toBe(false);
    expect(isKeyPress(press('ö', { code: 'Semicolon', ctrlKey: true }), 'mod+ö')).toBe(true);
    expect(readKey(press('/', { code: 'Digit7', shiftKey: true }))).toBe('/');
    expect(readKey(press('ظ', { code: 'Slash' }))).toBe('/');
    expect(readKey(press('é', { code: 'Digit2' }))).toBe('é');
  });

  it('takes a letter in either case', () => {
    expect(isKeyPress(press('S', { ctrlKey: true }), 'mod+s')).toBe(true);
  });
});

describe('showKeys', () => {
  it('writes keys as they stand on the keyboard', () => {
    expect(showKeys('mod+Enter')).toBe('Ctrl+↵');
    expect(showKeys('mod+s')).toBe('Ctrl+S');
  });
});

describe('readKeys', () => {
  it('writes what was pressed so that the same press is known again', () => {
    for (const [event, keys] of [
      [press('K', { ctrlKey: true, shiftKey: true }), 'mod+shift+K'],
      [press('+', { ctrlKey: true }), 'mod+Plus'],
      [press(' ', { altKey: true, code: 'Space' }), 'alt+Space'],
      // A Mac's Alt+N.
      [press('˜', { altKey: true, code: 'KeyN' }), 'alt+N'],
      [press('F5'), 'F5'],
    ] as const) {
      expect(readKeys(event)).toBe(keys);
      expect(isKeyPress(event, keys)).toBe(true);
    }
    expect(readKeys(press('Control', { ctrlKey: true }))).toBeNull();
  });
});
