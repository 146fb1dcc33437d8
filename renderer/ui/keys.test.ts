import { describe, expect, it } from 'vitest';
import { isKeyPress, readKeys, showKeys } from './keys';

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
