import type { Operation } from '../contract/common';
import { operations } from '../payments/tables/operations';

const rows = Object.values(operations);

/** Tells whether a word names an operation. */
export function isOperation(word: string): word is Operation {
  return word === 'other' || Object.hasOwn(operations, word);
}

/**
 * Reads from method and path what a request does.
 *
 * The path's end decides: base addresses may carry a path of their own, and variables stand unresolved.
 */
export function inferOperation(method: string, url: string): Operation {
  const path = url.replace(/[?#].*/s, '').replace(/\/$/, '');
  const verb = method.toUpperCase();
  const row = rows.find((one) => one.method === verb && one.paths.some((end) => path.endsWith(end)));
  return row?.operation ?? 'other';
}
