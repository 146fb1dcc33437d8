import type { HandlersOf } from '@shared/contract/contract';
import { readNamed } from '@shared/json/name-foreign';
import { findBase64Fault } from '@shared/signing/base64';
import { lintFound } from '@shared/signing/lints';
import { findSignedFields } from '@shared/signing/signed-fields';
import { joinSignedFields, readStringToSign } from '@shared/signing/string-to-sign';
import { digestHex, readModulusBytes, signText, verifyText } from '../../platform/crypto/rsa-signatures';
import type { KeySource } from './key-source';
import { createPublicKeyResolver } from './public-keys';

/** The signing service: string to sign, signature, strict verification. */
export interface SigningService {
  readonly handlers: HandlersOf<'signing'>;
}

/**
 * Creates the signing service over a vault.
 *
 * Private keys are asked for at each call and never kept here: a locked vault stops signing at once.
 */
export function createSigningService(keys: KeySource): SigningService {
  const resolvePublicKey = createPublicKeyResolver(keys);
  return {
    handlers: {
      async 'signing.sign'({ environment, keyId, body, overrideConfirmation }) {
        const finder = readNamed(body, findSignedFields);
        const { text, spans } = joinSignedFields(finder);
        const key = await keys.getSigningKey(environment, keyId, overrideConfirmation);
        return {
          stringToSign: text,
          sizeBytes: Buffer.byteLength(text),
          digestHex: digestHex(text),
          signature: signText(text, key.privateKey),
          keyId: key.id,
          keyName: key.name,
          keyFingerprint: key.fingerprint,
          spans,
          warnings: lintFound(body, finder),
        };
      },
      async 'signing.verify'({ body, signature, publicKeyPem, keyId }) {
        const { text } = readNamed(body, readStringToSign);
        const { key } = await resolvePublicKey({ publicKeyPem, keyId });
        const valid = verifyText(text, signature, key);
        return { valid, stringToSign: text, reason: explain(valid, signature, readModulusBytes(key)) };
      },
    },
  };
}

function explain(valid: boolean, signature: string, modulusBytes: number): string {
  if (valid) return 'The signature was made with the private half of this key over this string.';
  const fault = findBase64Fault(signature);
  if (fault !== null) return fault;
  const size = Buffer.byteLength(signature, 'base64');
  if (size !== modulusBytes) {
    return `The signature has ${size} bytes; one made with this key has ${modulusBytes}.`;
  }
  return 'The signature was made with another key, over another string, or in another way. The signature doctor can tell which.';
}
