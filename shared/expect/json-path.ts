import type { JsonNode } from '../json/json-tree';
import type { JsonPath } from './expectation';

/** Reads `/data/0/name` (RFC 6901) or `data.items[0].name`; null where it is neither. */
export function readJsonPath(typed: string): JsonPath | null {
  if (typed.startsWith('/')) {
    if (/~(?![01])/.test(typed)) return null;
    const keys = typed.slice(1).split('/');
    return { typed, keys: keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')) };
  }
  const keys = typed.replace(/\[(\d+|\*)\]/g, '.$1').split('.');
  return keys.some((key) => key === '' || /[[\]"]/.test(key)) ? null : { typed, keys };
}

/** Writes a path that leads to this place alone: with dots where they say it, else as a pointer. Empty: the whole. */
export function writeJsonPath(keys: readonly string[]): string {
  if (keys.length === 0) return '';
  const dotted = keys.join('.');
  const read = readJsonPath(dotted);
  const isSame = read?.keys.length === keys.length && keys.every((key, index) => read.keys[index] === key);
  if (isSame) return dotted;
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Tells whether a path means several places, which a single value cannot be taken from. */
export function isOfSeveral({ typed, keys }: JsonPath): boolean {
  // In a pointer it is a key as any other.
  return !typed.startsWith('/') && keys.includes('*');
}

/** What is said of such a path where one place is asked for. */
export const ofSeveralFault = "'*' stands for any key behind 'ignoring' alone: name one, such as items[0].";

/** What is said of a word that is no path. */
export const noPathFault = (word: string): string =>
  `'${word.slice(0, 40)}' is no path: write data.payment_uuid or /data/payment_uuid.`;

/** Finds what stands at a path; null: nothing. */
export function findNode(root: JsonNode | null, { keys }: Pick<JsonPath, 'keys'>): JsonNode | null {
  let at = root;
  for (const key of keys) {
    if (at?.kind === 'object') at = at.members.get(key) ?? null;
    else if (at?.kind === 'array')
      at = /^(?:0|[1-9]\d{0,8})$/.test(key) ? (at.items[Number(key)] ?? null) : null;
    else return null;
  }
  return at;
}

/** Tells whether a place is one that a path means; `*` stands for any one key. */
export function coversPath({ keys }: JsonPath, place: readonly string[]): boolean {
  return keys.length === place.length && keys.every((key, index) => key === '*' || key === place[index]);
}

/**
 * Says what stands beside a place where nothing was found: the way up to the last part that is there.
 *
 * @param whyUnread - what the body is where there is no tree of it
 */
export function describeNeighbours(
  root: JsonNode | null,
  { keys }: JsonPath,
  whyUnread: string | null,
): string {
  if (root === null) return `the body is ${whyUnread ?? 'not read'}`;
  let at = root;
  const passed: string[] = [];
  for (const key of keys) {
    const next = findNode(at, { keys: [key] });
    if (next === null) break;
    passed.push(key);
    at = next;
  }
  const place = passed.length === 0 ? 'its top' : passed.join('.');
  if (at.kind === 'array') return `${place} is a list of ${at.items.length}`;
  if (at.kind !== 'object') return `${place} is no object`;
  const names = [...at.members.keys()];
  return names.length === 0 ? `${place} has nothing` : `${place} has ${nameFirst(names, 12)}`;
}

/** Names the first of many, each whole, and how many more there are: a verdict is masked before it is shortened. */
export function nameFirst(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
