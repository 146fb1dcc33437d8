const isMac = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent);

const shownKeys: Record<string, [mac: string, other: string]> = {
  mod: ['⌘', 'Ctrl+'],
  shift: ['⇧', 'Shift+'],
  ctrl: ['⌃', 'Ctrl+'],
  alt: ['⌥', 'Alt+'],
  Enter: ['↵', '↵'],
  Tab: ['⇥', 'Tab'],
  Delete: ['⌦', 'Del'],
};

/** Writes `mod+Enter` as the machine's users know it: `⌘↵` or `Ctrl+↵`. */
export function showKeys(keys: string): string {
  return keys
    .split('+')
    .map((key) => shownKeys[key]?.[isMac ? 0 : 1] ?? key.toUpperCase())
    .join('');
}

/**
 * Tells whether a key press is `keys`: modifiers `mod` (Ctrl, or Cmd on a Mac), `ctrl` (on a Mac, too), `shift`, `alt`,
 * then one key.
 */
export function isKeyPress(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
  keys: string,
): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const isCommand = isMac && parts.includes('mod');
  const isControl = parts.includes('ctrl') || (!isMac && parts.includes('mod'));
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    event.ctrlKey === isControl &&
    event.metaKey === isCommand &&
    event.shiftKey === parts.includes('shift') &&
    event.altKey === parts.includes('alt')
  );
}
