import { actionList, findAction, type ActionEntry } from './action-list';

/** Keys that the user gave actions, by the action's id: `''` takes its keys away. As kept in the settings. */
export type KeyBindings = Readonly<Record<string, string>>;

/** Keys that lists, panes and editors understand by themselves; they cannot be given away. */
export const fixedKeys: readonly { keys: readonly string[]; title: string; group: string }[] = [
  { keys: ['F6', 'shift+F6'], title: 'Next pane, and the one before', group: 'Everywhere' },
  { keys: ['/'], title: 'Search the list of this view', group: 'Everywhere' },
  { keys: ['mod+z', 'mod+shift+z', 'mod+y'], title: 'Undo, and do again', group: 'Everywhere' },
  { keys: ['mod+x', 'mod+c', 'mod+v', 'mod+a'], title: 'Cut, copy, paste, select all', group: 'Everywhere' },
  { keys: ['mod+Space', 'mod+.'], title: 'Body: what may stand here, and how to mend it', group: 'Request' },
  { keys: ['mod+i'], title: 'Body: what stands here, and where its value comes from', group: 'Request' },
  { keys: ['mod+f'], title: 'Find in the body or the answer', group: 'Request' },
  { keys: ['mod+d'], title: 'Collection: duplicate', group: 'Collection' },
];

const modifiers = ['mod', 'ctrl', 'alt', 'shift'];
const alone = /^F(?:[1-9]|1\d|2[0-4])$/;
const mostCharacters = 40;

/** Writes keys in one way: modifiers in their order, a letter small. Null: these are no keys for an action. */
export function normalizeKeys(text: string): string | null {
  if (text.length > mostCharacters) return null;
  const parts = text.split('+');
  const key = parts.pop() ?? '';
  const held = new Set(parts);
  if (held.size !== parts.length || parts.some((part) => !modifiers.includes(part))) return null;
  if (!/^(?:[!-*,-~]|[A-Z][A-Za-z]{2,10}|F\d\d?|\p{L})$/u.test(key)) return null;
  const isHeld = held.has('mod') || held.has('ctrl') || held.has('alt');
  if (!isHeld && !alone.test(key)) return null;
  const name = [...key].length === 1 ? key.toLowerCase() : key;
  return [...modifiers.filter((one) => held.has(one)), name].join('+');
}

/** The keys of an action as they are now, the first to be shown. What is kept and cannot be read, or is fixed, counts for nothing. */
export function keysOf(id: string, bindings: KeyBindings): readonly string[] {
  const own = Object.hasOwn(bindings, id) ? bindings[id] : undefined;
  if (own === '') return [];
  const keys = own === undefined ? null : normalizeKeys(own);
  return keys === null || findFixed(keys) !== undefined ? (findAction(id)?.keys ?? []) : [keys];
}

const findFixed = (keys: string) => fixedKeys.find((one) => one.keys.includes(keys));

/** Whether an action has other keys than the usual ones. */
export const isRebound = (id: string, bindings: KeyBindings): boolean =>
  keysOf(id, bindings).join() !== (findAction(id)?.keys ?? []).join();

/** Whether both can be done at one moment; what belongs to two views never can. */
const canMeet = (one: ActionEntry, other: ActionEntry): boolean =>
  one.on === undefined || other.on === undefined || one.on === other.on;

/**
 * Says why an action cannot have some keys.
 * @returns a sentence for the user; null: it can
 */
export function findKeyConflict(id: string, wanted: string, bindings: KeyBindings): string | null {
  const keys = normalizeKeys(wanted);
  if (keys === null) return 'Hold Ctrl, Cmd or Alt with a key, or press a function key.';
  const fixed = findFixed(keys);
  if (fixed) return `These keys are taken: “${fixed.title}”.`;
  const self = findAction(id);
  const other = actionList.find(
    (one) =>
      one.id !== id &&
      (self === undefined || canMeet(self, one)) &&
      keysOf(one.id, bindings).some((taken) => normalizeKeys(taken) === keys),
  );
  return other ? `These keys are taken: “${other.title}”. Take them away there first.` : null;
}

const acceleratorNames: Readonly<Record<string, string>> = { mod: 'CmdOrCtrl', ctrl: 'Ctrl', alt: 'Alt' };

/** Writes keys as a native menu does: `CmdOrCtrl+Shift+F`. */
export function toAccelerator(keys: string): string {
  return keys
    .split('+')
    .map((part) => acceleratorNames[part] ?? (part.length === 1 ? part.toUpperCase() : capitalize(part)))
    .join('+');
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
