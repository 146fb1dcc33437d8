const isMac = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent);

const shownKeys: Record<string, [mac: string, other: string]> = {
  mod: ['⌘', 'Ctrl+'],
  shift: ['⇧', 'Shift+'],
  ctrl: ['⌃', 'Ctrl+'],
  alt: ['⌥', 'Alt+'],
  Enter: ['↵', '↵'],
  Tab: ['⇥', 'Tab'],
  Delete: ['⌦', 'Del'],
  Plus: ['+', '+'],
  Space: ['Space', 'Space'],
  PageUp: ['⇞', 'Page Up'],
  PageDown: ['⇟', 'Page Down'],
};

/** Writes `mod+Enter` as the machine's users know it: `⌘↵` or `Ctrl+↵`. */
export function showKeys(keys: string): string {
  return keys
    .split('+')
    .map((key) => shownKeys[key]?.[isMac ? 0 : 1] ?? key.toUpperCase())
    .join('');
}

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** What stands on the other keys of a Latin keyboard, by their codes. */
const otherKeys: Record<string, string> = {
  Comma: ',',
  Period: '.',
  Slash: '/',
  Semicolon: ';',
  Minus: '-',
  Equal: '=',
};

/**
 * Reads the key itself, whatever the keyboard is set to write: what an Arabic, Greek or Cyrillic one writes is no key of a
 * shortcut, with Alt a Mac writes another letter than the one that stands there, and a French row of digits writes `&é"`.
 */
export function readKey({ key, code, altKey, ctrlKey, metaKey, shiftKey }: Press): string {
  if (key === ' ') return 'Space';
  const [, kind, sign] = /^(Key|Digit)(.)$/.exec(code) ?? [];
  const isForeign = key.length === 1 && /[^\p{ASCII}\p{Script=Latin}]/u.test(key);
  const isDigit = kind === 'Digit' && !shiftKey && (ctrlKey || metaKey);
  if (sign !== undefined && (altKey || isForeign || isDigit)) return sign;
  if (key === '+') return 'Plus';
  return isForeign ? (otherKeys[code] ?? key) : key;
}

/**
 * Tells whether a key press is `keys`: modifiers `mod` (Ctrl, or Cmd on a Mac), `ctrl` (on a Mac, too), `shift`, `alt`,
 * then one key.
 */
export function isKeyPress(event: Press, keys: string): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const isCommand = isMac && parts.includes('mod');
  const isControl = parts.includes('ctrl') || (!isMac && parts.includes('mod'));
  return (
    readKey(event).toLowerCase() === key.toLowerCase() &&
    event.ctrlKey === isControl &&
    event.metaKey === isCommand &&
    event.shiftKey === parts.includes('shift') &&
    event.altKey === parts.includes('alt')
  );
}

const bareModifiers = new Set(['Control', 'Meta', 'Shift', 'Alt', 'AltGraph', 'CapsLock', 'Dead', 'Process']);

/** Reads what was pressed as keys are written; null: nothing but a modifier so far. */
export function readKeys(event: Press): string | null {
  if (bareModifiers.has(event.key)) return null;
  const held = [
    (isMac ? event.metaKey : event.ctrlKey) && 'mod',
    isMac && event.ctrlKey && 'ctrl',
    event.altKey && 'alt',
    event.shiftKey && 'shift',
  ];
  return [...held.filter(Boolean), readKey(event)].join('+');
}
