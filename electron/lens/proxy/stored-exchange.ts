import type { HeaderList } from '@shared/contract/common';
import type { Reading } from '@shared/contract/sending';
import { readAnswer } from '@shared/payments/read-answer';
import { findWhyUnread } from '@shared/payments/unread-answer';
import type { FieldError } from '@shared/payments/validate-fields';
import type { StringToSign } from '@shared/signing/string-to-sign';
import type { LoggedExchange } from '../../platform/database/exchange-log';
import {
  createHidingBySecrets,
  isCompressed,
  keepBody,
  keepHeaders,
  type Hide,
} from '../../platform/mask-message';
import { listCookies, listOwnSecrets } from '../../platform/own-secrets';
import type { CapturedExchange, CapturedMessage } from './captured-exchange';
import { readPath, type ProxyFacts, type SeenSignature, type SeenToken } from './judge-exchange';
import { KEPT_BODY_BYTES } from './proxy-connection';

export interface ExchangeDetail {
  /** Address of the target, without a path. */
  readonly origin: string;
  readonly query: string;
  readonly requestHeaders: HeaderList;
  readonly requestBytes: number;
  readonly answerHeaders: HeaderList;
  readonly answerBytes: number;
  readonly stringToSign: StringToSign | null;
  readonly signature: SeenSignature | null;
  readonly token: SeenToken | null;
  readonly fieldProblems: readonly FieldError[];
  /** Why there is no answer of the target, or not all of one. */
  readonly reason: string | null;
  /** A secret stood in path or query; left out: nobody looked. */
  readonly isAddressMasked?: boolean;
  /** Nothing of it reached the target; left out: that is not known. */
  readonly isUnsent?: boolean;
}

/** One exchange as it is kept: secrets masked, bodies cut. */
export interface StoredExchange extends LoggedExchange {
  /** As the client saw it; null: it saw none. */
  readonly httpStatus: number | null;
  readonly detail: ExchangeDetail;
}

/** One exchange as it is told of, once it was kept. */
export interface JudgedExchange extends StoredExchange {
  /** What the answer means, read before anything in it was masked; null: it is of no payment, or not whole. */
  readonly reading: Reading | null;
}

const MOST_TARGET_CHARACTERS = 2048;
const hidingOf = createHidingBySecrets();

/**
 * Makes what is kept of an exchange.
 *
 * @param secrets - masked wherever they stand, besides what is secret by its name, what the request proves itself with, and cookies
 */
export function toStoredExchange(
  id: string,
  exchange: CapturedExchange,
  facts: ProxyFacts,
  { origin, secrets }: { origin: string; secrets: readonly string[] },
): JudgedExchange {
  const { request, answer, target } = exchange;
  const set = listCookies(pairUp(answer?.headers ?? []));
  const hide = hidingOf([...secrets, ...listTyped(target, request), ...set]);
  const keep = ({ headers, body }: CapturedMessage): Buffer =>
    keepBody(body, hide, KEPT_BODY_BYTES, isCompressed(headers, body)).bytes;
  const mark = target.indexOf('?');
  const address = [readPath(target), mark === -1 ? '' : target.slice(mark + 1)] as const;
  const [path, query] = [hide(address[0]), hide(address[1])];
  const { stringToSign } = facts;
  return {
    id,
    at: exchange.at,
    durationMs: exchange.durationMs,
    method: exchange.method,
    path: path.slice(0, MOST_TARGET_CHARACTERS),
    httpStatus: answer?.httpStatus ?? exchange.ownStatus,
    operation: facts.operation,
    reference: facts.reference === null ? null : hide(facts.reference),
    detail: {
      origin,
      query: query.slice(0, MOST_TARGET_CHARACTERS),
      isAddressMasked: path !== address[0] || query !== address[1],
      requestHeaders: keepHeaders(request.headers, hide),
      requestBytes: request.bodyBytes,
      answerHeaders: answer === null ? [] : keepHeaders(answer.headers, hide),
      answerBytes: answer?.bodyBytes ?? 0,
      stringToSign: stringToSign === null ? null : { ...stringToSign, text: hide(stringToSign.text) },
      signature: facts.signature,
      token: facts.token,
      fieldProblems: facts.fieldProblems.map(({ field, message }) => ({
        field: hide(field),
        message: hide(message),
      })),
      reason: exchange.fault === null ? null : hide(exchange.fault),
      ...(exchange.isUnsent === true && { isUnsent: true }),
    },
    requestBody: keep(request),
    answerBody: answer === null ? Buffer.alloc(0) : keep(answer),
    reading: readMeaning(exchange, facts, hide),
  };
}

/** @returns null: of no payment or status query, or of no whole answer */
function readMeaning(
  { answer, fault }: CapturedExchange,
  { operation, reference }: ProxyFacts,
  hide: Hide,
): Reading | null {
  if (answer === null || fault !== null || operation === null || reference === null) return null;
  const { httpStatus, headers, body, bodyBytes } = answer;
  const size = { headers: pairUp(headers), sizeBytes: body.length, isCut: body.length < bodyBytes };
  return readAnswer(operation, httpStatus, body.toString('utf8'), findWhyUnread(size), hide);
}

/** Lists what the request proves itself with: its answer may repeat it. */
function listTyped(target: string, { headers: fields, body }: CapturedMessage): string[] {
  const text = isCompressed(fields, body) ? '' : body.toString('utf8', 0, KEPT_BODY_BYTES);
  return listOwnSecrets({ url: target, headers: pairUp(fields), body: text });
}

const pairUp = (fields: readonly string[]): [string, string][] =>
  fields.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, fields[index + 1] ?? '']] : [],
  );

/** The line of an exchange, as `proxy` prints it. */
export function describeExchange(stored: StoredExchange): Record<string, unknown> {
  const { detail } = stored;
  return {
    id: stored.id,
    at: new Date(stored.at).toISOString(),
    method: stored.method,
    path: stored.path,
    http_status: stored.httpStatus,
    duration_ms: stored.durationMs,
    operation: stored.operation,
    reference: stored.reference,
    signature: detail.signature && { ...detail.signature, publicKeyPem: undefined },
    token: detail.token,
    field_problems: detail.fieldProblems,
    reason: detail.reason,
  };
}
