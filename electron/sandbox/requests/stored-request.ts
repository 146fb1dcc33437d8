import type { HeaderList } from '@shared/contract/common';
import { AppError } from '@shared/errors';
import type { FieldError } from '@shared/payments/validate-fields';
import { readStringToSign, type StringToSign } from '@shared/signing/string-to-sign';
import type { LoggedExchange } from '../../platform/database/exchange-log';
import {
  createHidingBySecrets,
  isCompressed,
  keepBody,
  keepHeaders,
  readCredentials,
  type Hide,
} from '../../platform/mask-message';
import type { Verdict } from '../http/answers';
import type { ReceivedRequest } from './received-request';

/** Kept of each body; the rest is cut off. */
export const MOST_BODY_BYTES = 64 * 1024;
const MOST_TARGET_CHARACTERS = 2048;

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
  /** A secret stood in path or query; left out: nobody looked. */
  readonly isAddressMasked?: boolean;
  /** The string to sign, where the body that is kept is not all of what came; null: read it from the body. */
  readonly stringToSign: StringToSign | null;
}

/** One request as the log has it: secrets masked, bodies cut. */
export interface StoredRequest extends LoggedExchange {
  readonly httpStatus: number;
  readonly verdict: Verdict;
  readonly detail: RequestDetail;
}

const hidingOf = createHidingBySecrets();

/**
 * Makes what is kept of a request: tokens, passwords and what else is secret by its name masked, bodies cut.
 *
 * @param consumerSecret - masked wherever it stands
 */
export function toStoredRequest(received: ReceivedRequest, consumerSecret: string): StoredRequest {
  const { request, answer } = received;
  const hide = hidingOf([consumerSecret, ...readCredentials(request.headers)]);
  const mark = request.target.indexOf('?');
  const address =
    mark === -1
      ? ([request.target, ''] as const)
      : ([request.target.slice(0, mark), request.target.slice(mark + 1)] as const);
  const [path, query] = [hide(address[0]), hide(address[1])];
  const body = keepBody(request.body, hide, MOST_BODY_BYTES, isCompressed(request.headers, request.body));
  const answerBytes = Buffer.from(answer.body, 'utf8');
  const isWhole = !body.isMasked && body.bytes.length === request.body.length;
  return {
    id: received.id,
    at: received.at,
    durationMs: received.durationMs,
    operation: received.operation,
    method: request.method.slice(0, 20),
    path: path.slice(0, 300),
    httpStatus: answer.httpStatus,
    verdict: answer.verdict,
    reference: received.reference === null ? null : hide(received.reference),
    detail: {
      query: query.slice(0, MOST_TARGET_CHARACTERS - 1),
      isAddressMasked: path !== address[0] || query !== address[1],
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
      stringToSign: isWhole ? null : hideString(findStringToSign(request.body.toString('utf8')), hide),
    },
    requestBody: body.bytes,
    answerBody: keepBody(answerBytes, hide, MOST_BODY_BYTES).bytes,
  };
}

/** Of a long body the string alone is looked through. */
function hideString(found: StringToSign | null, hide: Hide): StringToSign | null {
  return found === null ? null : { ...found, text: hide(found.text) };
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
