/**
 * What carries a secret, by name, and how a secret is shown: the one place that logs, history, exports and previews ask.
 */

/** Headers whose value proves who is asking, whatever it looks like. */
const credentialHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** Last word of a name whose value is a secret, however the words before it are joined. */
const secretWords =
  'secret|pass_?phrase|pass_?word|passwd|pwd|pass_?key|token|credential|(?:private|api|access|auth|master|signing)[_-]?key|session_?id';

/** Source of a pattern for such a name, to be built into others; matches without regard to case. */
export const secretNameSource = `[\\w.-]{0,80}(?:${secretWords})`;

const secretName = new RegExp(`^${secretNameSource}$`, 'i');

/** Tells whether a field, variable or setting of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) || isCredentialHeader(name);
}

/** Tells whether a header of this name holds a credential: a token, a password, a session. */
export function isCredentialHeader(name: string): boolean {
  return credentialHeaders.has(name.toLowerCase()) || secretName.test(name);
}

/**
 * Splits the value of a credential header into its scheme (`Bearer `, blank included; empty without one) and the
 * credential itself.
 */
export function splitCredential(value: string): { scheme: string; credential: string } {
  const [, scheme = '', credential = ''] = /^([A-Za-z]+ +(?=\S))?(.*)$/s.exec(value) ?? [];
  return { scheme, credential };
}

/** Shows the ends of a value that is long enough to spare them. */
export function maskSecret(value: string): string {
  if (value.length < 12) return '•'.repeat(8);
  return `${value.slice(0, 4)}…${value.slice(-4)}`;
}
