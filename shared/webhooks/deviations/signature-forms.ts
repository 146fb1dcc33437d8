import { decodeBase64 } from '../../signing/base64';
import { fromHex } from '../../signing/hex';
import type { WebhookDeviation } from './deviation';

/** Bytes that the header may stand for, and what had to be mended to read them. */
export interface ReadForm {
  readonly bytes: Uint8Array;
  readonly deviations: readonly WebhookDeviation[];
}

const MOST_SIGNATURES = 20;
const PREFIXED = /^(?:t=\d+,)?(v\d+a?|sha-?\d+|md5|hmac(?:-?sha-?\d+)?|s|sig|signature)[=:,](.+)$/i;
const remedy = 'write “v1,” and then the bytes of the signature as standard Base64';

const wrong = (phrase: string): WebhookDeviation => ({ part: 'encoding', phrase, remedy });

/** Lists the ways to read each of the signatures of a header. */
export function listSignatureForms(header: string): ReadForm[] {
  return header
    .trim()
    .split(/\s+/)
    .slice(0, MOST_SIGNATURES)
    .flatMap((one) => {
      const { text, deviations } = takePrefix(one);
      return readText(text).map(({ bytes, deviation }) => ({
        bytes,
        deviations: deviation === null ? deviations : [...deviations, deviation],
      }));
    });
}

function takePrefix(token: string): { text: string; deviations: WebhookDeviation[] } {
  const bare = token.replace(/^["']|["',;]$/g, '');
  if (bare.startsWith('v1,')) {
    const deviations = bare === token ? [] : [wrong('with the signature written in quotes')];
    return { text: bare.slice('v1,'.length), deviations };
  }
  const [, name, text] = PREFIXED.exec(bare) ?? [];
  if (name === undefined || text === undefined)
    return { text: bare, deviations: [wrong('with the signature written without “v1,” in front')] };
  const front = bare.slice(0, bare.length - text.length);
  return { text, deviations: [wrong(`with “${front}” in front of the signature`)] };
}

function readText(text: string): { bytes: Uint8Array; deviation: WebhookDeviation | null }[] {
  const found: { bytes: Uint8Array; deviation: WebhookDeviation | null }[] = [];
  if (isHex(text))
    found.push({ bytes: fromHex(text), deviation: wrong('with the signature written as hex') });
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return found;
  const isStandard = text.length % 4 === 0 && !/[_-]/.test(text);
  const bytes = decodeBase64(text.replace(/-/g, '+').replace(/_/g, '/'));
  const other = /[_-]/.test(text) ? 'as URL-safe Base64' : 'without the “=” at its end';
  found.push({ bytes, deviation: isStandard ? null : wrong(`with the signature written ${other}`) });
  const inner = new TextDecoder().decode(bytes);
  if (isHex(inner))
    found.push({
      bytes: fromHex(inner),
      deviation: wrong('with the signature written as Base64 of the hex text'),
    });
  else if (/^[A-Za-z0-9+/]{20,}={0,2}$/.test(inner))
    found.push({
      bytes: decodeBase64(inner),
      deviation: wrong('with the signature written as Base64 twice'),
    });
  return found;
}

/** The digests that are tried have 16 bytes or more. */
function isHex(text: string): boolean {
  return text.length >= 32 && text.length % 2 === 0 && /^[0-9a-f]+$/i.test(text);
}
