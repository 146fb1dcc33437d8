import { readShift, type TimeShift } from './format-time';

/** How a value is drawn that an expression asks for. */
export type DrawRecipe =
  | ({ kind: 'time'; pattern: string; isLocal: boolean } & TimeShift)
  | ({ kind: 'epoch' } & TimeShift)
  | { kind: 'integer' | 'float'; from: number; to: number }
  | { kind: 'text'; alphabet: string; length: number };

export const letters = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';

const alphabets: Readonly<Record<string, string>> = {
  '$random.alphabetic': letters + letters.toUpperCase(),
  '$random.alphanumeric': `${letters}${letters.toUpperCase()}${digits}_`,
  '$random.hexadecimal': `${digits}abcdef`,
};

/** What `rfc1123` and `iso8601` are, as the REST Client writes them. */
const namedPatterns: Readonly<Record<string, readonly [utc: string, local: string]>> = {
  rfc1123: ['ddd, DD MMM YYYY HH:mm:ss [GMT]', 'ddd, DD MMM YYYY HH:mm:ss ZZ'],
  iso8601: ['YYYY-MM-DD[T]HH:mm:ss.SSS[Z]', 'YYYY-MM-DD[T]HH:mm:ssZ'],
};

function readTime(args: string, isLocal: boolean): DrawRecipe | null {
  const found = /^(?:"([^"]*)"|'([^']*)'|(rfc1123|iso8601))(.*)$/.exec(args);
  const shift = found && readShift(found[4] ?? '');
  if (!found || !shift) return null;
  const named = found[3] === undefined ? null : namedPatterns[found[3]]!;
  const pattern = named === null ? (found[1] ?? found[2] ?? '') : named[isLocal ? 1 : 0];
  return { kind: 'time', pattern, isLocal, ...shift };
}

function readRange(kind: 'integer' | 'float', args: string): DrawRecipe | null {
  if (args === '') return { kind, from: 0, to: 1000 };
  const found = /^[\s(]*(-?\d{1,15}(?:\.\d{1,15})?)[\s,]+(-?\d{1,15}(?:\.\d{1,15})?)[\s)]*$/.exec(args);
  return found === null ? null : { kind, from: Number(found[1]), to: Number(found[2]) };
}

/**
 * Reads how an expression such as `$datetime 'YYYY-MM-DD'` is drawn; null: it is none of ours.
 *
 * Names are those of JetBrains IDEs and the VS Code REST Client. Times are UTC but for `$localDatetime`.
 */
export function readDrawRecipe(expression: string): DrawRecipe | null {
  const [name = ''] = /^\$[A-Za-z]+(?:\.[A-Za-z]+)?/.exec(expression) ?? [];
  const args = expression.slice(name.length).trim();
  if (name === '$datetime' || name === '$localDatetime') return readTime(args, name === '$localDatetime');
  if (name === '$isoTimestamp') return readTime(`iso8601 ${args}`, false);
  if (name === '$timestamp') {
    const shift = readShift(args);
    return shift && { kind: 'epoch', ...shift };
  }
  if (name === '$randomInt' || name === '$random.integer') return readRange('integer', args);
  if (name === '$random.float') return readRange('float', args);
  const alphabet = alphabets[name];
  const length = /^\(?\s*(\d{1,4})\s*\)?$/.exec(args)?.[1];
  return alphabet === undefined || length === undefined
    ? null
    : { kind: 'text', alphabet, length: Number(length) };
}
