import { readJsonTree, textOf } from '../../json/json-tree';
import { encodeBase64 } from '../../signing/base64';
import { fromHex } from '../../signing/hex';
import type { HashFunction } from '../decode/read-padding';
import type { Deviation } from '../search/draft';
import { JSON_STYLES, writeJson } from './json-styles';
import { wholeCause, wholeDeviation } from './whole-deviations';

/** Bodies beyond this are not tried with a request line: there are hundreds of forms. */
const LONGEST_BODY = 16 * 1024;

const PATHS = [
  '/payments/v1/remittance',
  '/payments/v1/payouts',
  '/payments/api/v1/remittance',
  '/payments/api/v1/payouts',
];
const SEPARATORS = ['', '\n', '|', ':', '.', ',', ' '];

/**
 * Lists what other interfaces have signed: method, path, timestamp and the body or its digest, in the usual orders.
 *
 * The timestamp is the body's own, as it stands or in seconds or milliseconds; another one cannot be known.
 * @source RFC 9421 and its forerunners; what AWS, Stripe and Adyen ask for
 */
export function listRequestDeviations(body: string, hash: HashFunction): Deviation[] {
  const tree = body.length > LONGEST_BODY ? null : readJsonTree(body);
  if (tree === null) return [];
  const bodies = [...new Set([body, writeJson(tree, JSON_STYLES[0]!)])];
  const endings = [...bodies.flatMap((text) => listDigests(text, hash)), ...bodies];
  const times = listTimes(textOf(tree, 'transaction', 'timestamp'));
  const orders = listOrders(times);
  return endings.flatMap((ending) =>
    orders.flatMap((head) =>
      SEPARATORS.map((separator) => {
        const what = 'method, path, timestamp or body digest, as other interfaces have it';
        return wholeDeviation([...head, ending].join(separator), 'alone', [wholeCause(what)]);
      }),
    ),
  );
}

function listDigests(text: string, hash: HashFunction): string[] {
  const digest = hash('sha256', text);
  return [digest, digest.toUpperCase(), encodeBase64(fromHex(digest))];
}

function listTimes(timestamp: string | null): string[] {
  if (timestamp === null) return [];
  // The interface's own form has no zone, and is UTC.
  const timeMs = [`${timestamp.replace(' ', 'T')}Z`, timestamp]
    .map((text) => Date.parse(text))
    .find((parsed) => Number.isFinite(parsed));
  if (timeMs === undefined) return [timestamp];
  return [timestamp, String(Math.floor(timeMs / 1000)), String(timeMs)];
}

/** What stands before the body: at least one of method, path and time. */
function listOrders(times: readonly string[]): string[][] {
  const lines = ['POST', 'post'].flatMap((method) => PATHS.map((path) => [method, path]));
  return [
    ...lines,
    ...PATHS.map((path) => [path]),
    ...times.map((time) => [time]),
    ...times.flatMap((time) => [
      ...lines.flatMap(([method = '', path = '']) => [
        [method, path, time],
        [time, method, path],
      ]),
      ...PATHS.flatMap((path) => [
        [path, time],
        [time, path],
      ]),
    ]),
  ];
}
