import { AppError } from '@shared/errors';
import type { Verdict } from '../http/answers';
import { readExpectedString } from '../admission/check-signature';
import type { PublicKeys } from '../admission/public-keys';
import type { LoggedRequest, RequestLog } from '../admin/request-log';
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

/**
 * Tells what was wrong with a request; for a refused signature, the string that was expected, byte by byte.
 *
 * @param parts.isDiagnosed - whether the doctor looks for what was signed
 * @throws {AppError} `sandbox.request_unknown`
 * @source design 5
 */
export async function explainRequest(
  id: string,
  parts: { log: RequestLog; keys: PublicKeys; isDiagnosed: boolean },
): Promise<SandboxExplanation> {
  const request = parts.log.find(id);
  if (request === undefined) {
    throw new AppError(
      'sandbox.request_unknown',
      'The sandbox does not remember this request: it keeps the latest thousand since its start.',
      { details: { requestId: id.slice(0, 100) } },
    );
  }
  return {
    requestId: request.id,
    verdict: request.verdict,
    explanation:
      request.reason === null ? ADVICE[request.verdict] : `${request.reason} ${ADVICE[request.verdict]}`,
    fieldErrors: [...request.fieldErrors],
    signature: await explainSignature(request, parts),
  };
}

async function explainSignature(
  request: LoggedRequest,
  { keys, isDiagnosed }: { keys: PublicKeys; isDiagnosed: boolean },
): Promise<SandboxExplanation['signature']> {
  if (request.verdict !== 'signature' || request.refused === null) return null;
  const { body, signature } = request.refused;
  const expectedString = readExpectedString(body);
  if (expectedString === null) return null;
  const registered = keys.list();
  // The doctor is loaded when first asked for.
  const doctor = signature === null ? null : await import('./diagnose-refusal');
  const judge = doctor?.chooseKey(signature!, registered) ?? registered[0];
  const findings =
    isDiagnosed && doctor !== null && judge !== undefined
      ? await doctor.diagnoseRefusal(body, signature!, judge, registered)
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
