import { findHeader } from '../find-header';

/** Without a word of the service: doubled with each attempt, up to half a minute. */
const FIRST_WAIT_MS = 1000;
const LONGEST_OWN_WAIT_MS = 30_000;
/** Those who were refused together must not come back together. */
const MOST_JITTER_MS = 2000;

/** Asked to wait longer, nobody waits: neither before a countdown nor in a pipeline. */
const LONGEST_WAIT_MS = 15 * 60_000;

/** Tells whether a service asks for longer than anybody waits. */
export function isTooLong(retryAfterMs: number | null): boolean {
  return retryAfterMs !== null && retryAfterMs > LONGEST_WAIT_MS;
}

/** IMF-fixdate, and the two forms that servers of old write. @source RFC 9110, 5.6.7 */
const HTTP_DATES: readonly RegExp[] = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Reads how long a service asks to wait: seconds, or a date, which is by the service's own clock.
 *
 * @param now - when the answer came, epoch milliseconds: for an answer without `Date`
 * @returns milliseconds, 0 for a date that has passed; null where it says nothing that can be read
 * @source RFC 9110, 10.2.3
 */
export function readRetryAfterMs(
  headers: readonly (readonly [string, string])[],
  now: number,
): number | null {
  const value = findHeader(headers, 'retry-after')?.trim();
  if (value === undefined) return null;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const at = readHttpDate(value);
  return at === null ? null : Math.max(0, at - (readHttpDate(findHeader(headers, 'date')?.trim()) ?? now));
}

/** The headers that the error of a call for a token has of its answer. */
export function listRetryHeaders(details: Readonly<Record<string, unknown>>): [string, string][] {
  return (['retryAfter', 'date'] as const).flatMap((name): [string, string][] => {
    const value = details[name];
    return typeof value === 'string' ? [[name === 'date' ? name : 'retry-after', value]] : [];
  });
}

function readHttpDate(value = ''): number | null {
  const form = HTTP_DATES.findIndex((pattern) => pattern.test(value));
  // The last form names no zone; it is GMT all the same.
  const at = form === -1 ? Number.NaN : Date.parse(form === 2 ? `${value} GMT` : value);
  return Number.isNaN(at) ? null : at;
}

/**
 * Tells how long to wait before the same request is sent once more.
 *
 * Never shorter than the service asks for: chance only adds.
 * @param attempt - from 1: how often it has been refused
 * @param random - from 0 to below 1
 * @returns null: it asks for longer than anybody waits
 */
export function planWaitMs(retryAfterMs: number | null, attempt: number, random: number): number | null {
  if (isTooLong(retryAfterMs)) return null;
  const wait = retryAfterMs ?? Math.min(LONGEST_OWN_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt - 1, 10));
  return Math.ceil(wait + random * Math.min(MOST_JITTER_MS, Math.max(250, wait / 4)));
}
