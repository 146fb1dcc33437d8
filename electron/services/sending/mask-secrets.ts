import { maskSecret } from '../vault/vault-credentials';

/** Members whose value is a secret, wherever they stand in a JSON text. */
const SECRET_MEMBER =
  /("(?:access_token|refresh_token|id_token|consumer_secret|client_secret|passphrase|password)"\s*:\s*")((?:[^"\\]|\\.)*)(")/g;

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
