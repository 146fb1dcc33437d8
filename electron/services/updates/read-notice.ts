import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { parseOrNothing } from '@shared/json/parse-or-nothing';
import { releaseNotice, type ReleaseNotice } from '@shared/updates/release-notice';
import { errorsOf } from '../errors-of';

const UpdatesError = errorsOf<'updates'>();

/** Reads the publisher's public key. @throws {AppError} `updates.bad_key` */
export function readPublisherKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    throw new UpdatesError(
      'updates.bad_key',
      'The public key of updates is no PEM public key. Paste the one that the publisher gave you.',
    );
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new UpdatesError(
    'updates.bad_key',
    `The public key of updates is ${key.asymmetricKeyType ?? 'unknown'}; a release is signed with Ed25519.`,
  );
}

/**
 * Reads a notice whose signature holds; before that nothing of it is looked at.
 *
 * @param bytes - `latest.json` as it came
 * @param signature - `latest.json.sig`: Base64
 * @throws {AppError} `updates.bad_signature`, `updates.bad_notice`
 */
export function readNotice(bytes: Uint8Array, signature: string, key: KeyObject): ReleaseNotice {
  const signed = Buffer.from(signature.trim(), 'base64');
  if (signed.length !== 64 || !verify(null, bytes, key, signed)) {
    throw new UpdatesError(
      'updates.bad_signature',
      'The notice of the latest release is not signed with the key in Settings → Updates. Nothing was taken from it: ask the publisher.',
    );
  }
  const parsed = releaseNotice.safeParse(parseOrNothing(Buffer.from(bytes).toString('utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UpdatesError(
    'updates.bad_notice',
    `The notice of the latest release is signed, but cannot be read: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim(),
  );
}
