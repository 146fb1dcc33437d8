import { findSecrets } from '@shared/mask-secrets';
import { isCredentialHeader, splitCredential } from '@shared/secrets';

/**
 * Lists what a request proves itself with, as it was typed: values that are secret by their names in its address, headers
 * and body, the password of Basic, and the values of cookies.
 *
 * A service may repeat each of them anywhere in its answer. One with a variable in it is none yet.
 */
export function listOwnSecrets({
  url,
  headers,
  body,
}: {
  url: string;
  headers: readonly (readonly [string, string])[];
  body: string | null;
}): string[] {
  const found = [...findSecrets(url, headers), ...findSecrets(body ?? ''), ...headers.flatMap(listParts)];
  return [...new Set(found)].filter((value) => !value.includes('{{'));
}

/** A shorter one, or a word, is a choice or a flag, which stands in other words by chance. */
const SHORTEST_COOKIE = 8;
const WORD = /^[a-z]{1,15}$/i;

/** Lists the values of the cookies that an answer sets, which its body may repeat. */
export function listCookies(headers: readonly (readonly [string, string])[]): string[] {
  return headers
    .filter(([name]) => /^set-cookie$/i.test(name))
    .map(([, value]) => readCookie(value.split(';', 1)[0]!))
    .filter((value) => value.length >= SHORTEST_COOKIE && !WORD.test(value));
}

/** Its quotes are none of the value, and a text of JSON around it would lose its own to them. */
const readCookie = (pair: string): string =>
  pair
    .slice(pair.indexOf('=') + 1)
    .trim()
    .replace(/^"(.*)"$/, '$1');

/** Lists what a header's credential is made of. */
function listParts([name, value]: readonly [string, string]): string[] {
  if (isCredentialHeader(name) && /cookie/i.test(name)) {
    return value.split(';').map(readCookie);
  }
  const { scheme, credential } = splitCredential(value);
  if (scheme.trim().toLowerCase() !== 'basic') return [];
  const pair = Buffer.from(credential, 'base64').toString('utf8');
  return pair.includes(':') ? [pair.slice(pair.indexOf(':') + 1)] : [];
}
