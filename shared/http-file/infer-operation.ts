import type { Operation } from '../contract/common';

const paths: readonly (readonly [method: string, path: RegExp, operation: Operation])[] = [
  ['POST', /\/payments\/(?:api\/)?v1\/remittance\/?$/, 'remittance'],
  ['POST', /\/payments\/(?:api\/)?v1\/payouts\/?$/, 'payout'],
  ['POST', /\/payments\/(?:api\/)?v1\/collections\/?$/, 'collection'],
  ['POST', /\/tsq\/v1\/query\/payments\/?$/, 'status'],
  ['GET', /\/tsq\/v1\/wallet-balances\/?$/, 'balances'],
  ['POST', /\/auth\/v1\/token\/?$/, 'token'],
  ['POST', /\/developer-tools\/webhooks\/send-test\/?$/, 'send_test'],
];

const names: readonly string[] = [...paths.map(([, , operation]) => operation), 'other'];

/** Tells whether a word names an operation. */
export function isOperation(word: string): word is Operation {
  return names.includes(word);
}

/**
 * Reads from method and path what a request does.
 *
 * The path's end decides: base addresses may carry a path of their own, and variables stand unresolved.
 * @source payments-service-interface, parts 4.1 to 4.5; assumptions A1 and A2 for token and collection
 */
export function inferOperation(method: string, url: string): Operation {
  const path = url.replace(/[?#].*$/s, '');
  const wanted = method.toUpperCase();
  return paths.find(([verb, pattern]) => verb === wanted && pattern.test(path))?.[2] ?? 'other';
}
