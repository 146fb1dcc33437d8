import { isUtf8 } from 'node:buffer';
import type { ProxyExchange, ProxyExchangeDetail } from '@shared/contract/proxy';
import { findHeader } from '@shared/find-header';
import { KEPT_BODY_BYTES } from './proxy-connection';
import type { StoredExchange } from './stored-exchange';

const SIGNATURE_HEADER = 'x-custom-signature';

/** Gives an exchange as a list shows it. */
export function summarizeExchange(stored: StoredExchange): ProxyExchange {
  const { id, at, durationMs, method, path, httpStatus, operation, reference, detail } = stored;
  return {
    id,
    at,
    durationMs,
    method,
    path,
    httpStatus,
    operation,
    reference,
    signature: readSignatureState(detail),
    causes: detail.signature?.causes.map(({ code }) => code) ?? [],
    problemCount: detail.fieldProblems.length,
    reason: detail.reason,
  };
}

/** Gives all that is kept of an exchange. */
export function detailExchange(stored: StoredExchange): ProxyExchangeDetail {
  const { detail, requestBody, answerBody, httpStatus } = stored;
  const { origin, query, stringToSign, signature, token, fieldProblems, reason } = detail;
  const isAnswered = httpStatus !== null && (reason === null || detail.answerHeaders.length > 0);
  return {
    ...summarizeExchange(stored),
    origin,
    query,
    stringToSign: stringToSign && { text: stringToSign.text, spans: [...stringToSign.spans] },
    diagnosis:
      signature === null || signature.verdict === null
        ? null
        : {
            verdict: signature.verdict,
            explanation: signature.explanation,
            causes: signature.causes.map(({ code, message }) => ({ code, message })),
          },
    publicKeyPem: signature?.publicKeyPem ?? null,
    token: token && {
      product: token.product,
      expiresAt: token.expires_at === null ? null : Date.parse(token.expires_at),
      isExpired: token.is_expired,
      fingerprint: token.fingerprint,
    },
    fieldProblems: fieldProblems.map(({ field, message }) => ({ field, message })),
    request: viewMessage(detail.requestHeaders, requestBody, detail.requestBytes),
    answer: isAnswered ? viewMessage(detail.answerHeaders, answerBody, detail.answerBytes) : null,
  };
}

/** Tells how the signature of a request fares; null: its operation is not signed. */
export function readSignatureState({
  signature,
  requestHeaders,
}: StoredExchange['detail']): ProxyExchange['signature'] {
  if (signature === null) return null;
  if (signature.valid === null) return 'unchecked';
  if (signature.valid) return 'valid';
  return findHeader(requestHeaders, SIGNATURE_HEADER) === null ? 'missing' : 'refused';
}

function viewMessage(
  headers: StoredExchange['detail']['requestHeaders'],
  body: Buffer,
  sizeBytes: number,
): ProxyExchangeDetail['request'] {
  return {
    headers: headers.map(([name, value]) => [name, value]),
    body: body.toString('utf8'),
    bodyBase64: isUtf8(body) ? null : body.toString('base64'),
    sizeBytes,
    isCut: isKeptCut(body, sizeBytes),
  };
}

/** Tells whether only the beginning of a body is kept, or nothing of it. */
export function isKeptCut(body: Buffer, sizeBytes: number): boolean {
  // A masked body is shorter, too; one of which nothing is there came faster than it could be looked at.
  return sizeBytes > body.length && (body.length === 0 || body.length >= KEPT_BODY_BYTES);
}
