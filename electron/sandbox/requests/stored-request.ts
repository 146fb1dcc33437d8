import { isUtf8 } from 'node:buffer';
import type { HeaderList } from '@shared/contract/common';
import { AppError } from '@shared/errors';
import { maskHeader, maskSecrets } from '@shared/mask-secrets';
import type { OperationName } from '@shared/payments/tables/operations';
import type { FieldError } from '@shared/payments/validate-fields';
import { isCredentialHeader, splitCredential } from '@shared/secrets';
import { readStringToSign, type StringToSign } from '@shared/signing/string-to-sign';
import { maskKnownSecrets } from '../../platform/mask-known-secrets';
import type { Verdict } from '../http/answers';
import type { ReceivedRequest } from './received-request';

/** Kept of each body; the rest is cut off. */
export const MOST_BODY_BYTES = 64 * 1024;
/** Kept of all headers of one message together. */
const MOST_HEADER_CHARACTERS = 16 * 1024;
const MOST_TARGET_CHARACTERS = 2048;
/** Shorter texts stand in too many places by accident. */
const SHORTEST_SECRET = 8;
const PLAIN_MASK = '********';

/** What is written once and never searched by column. */
export interface RequestDetail {
  readonly query: string;
  readonly requestHeaders: HeaderList;
  readonly requestBytes: number;
  readonly answerHeaders: HeaderList;
  readonly answerBytes: number;
  readonly reason: string | null;
  readonly fieldErrors: readonly FieldError[];
  readonly isTooLong: boolean;
  readonly isDropped: boolean;
  readonly isMasked: boolean;
  /** The string to sign, where the body that is kept is not all of what came; null: read it from the body. */
  readonly stringToSign: StringToSign | null;
}

/** One request as the log has it: secrets masked, bodies cut. */
export interface StoredRequest {
  readonly id: string;
  readonly at: number;
  readonly durationMs: number;
  readonly operation: OperationName | null;
  readonly method: string;
  readonly path: string;
  readonly httpStatus: number;
  readonly verdict: Verdict;
  readonly reference: string | null;
  readonly detail: RequestDetail;
  readonly requestBody: Buffer;
  readonly answerBody: Buffer;
}

/**
 * Makes what is kept of a request: tokens, passwords and what else is secret by its name masked, bodies cut.
 *
 * @param consumerSecret - masked wherever it stands
 */
export function toStoredRequest(received: ReceivedRequest, consumerSecret: string): StoredRequest {
  const { request, answer } = received;
  const hide = createHiding([consumerSecret, ...readCredentials(request.headers)]);
  const isCompressed = hasCompressedBody(request);
  const mark = request.target.indexOf('?');
  const path = mark === -1 ? request.target : request.target.slice(0, mark);
  const body = isCompressed ? keepSize(request.body) : keepBody(request.body, hide);
  const answerBytes = Buffer.from(answer.body, 'utf8');
  const isWhole = !body.isMasked && body.bytes.length === request.body.length;
  return {
    id: received.id,
    at: received.at,
    durationMs: received.durationMs,
    operation: received.operation,
    method: request.method.slice(0, 20),
    path: hide(path).slice(0, 300),
    httpStatus: answer.httpStatus,
    verdict: answer.verdict,
    reference: received.reference === null ? null : hide(received.reference),
    detail: {
      query: mark === -1 ? '' : hide(request.target.slice(mark + 1)).slice(0, MOST_TARGET_CHARACTERS - 1),
      requestHeaders: keepHeaders(request.headers, hide),
      requestBytes: request.body.length,
      answerHeaders: keepHeaders(
        ['Content-Type', answer.contentType, 'X-Request-Id', received.id, ...answer.headers],
        hide,
      ),
      answerBytes: answerBytes.length,
      reason: answer.reason === null ? null : hide(answer.reason),
      fieldErrors: answer.fieldErrors.map(({ field, message }) => ({
        field: hide(field),
        message: hide(message),
      })),
      isTooLong: request.isTooLong,
      isDropped: received.isDropped,
      isMasked: body.isMasked,
      stringToSign: isWhole ? null : findStringToSign(hide(request.body.toString('utf8'))),
    },
    requestBody: body.bytes,
    answerBody: keepBody(answerBytes, hide).bytes,
  };
}

/** Reads the string to sign of a body; null where it has none. */
export function findStringToSign(body: string): StringToSign | null {
  try {
    return readStringToSign(body);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

type Hide = (text: string) => string;

/** A token of this or another service, whoever it was issued to. */
const JWT = /\beyJ[\w-]{5,4000}\.[\w-]{5,4000}(?:\.[\w-]{0,4000})?/g;
const BASIC = /\bBasic +[\w+/=-]{8,}/gi;

/** Masks what is secret by its name, tokens, what follows `Basic`, and the values given wherever they stand. */
function createHiding(secrets: readonly string[]): Hide {
  const known = [...secrets.filter(({ length }) => length >= SHORTEST_SECRET), JWT];
  return (text) => maskKnownSecrets(text, known).replace(BASIC, `Basic ${PLAIN_MASK}`);
}

/** Tokens and passwords that the request itself proves who it is with: an echo of one is as secret. */
function readCredentials(fields: readonly string[]): string[] {
  const found: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    if (isCredentialHeader(fields[index]!)) found.push(splitCredential(fields[index + 1]!).credential);
  }
  return found;
}

function keepHeaders(fields: readonly string[], hide: Hide): [string, string][] {
  const kept: [string, string][] = [];
  let left = MOST_HEADER_CHARACTERS;
  for (let index = 0; index < fields.length && left > 0; index += 2) {
    const name = fields[index]!.slice(0, 200);
    const whole = fields[index + 1]!;
    const value = (isCredentialHeader(name) ? maskHeader(name, whole) : hide(whole)).slice(0, left);
    kept.push([name, value]);
    left -= name.length + value.length;
  }
  return kept;
}

/** What is compressed may hold anything, and unpacks to any size. */
function hasCompressedBody({ headers, body }: ReceivedRequest['request']): boolean {
  if (body.length === 0) return false;
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-encoding');
  const isNamed = at !== -1 && headers[at + 1]!.trim().toLowerCase() !== 'identity';
  return isNamed || (body[0] === 0x1f && body[1] === 0x8b);
}

function keepSize(bytes: Buffer): { bytes: Buffer; isMasked: boolean } {
  return { bytes: Buffer.from(`compressed, ${bytes.length} bytes`), isMasked: true };
}

/** Bytes stay as they are but for what is masked in them; masked before they are cut, so that no half of a secret is left. */
function keepBody(bytes: Buffer, hide: Hide): { bytes: Buffer; isMasked: boolean } {
  const isText = isUtf8(bytes);
  const text = bytes.toString(isText ? 'utf8' : 'latin1');
  // The characters of a mask are none of Latin-1.
  const hidden = isText ? hide(text) : hide(maskSecrets(text, () => PLAIN_MASK)).replace(/[…•]/g, '*');
  const isMasked = hidden !== text;
  const kept = isMasked ? Buffer.from(hidden, isText ? 'utf8' : 'latin1') : bytes;
  return { bytes: Buffer.from(kept.subarray(0, MOST_BODY_BYTES)), isMasked };
}
