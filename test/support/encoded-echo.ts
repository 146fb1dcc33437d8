import { gzipSync } from 'node:zlib';
import fc from 'fast-check';

/** A secret, and a writing in which a service may send it back. */
export interface Echo {
  secret: string;
  echo: string;
  /** What was done to it, the innermost first. */
  ways: string[];
}

type Way = readonly [name: string, write: (text: string) => string];

const perCharacter = (write: (code: string) => string) => (text: string) =>
  [...text].map((one) => write(one.charCodeAt(0).toString(16).padStart(2, '0'))).join('');

/** What stands in messages as another text of letters: an envelope around what it holds. */
const envelopes: readonly Way[] = [
  ['Base64', (text) => Buffer.from(text).toString('base64')],
  ['URL-safe Base64', (text) => Buffer.from(text).toString('base64url')],
  ['hex', (text) => Buffer.from(text).toString('hex')],
  ['capital hex', (text) => Buffer.from(text).toString('hex').toUpperCase()],
  ['gzip in Base64', (text) => gzipSync(text).toString('base64')],
  [
    'Base64 in lines',
    (text) =>
      Buffer.from(text)
        .toString('base64')
        .replace(/.{76}(?=.)/g, '$&\r\n'),
  ],
];

/** How characters are written where they have a meaning of their own. */
const escapes: readonly Way[] = [
  ['percent', encodeURIComponent],
  ['percent everywhere', perCharacter((code) => `%${code}`)],
  ['JSON', (text) => JSON.stringify(text)],
  ['JSON with slashes escaped', (text) => JSON.stringify(text).replaceAll('/', '\\/')],
  ['Unicode escapes', perCharacter((code) => `\\u00${code}`)],
  ['as it is', (text) => text],
];

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=';

/** As what is drawn for a service is: one letter many times is packed into a few bytes. */
const isVaried = (secret: string): boolean => new Set(secret).size >= 16;

/**
 * Draws echoes of secrets: up to three envelopes, the text in each escaped, and something else before and after it.
 */
export function drawEcho(): fc.Arbitrary<Echo> {
  const some = fc.string({ maxLength: 5, unit: fc.constantFrom(...'ab:{"1 é') });
  return fc
    .tuple(
      fc.string({ minLength: 24, maxLength: 60, unit: fc.constantFrom(...ALPHABET) }).filter(isVaried),
      fc.array(fc.tuple(fc.constantFrom(...escapes), fc.constantFrom(...envelopes), some, some), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([secret, layers]) => {
      const ways: string[] = [];
      let echo = secret;
      for (const [[escapeName, escape], [envelopeName, wrap], before, after] of layers) {
        ways.push(escapeName, envelopeName);
        echo = wrap(before + escape(echo) + after);
      }
      return { secret, echo, ways };
    });
}

/** Says what of an echo is left in a text: the middle of each of its lines betrays the secret. */
export function findEcho({ secret, echo }: Echo, text: string): string[] {
  const lines = echo.split('\r\n').filter((line) => line.length >= 40);
  const middles = lines.map((line) => line.slice(line.length / 2 - 10, line.length / 2 + 10));
  return [secret, ...middles].filter((trace) => text.includes(trace));
}
