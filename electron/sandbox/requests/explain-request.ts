import type { KnownValue } from '@shared/doctor/hypotheses/known-deviations';
import { AppError } from '@shared/errors';
import type { Verdict } from '../http/answers';
import { readServiceHeaders } from '../http/service-headers';
import type { PublicKeys } from '../admission/public-keys';
import type { RequestLog } from './request-log';
import { findStringToSign, type StoredRequest } from './stored-request';
import type { SandboxExplanation } from '@shared/contract/sandbox';

/** What each verdict means for the one who sent the request. */
const ADVICE: Readonly<Record<Verdict, string>> = {
  accepted: 'Every check passed and the payment was accepted.',
  ok: 'Every check passed.',
  rate_limit: 'Wait for the seconds that Retry-After names, then send the same request again.',
  body: 'The body could not be read as a JSON object of at most 1 MiB; nothing else was looked at.',
  token: 'The credentials or the bearer token were not accepted; nothing after them was looked at.',
  product: 'The token is good, but for another product. Get one for this operation.',
  signature:
    'Sign the expected string below with RSA PKCS#1 v1.5 and SHA-256, and send it as standard Base64.',
  fields: 'Mend the fields below; all of them are named at once.',
  duplicate: 'This reference was used before. The first payment is untouched; query its status instead.',
  rules: 'The request is well formed and signed, and was refused for what it asks for.',
  outcome: 'The recipient’s account stands for this answer in the outcome table. Nothing was kept.',
  fault: 'This sandbox was told to show faults; the request itself was not looked at.',
  not_found: 'Check the path, the method and the identifiers.',
  error: 'The sandbox failed. What it could not keep was undone; send the request again.',
};

/** Finds a request in the log. @throws {AppError} `sandbox.request_unknown` */
export function findRequest(log: RequestLog, id: string): StoredRequest {
  const request = log.find(id);
  if (request !== null) return request;
  throw new AppError(
    'sandbox.request_unknown',
    'The sandbox does not remember this request: it keeps the latest thousand.',
    { details: { requestId: id.slice(0, 100) } },
  );
}

/** What an explanation is made from. */
export interface ExplainParts {
  readonly log: RequestLog;
  readonly keys: PublicKeys;
  readonly isDiagnosed: boolean;
  /** Tokens and credentials that whoever signs has at hand. */
  listKnown(): readonly KnownValue[];
}

/**
 * Tells what was wrong with a request; for a refused signature, the string that was expected, byte by byte.
 *
 * @param parts.isDiagnosed - whether the doctor looks for what was signed
 * @throws {AppError} `sandbox.request_unknown`
 * @source design 5
 */
export async function explainRequest(id: string, parts: ExplainParts): Promise<SandboxExplanation> {
  const request = findRequest(parts.log, id);
  return {
    requestId: request.id,
    verdict: request.verdict,
    explanation: (await isRightByNow(request, parts)) ? explainLateKey(request) : explain(request),
    fieldErrors: [...request.detail.fieldErrors],
    signature: await explainSignature(request, parts),
  };
}

/** The service's own words, which end as they like, and then ours. */
function explain({ detail: { reason }, verdict }: StoredRequest): string {
  if (reason === null) return ADVICE[verdict];
  return `${reason}${/[.!?…]$/.test(reason) ? '' : '.'} ${ADVICE[verdict]}`;
}

/** Keys may have been registered since: what one of them verifies is not to be signed otherwise. */
const explainLateKey = ({ detail: { reason } }: StoredRequest): string =>
  `When it came, it was refused: ${reason} A key that was registered since verifies it as it is: send the request again.`;

async function isRightByNow(
  request: StoredRequest,
  { log, keys }: { log: RequestLog; keys: PublicKeys },
): Promise<boolean> {
  const signature = readSignature(request);
  if (request.verdict !== 'signature' || signature === null) return false;
  const expected = readExpected(request, log);
  const bytes = Buffer.from(signature, 'base64');
  if (expected === undefined || bytes.toString('base64') !== signature) return false;
  return keys.verify(expected, bytes);
}

const readExpected = (request: StoredRequest, log: RequestLog): string | undefined =>
  (request.detail.stringToSign ?? findStringToSign(log.bodyOf(request)))?.text;

async function explainSignature(
  request: StoredRequest,
  { log, keys, isDiagnosed, listKnown }: ExplainParts,
): Promise<SandboxExplanation['signature']> {
  if (request.verdict !== 'signature') return null;
  const body = log.bodyOf(request);
  const expectedString = readExpected(request, log);
  if (expectedString === undefined) return null;
  const signature = readSignature(request);
  const registered = keys.list();
  // The doctor is loaded when first asked for.
  const doctor = signature === null ? null : await import('./diagnose-refusal');
  const judge = doctor?.chooseKey(signature!, registered) ?? registered[0];
  const findings =
    isDiagnosed && doctor !== null && judge !== undefined
      ? await doctor.diagnoseRefusal(body, signature!, judge, registered, listKnown())
      : null;
  return {
    expectedString,
    expectedBytesHex: Buffer.from(expectedString, 'utf8').toString('hex'),
    receivedSignature: signature,
    body,
    publicKeyPem: judge?.pem ?? null,
    findings,
  };
}

function readSignature({ detail }: StoredRequest): string | null {
  const { 'x-custom-signature': signature } = readServiceHeaders(detail.requestHeaders.flat());
  return signature ?? null;
}
