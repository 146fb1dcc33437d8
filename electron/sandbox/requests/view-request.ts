import { isUtf8 } from 'node:buffer';
import type { SandboxRequestDetail } from '@shared/contract/sandbox';
import { listChecks } from './request-checks';
import { findStringToSign, MOST_BODY_BYTES, type StoredRequest } from './stored-request';

/** Shows all that is kept of a request; its checks and string to sign are worked out here, when somebody looks. */
export function viewRequestDetail(stored: StoredRequest): SandboxRequestDetail {
  const { detail, requestBody, answerBody, ...summary } = stored;
  const isInitiation = stored.operation === 'payout' || stored.operation === 'remittance';
  const stringToSign = isInitiation
    ? (detail.stringToSign ?? (isUtf8(requestBody) ? findStringToSign(requestBody.toString('utf8')) : null))
    : null;
  return {
    ...summary,
    query: detail.query,
    reason: detail.reason,
    fieldErrors: [...detail.fieldErrors],
    checks: listChecks(stored, stringToSign !== null),
    stringToSign,
    request: {
      headers: detail.requestHeaders,
      ...viewBody(requestBody, detail.requestBytes),
      isTooLong: detail.isTooLong,
      isMasked: detail.isMasked,
    },
    answer: {
      headers: detail.answerHeaders,
      ...viewBody(answerBody, detail.answerBytes),
      isDropped: detail.isDropped,
    },
  };
}

type KeptBody = Pick<SandboxRequestDetail['answer'], 'body' | 'bodyBase64' | 'sizeBytes' | 'isCut'>;

/** What is not UTF-8 is given as bytes, too. */
function viewBody(body: Buffer, sizeBytes: number): KeptBody {
  // A cut may stand within a character: that alone does not make it bytes.
  const isText = isUtf8(body) || (body.length === MOST_BODY_BYTES && isUtf8(trimCutCharacter(body)));
  return {
    body: body.toString('utf8'),
    bodyBase64: isText ? null : body.toString('base64'),
    sizeBytes,
    isCut: sizeBytes > MOST_BODY_BYTES,
  };
}

function trimCutCharacter(body: Buffer): Buffer {
  let end = body.length;
  while (end > 0 && body.length - end < 3 && (body[end - 1]! & 0xc0) === 0x80) end -= 1;
  return body.subarray(0, Math.max(0, end - 1));
}
