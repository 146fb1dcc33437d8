import type { Replay } from '@shared/contract/inbox';
import { findProductionOf, nameHost, type KnownEnvironment } from '@shared/http-file/find-production';
import { readPayment } from '@shared/payments/read-payment';
import { findHeader } from '@shared/find-header';
import { replaceJsonValue } from '@shared/json/edit-json';
import { AppError } from '@shared/errors';
import { maskHeaders } from '@shared/mask-secrets';
import { readFieldPath } from '@shared/webhooks/filter/read-field-path';
import { readForwardedHead } from '../../listener/forwarding/forward-head';
import { namesPath } from '../../listener/forwarding/forward-target';
import { decodeBody } from '../../listener/read-webhook';
import { signWebhook } from '../../platform/crypto/standard-webhooks';
import type { HttpAnswer, HttpCall } from '../../platform/ports';
import { createHiding } from '../../platform/mask-message';
import { listOwnSecrets } from '../../platform/own-secrets';
import { errorsOf } from '../errors-of';

const InboxError = errorsOf<'inbox.replay'>();
type Headers = [string, string][];

/** A webhook as it was received. */
export interface ReceivedBytes {
  readonly head: Buffer;
  readonly body: Buffer;
}

export interface ReplayChange {
  /** `a.b=JSON` or `/a/b=JSON`: another value in the place of one. */
  readonly edits: readonly string[];
  /** Instead of the body as received; edits come after it. Null: as received. */
  readonly body: Buffer | null;
  /** Signs anew with these keys, at this second; null: headers stay as received. */
  readonly resign: {
    readonly keys: readonly string[];
    readonly timestamp: string;
    readonly newId: string;
  } | null;
}

/**
 * Makes the call that sends a webhook once more: bytes, headers and their order as received, but for what is changed.
 *
 * @throws {AppError} `inbox.bad_replay`
 */
export function prepareReplay(
  { head, body }: ReceivedBytes,
  to: string,
  change: ReplayChange,
): Omit<HttpCall, 'timeoutMs'> {
  const { method, target, headers } = readForwardedHead(head);
  const bytes = change.edits.reduce(editBody, change.body ?? body);
  const pairs = toPairs(headers);
  return {
    method,
    url: readReplayUrl(to, target),
    received: { target: namesPath(to) ? null : target },
    headers: change.resign === null ? pairs : resign(pairs, bytes, change.resign),
    body: bytes.length === 0 ? null : bytes,
  };
}

/**
 * Refuses a payment that would go to production: a backend that is pointed at the listener sends its requests here, signed and
 * with their token.
 *
 * @throws {AppError} `inbox.bad_replay`
 */
export function refusePayment(
  { method, url }: Pick<HttpCall, 'method' | 'url'>,
  production: readonly KnownEnvironment[],
): void {
  const live = findProductionOf(url, production);
  if (live === null || readPayment({ operation: 'other', method, url, body: null }) === null) return;
  throw refuse(
    `it is a payment, and ${nameHost(url, live)} is production ('${live.label}'), where it really happens. Nothing was sent; to pay, send it as a request`,
  );
}

/** What describing replays is to the thread for long webhooks. */
export type ReplayWork = {
  describeReplay(given: {
    call: Pick<HttpCall, 'url' | 'headers' | 'body'>;
    answer: Pick<HttpAnswer, 'httpStatus' | 'headers' | 'body' | 'timings'>;
  }): Pick<Replay, 'httpStatus' | 'elapsedMs' | 'headers' | 'body'>;
};

export const describeReplay: ReplayWork['describeReplay'] = ({ call, answer }) =>
  describeReplayAnswer(call, answer);

/** Tells what a receiver answered: masked of what the webhook proved itself with, too, which it may repeat. */
export function describeReplayAnswer(
  { url, headers, body }: Pick<HttpCall, 'url' | 'headers' | 'body'>,
  answer: Pick<HttpAnswer, 'httpStatus' | 'headers' | 'body' | 'timings'>,
): Pick<Replay, 'httpStatus' | 'elapsedMs' | 'headers' | 'body'> {
  const hide = createHiding(listOwnSecrets({ url, headers, body: body === null ? null : decodeBody(body) }));
  return {
    httpStatus: answer.httpStatus,
    elapsedMs: answer.timings.totalMs,
    headers: maskHeaders(answer.headers).map(([name, value]) => [name, hide(value)]),
    body: hide(decodeBody(answer.body)),
  };
}

/** Reads where to send; an address without a path keeps path and query of the webhook. @throws {AppError} `inbox.bad_replay` */
export function readReplayUrl(to: string, target: string): string {
  const url = URL.canParse(to) ? new URL(to) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw refuse(
      'the address is not an absolute http:// or https:// one, such as http://127.0.0.1:3000/webhooks',
    );
  }
  if (url.username !== '' || url.password !== '') throw refuse('the address holds a user name or password');
  return namesPath(to) ? url.href : url.origin + target;
}

function refuse(why: string): AppError {
  return new InboxError('inbox.bad_replay', `The webhook cannot be replayed so: ${why}.`);
}

function toPairs(headers: readonly string[]): Headers {
  const pairs: Headers = [];
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at]!, headers[at + 1]!]);
  return pairs;
}

function editBody(body: Buffer, edit: string): Buffer {
  const { path, literal } = readEdit(edit);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw refuse('its body is not UTF-8, so no value in it can be changed');
  }
  try {
    const edited = replaceJsonValue(text, path, literal);
    if (edited !== null) return Buffer.from(edited);
  } catch (error) {
    if (error instanceof AppError)
      throw refuse(error.message.replace(/^The body/, 'its body').replace(/\.$/, ''));
    throw error;
  }
  throw refuse(`its body has no value at ${edit.slice(0, edit.indexOf('=')).slice(0, 60)}`);
}

/** Reads `a.b=JSON`. @throws {AppError} `inbox.bad_replay` */
export function readEdit(edit: string): { path: readonly string[]; literal: string } {
  const read = readFieldPath(edit, 0);
  if ('expected' in read || edit[read.end] !== '=') {
    throw refuse(`'${edit.slice(0, 60)}' is no change such as amount=100 or data.items.0.name="x"`);
  }
  const literal = edit.slice(read.end + 1).trim();
  try {
    replaceJsonValue(literal, [], literal);
  } catch {
    throw refuse(`'${literal.slice(0, 60)}' is not JSON; text stands in double quotes`);
  }
  return { path: read.path, literal };
}

function resign(
  headers: Headers,
  body: Uint8Array,
  { keys, timestamp, newId }: NonNullable<ReplayChange['resign']>,
): Headers {
  if (keys.length === 0) throw refuse('no webhook secret is known to sign it with');
  const id = findHeader(headers, 'webhook-id') ?? newId;
  const fresh: Headers = [
    ['webhook-id', id],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', signWebhook(keys, { id, timestamp, body })],
  ];
  // Each in the place that it had; what was not there comes last.
  const placed = headers.map(([name, value]): [string, string] => [
    name,
    fresh.find(([one]) => one === name.toLowerCase())?.[1] ?? value,
  ]);
  const missing = fresh.filter(([name]) => findHeader(headers, name) === null);
  return [...placed, ...missing];
}
