import { maskSecret, secretNameSource } from '@shared/secrets';

/** Members whose value is a secret, wherever they stand in a JSON text. */
const SECRET_MEMBER = new RegExp(`("${secretNameSource}"\\s*:\\s*")((?:[^"\\\\]|\\\\.)*)(")`, 'gi');

/**
 * Masks secrets in a body that is kept and shown: tokens that were sent, and members that are secret by name.
 *
 * Everything else stays byte for byte.
 */
export function maskBody(text: string, secrets: readonly string[]): string {
  const byName = text.replace(SECRET_MEMBER, (_whole, before: string, value: string, after: string) =>
    value === '' || value.includes('{{')
      ? `${before}${value}${after}`
      : `${before}${maskSecret(value)}${after}`,
  );
  return secrets.reduce(
    (rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, maskSecret(secret))),
    byName,
  );
}
