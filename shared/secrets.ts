import { rememberShort } from './remember-short';

/**
 * What carries a secret, by name, and how a secret is shown: the one place that logs, history, exports and previews ask.
 */

/** Headers whose value proves who is asking, whatever it looks like. */
const credentialHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** One of them as what stands in front of a service hands it on: `X-Original-Authorization`, `X-Forwarded-Cookie`. */
const FORWARDED = /^x-.{1,80}-(?:authorization|(?:set-)?cookie)$/i;

/** Last word of a name whose value is a secret, however the words before it are joined. */
const secretWords =
  'secrets?|pass[_-]?phrase|pass[_-]?words?|pass[_-]?code|passwd|pwd|pass[_-]?word[_-]?hash|pass[_-]?key|token|credentials?|sess(?:ion)?[_-]?id|secret[_-]?id|' +
  '(?:private|api|access|account|auth|master|signing|secret|hmac|encryption|subscription|session)[_-]?keys?(?:[_-]?pem)?|access[_-]?key[_-]?id|' +
  // What signs an address of Amazon's and Google's stores is all that it takes to open it.
  '(?:amz|goog)[_-]signature|' +
  // With a word before it, it names what was begun: `checkout_session`; `sid` alone names an account or a sender.
  '(?<![\\w.-])(?:x-)?session|' +
  // Too short to be the end of another word: `shipping` is none.
  '(?<![a-z])(?:pass|pin|otp|bearer|jwt|auth|authentication|sig)';

/** Source of a pattern for such a name, numbered ones included, to be built into others; matches without regard to case. */
export const secretNameSource = `[\\w.-]{0,80}(?:${secretWords})(?:[_-]?\\d{1,3})?`;

const secretName = new RegExp(`^${secretNameSource}$`, 'i');

/** Every name of a secret has one of these: most have none, and are done with at once. */
const parts = 'secret|pass|pwd|token|credential|key|sess|auth|cookie|pin|otp|bearer|jwt|sig';
const MAY_BE_SECRET = new RegExp(parts, 'i');

/** One of them, an escape that may hide one, `//…@`, or a user's name and password: most texts have none, too. */
export const MAY_HOLD_SECRET = new RegExp(
  `${parts}|\\\\u|%|/\\\\?/[^\\s"/]{0,700}@|-U\\b|-[a-z]{0,9}u|-user`,
  'i',
);

function isNamed(name: string): boolean {
  if (!MAY_BE_SECRET.test(name)) return false;
  return secretName.test(name.trim().replace(/([a-z\d])([A-Z])/g, '$1_$2'));
}

/** Tells whether a field, variable or setting of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return isNamed(name) || isCredentialHeader(name);
}

/** Tells whether a header of this name holds a credential: a token, a password, a session. */
export const isCredentialHeader = rememberShort((name) => {
  const trimmed = name.trim();
  return credentialHeaders.has(trimmed.toLowerCase()) || FORWARDED.test(trimmed) || isNamed(trimmed);
});

/** A word of letters, and those with signs in them that are in use: `OAuth2.0`, `AWS4-HMAC-SHA256`, `Zoho-oauthtoken`. */
const SCHEME =
  /^(?:[a-z]+|oauth-?(?:2\.\d|1(?:\.\d)?a?)|(?:[a-z]+\d?-){0,2}(?:hmac|rsa)-sha-?\d{1,3}|zoho-oauthtoken|klaviyo-api-key) +(?=\S)/i;

/**
 * Splits the value of a credential header into its scheme (`Bearer `, blank included; empty without one) and the
 * credential itself.
 */
export function splitCredential(value: string): { scheme: string; credential: string } {
  const [scheme = ''] = SCHEME.exec(value) ?? [];
  return { scheme, credential: value.slice(scheme.length) };
}

/** A token is longer; of a password half would be told. */
const SHORTEST_SECRET_WITH_ENDS = 20;
const SHORTEST_NAME_WITH_ENDS = 12;

const HIDDEN = '•'.repeat(8);
/** What ends a text of JSON or a script, and half of a character. */
const BREAKING = /["'`\\\p{Cc}\p{Cs}]/u;

function showEnds(value: string, shortest: number): string {
  if (value.length < shortest) return HIDDEN;
  const ends = `${value.slice(0, 4)}…${value.slice(-4)}`;
  return BREAKING.test(ends) ? HIDDEN : ends;
}

/** Shows the ends of a value that is long enough to spare them. Those of Basic would tell how user and password begin and end. */
export function maskSecret(value: string): string {
  const isShort = value.length < SHORTEST_SECRET_WITH_ENDS;
  return showEnds(isShort || isPair(value) ? '' : value, SHORTEST_SECRET_WITH_ENDS);
}

/** What Basic makes of a user and a password. Longer ones are tokens. */
const BASIC = /^[A-Za-z\d+/_-]{1,1000}={0,2}$/;
/** Bytes of a text, read one by one, with a colon. */
const PAIR = /^[\x20-\x39\x3b-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]*$/;

function isPair(value: string): boolean {
  if (!BASIC.test(value)) return false;
  const digits = value.replace(/=/g, '').replace(/-/g, '+').replace(/_/g, '/');
  // Asked first: of a text that holds many values, what `atob` throws takes longer than all else.
  return digits.length % 4 !== 1 && PAIR.test(atob(digits));
}

/** Shows the ends of what is known beside a secret and proves nothing without it: a consumer key. */
export function maskName(value: string): string {
  return showEnds(value, SHORTEST_NAME_WITH_ENDS);
}

/** Tells whether something in a text may have been masked: what stands there is then not what came. */
export function hasMask(text: string): boolean {
  return /…|•{8}|%E2%80%A6|(?:%E2%80%A2){8}/.test(text);
}
