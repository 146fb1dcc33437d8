import { JSON_NUMBER, JSON_STRING } from '@shared/json/json-sink';
import type { Product } from '@shared/payments/tables/products';
import type { SignedFieldFinder } from '@shared/signing/signed-fields';
import { joinSignedFields } from '@shared/signing/string-to-sign';
import { answerEnvelope, type Answer } from '../http/answers';
import type { ServiceRequest } from '../http/service-request';
import type { PublicKeys } from './public-keys';

/**
 * Checks the signature of a payout or remittance over the raw literals of its body.
 *
 * Where a signed field is missing or is neither text nor number there is nothing to check: the field check answers.
 * @returns the refusal; null where the signature is right, or none is asked for
 * @source payments-service-interface, part 5.5; design 5
 */
export async function checkSignature(
  { keys }: { keys: PublicKeys },
  product: Product,
  request: ServiceRequest,
  finder: SignedFieldFinder,
): Promise<Answer | null> {
  if (product === 'collection' || !finder.kinds.every(isSignable)) return null;
  const signature = readSignature(keys, request);
  if (typeof signature === 'string') return refuse(signature);
  if (await keys.verify(joinSignedFields(finder).text, signature)) return null;
  return refuse(
    'X-Custom-Signature does not verify against the string to sign of this body with any registered key.',
  );
}

function refuse(reason: string): Answer {
  return answerEnvelope('authentication', 'signature', reason);
}

function isSignable(kind: number): boolean {
  return kind === JSON_STRING || kind === JSON_NUMBER;
}

/** Gives the raw signature, or the reason why it cannot be checked. */
function readSignature(keys: PublicKeys, request: ServiceRequest): Buffer | string {
  const { signature } = request;
  if (signature === undefined || signature === '') return request.describeNoSignature();
  const bytes = Buffer.from(signature, 'base64');
  // What is not standard Base64 does not come back as it was.
  if (bytes.toString('base64') !== signature) {
    if (signature.includes(','))
      return 'X-Custom-Signature is there more than once, or holds a comma: send it once, with the Base64 alone.';
    return 'X-Custom-Signature is not standard Base64 (letters, digits, + and /, padded with =, in one line).';
  }
  return keys.list().length > 0
    ? bytes
    : 'No public key is registered, so no signature can be checked. Register the SPKI PEM of your key first.';
}
