import type { Operation } from '../contract/common';
import { operations } from '../payments/tables/operations';

const rows = Object.values(operations);

/** Tells whether a word names an operation. */
export function isOperation(word: string): word is Operation {
  return word === 'other' || Object.hasOwn(operations, word);
}

/**
 * Gives the path of an address as it leaves, and as servers read it: dots, backslashes, double slashes, percent signs and capitals
 * of another spelling lead to the same place.
 */
function readPath(url: string): string {
  const decoded = resolveDots(url.replace(/[?#].*/s, ''))
    .replace(/%(?!23|3f)([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/;[^/]*/g, '')
    .replace(/[/\\]+/g, '/');
  return resolveDots(decoded).replace(/\/$/, '').toLowerCase();
}

/** A port that is a variable still makes no address. */
const resolveDots = (url: string): string =>
  URL.canParse(url, 'http://host/') ? new URL(url, 'http://host/').pathname : url;

/**
 * Reads from method and path what a request does.
 *
 * The path's end decides: base addresses may carry a path of their own, and variables stand unresolved.
 */
export function inferOperation(method: string, url: string): Operation {
  const path = readPath(url);
  const verb = method.toUpperCase();
  const row = rows.find((one) => one.method === verb && one.paths.some((end) => path.endsWith(end)));
  return row?.operation ?? 'other';
}
