import type { FieldError } from '@shared/payments/validate-fields';
import { errorCodes } from '@shared/payments/tables/codes';

/** Which check answered; shown in the request list and explained by `explain`. */
export type Verdict =
  | 'accepted'
  | 'rate_limit'
  | 'body'
  | 'token'
  | 'product'
  | 'signature'
  | 'fields'
  | 'duplicate'
  | 'rules'
  | 'outcome'
  | 'ok'
  | 'fault'
  | 'not_found'
  | 'error';

/** One answer, ready to be sent. */
export interface Answer {
  readonly httpStatus: number;
  readonly body: string;
  readonly verdict: Verdict;
  /** What was wrong and what to do, for the one who looks; null where nothing was. */
  readonly reason: string | null;
  readonly fieldErrors: readonly FieldError[];
  readonly contentType: string;
  /** Further headers: name, value, name, value … */
  readonly headers: readonly string[];
  /** What it rests on is on the disk already; any other answer waits for the commit that is open. */
  readonly isDurable: boolean;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const noFields: readonly FieldError[] = [];
const noHeaders: readonly string[] = [];

/** Makes an answer with a JSON text that is already written. */
export function answerJson(
  httpStatus: number,
  body: string,
  verdict: Verdict,
  reason: string | null = null,
  more: { fieldErrors?: readonly FieldError[]; headers?: readonly string[] } = {},
): Answer {
  return {
    httpStatus,
    body,
    verdict,
    reason,
    fieldErrors: more.fieldErrors ?? noFields,
    contentType: JSON_TYPE,
    headers: more.headers ?? noHeaders,
    isDurable: false,
  };
}

/**
 * Writes an error envelope.
 *
 * @param kind - row of the table of codes
 * @source payments-service-interface, part 7.1
 */
export function answerEnvelope(
  kind: keyof typeof errorCodes,
  verdict: Verdict,
  description: string,
  more: { fieldErrors?: readonly FieldError[]; headers?: readonly string[]; status?: string } = {},
): Answer {
  const row = errorCodes[kind];
  const data =
    row.data === 'null' ? null : row.data === 'empty' ? {} : { field_errors: more.fieldErrors ?? noFields };
  const body = JSON.stringify({ code: row.code, status: more.status ?? row.status, description, data });
  return answerJson(row.httpStatus, body, verdict, description, more);
}

/** Answers a request of which the disk kept nothing. */
export function answerNothingKept(): Answer {
  return answerEnvelope('internal', 'error', 'Internal server error: nothing was kept. Send it again.');
}

/** Writes the error object of a request that cannot be read. @source payments-service-interface, part 7.2 */
export function answerErrorObject(
  httpStatus: number,
  verdict: Verdict,
  error: string,
  message: string,
  requestId: string,
  more: { param?: string; headers?: readonly string[]; fieldErrors?: readonly FieldError[] } = {},
): Answer {
  const param = more.param === undefined ? {} : { param: more.param };
  const body = JSON.stringify({ error, message, ...param, request_id: requestId });
  return answerJson(httpStatus, body, verdict, message, more);
}

/** Writes an error of the wallet balances, which have a shape of their own. @source part 7.3 */
export function answerBalanceError(
  code: 401 | 404 | 405 | 500,
  verdict: Verdict,
  description: string,
): Answer {
  return answerJson(
    code,
    JSON.stringify({ code, status: 'FAILED', description, results: {} }),
    verdict,
    description,
  );
}

/** Writes a refusal in the shape of an initiation answer. @source parts 4.1 and 7.4 */
export function answerRejection(
  outcome: { status: string; code: string; httpStatus: number },
  verdict: Verdict,
  description: string,
  data: null | Record<string, never>,
): Answer {
  const body = JSON.stringify({ status: outcome.status, code: outcome.code, description, data });
  return answerJson(outcome.httpStatus, body, verdict, description);
}

/** Answers 429. @param retryAfterSeconds - whole seconds, at least 1 */
export function answerTooMany(requestId: string, message: string, retryAfterSeconds: number): Answer {
  return answerErrorObject(429, 'rate_limit', 'rate_limited', message, requestId, {
    headers: ['Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds)))],
  });
}
