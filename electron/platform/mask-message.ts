import { isUtf8 } from 'node:buffer';
import { maskHeader, maskSecrets } from '@shared/mask-secrets';
import { isCredentialHeader, splitCredential } from '@shared/secrets';
import { createSecretMask } from './mask-known-secrets';
import { BASE64_SIGN } from './redact';

/** Kept of all headers of one message together. */
const MOST_HEADER_CHARACTERS = 16 * 1024;
/** Shorter texts stand in too many places by accident. */
const SHORTEST_SECRET = 8;
const PLAIN_MASK = '********';

/** Masks what must not be kept in a text. */
export type Hide = (text: string) => string;

/** A token of this or another service, whoever it was issued to. */
const JWT = /\beyJ[\w-]{5,4000}\.[\w-]{5,4000}(?:\.[\w-]{0,4000})?/g;
/** A key that webhooks are signed with, whosever it is. */
const WEBHOOK_KEY = new RegExp(`\\bwhs(?:ec|k)_${BASE64_SIGN}{16,200}`, 'g');
const BASIC = new RegExp(`\\bBasic +${BASE64_SIGN}{8,16384}`, 'gi');

/** Masks what is secret by its name, tokens, what follows `Basic`, and the values given wherever they stand. */
export function createHiding(secrets: readonly string[]): Hide {
  const mask = createSecretMask([
    ...secrets.filter(({ length }) => length >= SHORTEST_SECRET),
    JWT,
    WEBHOOK_KEY,
  ]);
  return recallShort((text) => mask(text).replace(BASIC, () => `Basic ${PLAIN_MASK}`));
}

const MOST_RECALLED = 200;
const LONGEST_RECALLED = 500;

/** Remembers what became of short texts: of a thousand messages of one client the headers are nearly all the same. */
function recallShort(hide: Hide): Hide {
  const recalled = new Map<string, string>();
  return (text) => {
    if (text.length > LONGEST_RECALLED) return hide(text);
    const known = recalled.get(text);
    if (known !== undefined) return known;
    if (recalled.size >= MOST_RECALLED) recalled.clear();
    const hidden = hide(text);
    recalled.set(text, hidden);
    return hidden;
  };
}

/** Makes hidings that last as long as the secrets that they are asked for stay the same, as those of one client do. */
export function createHidingBySecrets(): (secrets: readonly string[]) => Hide {
  let last: { readonly secrets: readonly string[]; readonly hide: Hide } | null = null;
  return (secrets) => {
    if (
      last?.secrets.length !== secrets.length ||
      secrets.some((secret, at) => secret !== last?.secrets[at])
    ) {
      last = { secrets: [...secrets], hide: createHiding(secrets) };
    }
    return last.hide;
  };
}

/** Tokens and passwords that the request itself proves who it is with: an echo of one is as secret. */
export function readCredentials(fields: readonly string[]): string[] {
  const found: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    if (isCredentialHeader(fields[index]!)) found.push(splitCredential(fields[index + 1]!).credential);
  }
  return found;
}

/** Keeps headers, their credentials masked; of endless ones the first. */
export function keepHeaders(fields: readonly string[], hide: Hide): [string, string][] {
  const kept: [string, string][] = [];
  let left = MOST_HEADER_CHARACTERS;
  for (let index = 0; index < fields.length && left > 0; index += 2) {
    const name = hide(fields[index]!).slice(0, 200);
    const whole = fields[index + 1]!;
    const value = (isCredentialHeader(fields[index]!) ? maskHeader(name, whole) : hide(whole)).slice(0, left);
    kept.push([name, value]);
    left -= name.length + value.length;
  }
  return kept;
}

/** What is compressed may hold anything, and unpacks to any size. */
export function isCompressed(headers: readonly string[], body: Buffer): boolean {
  if (body.length === 0) return false;
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-encoding');
  const isNamed = at !== -1 && headers[at + 1]!.trim().toLowerCase() !== 'identity';
  return isNamed || (body[0] === 0x1f && body[1] === 0x8b) || isZlib(body);
}

/** By its checksum; a text may begin with the same two letters. */
function isZlib(body: Buffer): boolean {
  return body.length > 8 && body[0] === 0x78 && body.readUInt16BE(0) % 31 === 0 && !isUtf8(body);
}

/** What stands in place of a compressed body. */
export const describeCompressed = (sizeBytes: number): string => `compressed, ${sizeBytes} bytes`;

/** Looked at beyond what is kept: as long as a secret may be that begins before the cut. */
const MOST_SECRET_BYTES = 16 * 1024;

/**
 * Bytes stay as they are but for what is masked in them; masked before they are cut, so that no half of a secret is left.
 *
 * @param isSizeAlone - nothing is kept of them but how many they are
 */
export function keepBody(
  bytes: Buffer,
  hide: Hide,
  mostBytes: number,
  isSizeAlone = false,
): { bytes: Buffer; isMasked: boolean } {
  if (isSizeAlone) return { bytes: Buffer.from(describeCompressed(bytes.length)), isMasked: true };
  const isText = isUtf8(bytes);
  const looked = bytes.subarray(0, mostBytes + MOST_SECRET_BYTES);
  const text = looked.toString(isText ? 'utf8' : 'latin1');
  // The characters of a mask are none of Latin-1.
  const hidden = isText ? hide(text) : hide(maskSecrets(text, () => PLAIN_MASK)).replace(/[…•]/g, '*');
  const isMasked = hidden !== text;
  const kept = isMasked ? Buffer.from(hidden, isText ? 'utf8' : 'latin1') : looked;
  // Masks are short: what was looked at for its beginning alone must not move to where it is kept.
  const unsureBytes = looked.length < bytes.length ? MOST_SECRET_BYTES : 0;
  const keptBytes = Math.max(0, Math.min(mostBytes, kept.length - unsureBytes));
  return { bytes: Buffer.from(kept.subarray(0, keptBytes)), isMasked };
}
