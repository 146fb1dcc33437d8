import type { SignatureChecks } from '../../electron/sandbox/admission/signature-checks';

/** Waits for the answer of a check. */
export function verifyWith(
  checks: Pick<SignatureChecks, 'verify'>,
  text: string,
  signature: Buffer,
): Promise<boolean> {
  return new Promise((tell) => checks.verify(text, signature, tell));
}
