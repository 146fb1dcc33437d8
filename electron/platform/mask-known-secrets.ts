import { maskSecrets } from '@shared/mask-secrets';
import { maskSecret } from '@shared/secrets';
import { readSeparated, squeezeForms, type PlacedText } from './separated-reading';

/**
 * Masks secrets in a text that is kept and shown: those that are known, in whatever writing they come back, and what is
 * secret by its name.
 *
 * Everything else stays byte for byte. Takes time in proportion to the text, whatever stands in it.
 * @param secrets - values, or patterns (with the flag `g`, bounded in what they match) of values
 */
export function maskKnownSecrets(text: string, secrets: readonly (string | RegExp)[]): string {
  return createSecretMask(secrets)(text);
}

/** `maskKnownSecrets` for many texts: what is sought is worked out once. */
export function createSecretMask(secrets: readonly (string | RegExp)[]): SecretMask {
  const known = recentMasks.find((one) => isSameList(one.secrets, secrets));
  if (known !== undefined) return known.mask;
  const mask = makeSecretMask(secrets);
  recentMasks.unshift({ secrets: [...secrets], mask });
  recentMasks.length = Math.min(recentMasks.length, MOST_RECENT);
  return mask;
}

type SecretMask = (text: string) => string;

/** Request after request is masked of the same secrets: once as it leaves, once as it is reported. */
const MOST_RECENT = 4;
const recentMasks: { readonly secrets: readonly (string | RegExp)[]; readonly mask: SecretMask }[] = [];

const isSameList = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((one, index) => one === right[index]);

function makeSecretMask(secrets: readonly (string | RegExp)[]): SecretMask {
  const known = secrets.flatMap((secret) => (secret instanceof RegExp ? [] : [recallForms(secret)]));
  const forms = [...new Set(known.flatMap(({ written }) => written))];
  const squeezedForms = [...new Set(known.flatMap(({ squeezed }) => squeezed))];
  const patterns = secrets.filter((secret) => secret instanceof RegExp);
  return (text) => {
    const plain = patterns.reduce(
      (rest, pattern) => rest.replace(pattern, (found) => maskSecret(found)),
      forms.reduce(
        (rest, form) => (rest.includes(form) ? rest.replaceAll(form, () => maskSecret(form)) : rest),
        maskSecrets(text),
      ),
    );
    return maskSeparated(maskEscaped(plain, forms, patterns), forms, squeezedForms);
  };
}

/** A shorter text would be found by chance in another's Base64. */
const SHORTEST_ENCODED = 8;

/** The same few secrets are looked for in text after text. */
const MOST_RECALLED = 20;
const recalled = new Map<string, SoughtForms>();

/** What is sought of one secret: in a text as it is, and in one without its separators. */
interface SoughtForms {
  readonly written: readonly string[];
  readonly squeezed: readonly string[];
}

function recallForms(secret: string): SoughtForms {
  const known = recalled.get(secret);
  if (known !== undefined) return known;
  if (recalled.size >= MOST_RECALLED) recalled.clear();
  const written = [...new Set(listForms(secret))];
  const forms = { written, squeezed: squeezeForms(written) };
  recalled.set(secret, forms);
  return forms;
}

/** How a secret may come back: as it is, in hex, or within something in Base64. */
function listForms(secret: string): string[] {
  if (secret === '') return [];
  if (secret.length < SHORTEST_ENCODED) return [secret];
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((shift) => encodeWithin(bytes, shift));
  const urlSafe = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [secret, encodeURIComponent(secret), hex, hex.toUpperCase(), ...base64, ...urlSafe];
}

/**
 * Gives the Base64 characters that bytes alone decide, where `shift` bytes (modulo 3) stand before them: those at the
 * edges depend on the neighbours.
 */
function encodeWithin(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const isOpen = (shift + bytes.length) % 3 !== 0;
  return text.slice(shift === 0 ? 0 : shift + 1, isOpen ? -1 : undefined);
}

/** JSON in a form in JSON: each round takes one layer of escapes off. */
const MOST_LAYERS = 3;
const MAY_BE_ESCAPED = /[\\%\0]|&(?:#|amp;|lt;|gt;|quot;|apos;)/;
const ENTITY = /&(?:#(\d{1,5})|#[xX]([\da-fA-F]{1,4})|(amp|lt|gt|quot|apos));/y;
const NAMED: Readonly<Record<string, number>> = { amp: 0x26, lt: 0x3c, gt: 0x3e, quot: 0x22, apos: 0x27 };

/** Masks what is found only once its characters or bytes are read past what separates them. */
function maskSeparated(text: string, forms: readonly string[], squeezedForms: readonly string[]): string {
  const separated = readSeparated(text, forms, squeezedForms);
  return separated === null
    ? text
    : cutOut(text, separated.reading, findAll(separated.reading.text, separated.forms, []));
}

/** Masks what is found only once escapes, and the zero bytes of UTF-16, are taken off. */
function maskEscaped(text: string, forms: readonly string[], patterns: readonly RegExp[]): string {
  // Most texts are done with here: nothing is prepared for them.
  if (!MAY_BE_ESCAPED.test(text)) return text;
  const sought = forms.map(unescapeForm);
  let rest = text;
  // What is masked moves all that follows it: the rest is read anew, from its first layer.
  for (let round = 0; round <= MOST_LAYERS; round += 1) {
    const found = findInLayers(rest, sought, patterns);
    if (found === null) return rest;
    rest = cutOut(rest, found.reading, found.places);
  }
  return rest;
}

function findInLayers(
  text: string,
  forms: readonly string[],
  patterns: readonly RegExp[],
): { reading: PlacedText; places: Found[] } | null {
  let reading: PlacedText | null = null;
  for (let layer = 0; layer < MOST_LAYERS && MAY_BE_ESCAPED.test(reading?.text ?? text); layer += 1) {
    reading = unescape(reading ?? text);
    const places = findAll(reading.text, forms, patterns);
    if (places.length > 0) return { reading, places };
  }
  return null;
}

const unescapeForm = (form: string): string => (MAY_BE_ESCAPED.test(form) ? unescape(form).text : form);

/** Takes off `\uXXXX`, `%XX` and what HTML writes for a character; backslashes and zero bytes that are left say nothing. */
function unescape(source: string | PlacedText): PlacedText {
  const text = typeof source === 'string' ? source : source.text;
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  const pieces: string[] = [];
  let count = 0;
  let units: number[] = [];
  for (let at = 0; at < text.length;) {
    const { unit, length } = readUnit(text, at);
    if (unit !== null) {
      starts[count] = typeof source === 'string' ? at : source.starts[at]!;
      ends[count] = typeof source === 'string' ? at + length : source.ends[at + length - 1]!;
      count += 1;
      units.push(unit);
      if (units.length === 4096) {
        pieces.push(String.fromCharCode(...units));
        units = [];
      }
    }
    at += length;
  }
  pieces.push(String.fromCharCode(...units));
  return { text: pieces.join(''), starts, ends };
}

function readUnit(text: string, at: number): { unit: number | null; length: number } {
  const unit = text.charCodeAt(at);
  if (unit === 0) return { unit: null, length: 1 };
  if (unit === 0x25) {
    const byte = readHex(text, at + 1, 2);
    return byte === null ? { unit, length: 1 } : { unit: byte, length: 3 };
  }
  if (unit === 0x26) return readEntity(text, at);
  if (unit !== 0x5c) return { unit, length: 1 };
  const escaped = text.charCodeAt(at + 1) === 0x75 ? readHex(text, at + 2, 4) : null;
  return escaped === null ? { unit: null, length: 1 } : { unit: escaped, length: 6 };
}

function readEntity(text: string, at: number): { unit: number; length: number } {
  ENTITY.lastIndex = at;
  const [whole = '&', decimal, hex, name = 'amp'] = ENTITY.exec(text) ?? [];
  if (decimal !== undefined) return { unit: Number(decimal), length: whole.length };
  return { unit: hex === undefined ? NAMED[name]! : parseInt(hex, 16), length: whole.length };
}

function readHex(text: string, from: number, count: number): number | null {
  let value = 0;
  for (let at = from; at < from + count; at += 1) {
    const digit = '0123456789abcdef'.indexOf(text.charAt(at).toLowerCase());
    if (digit === -1 || at >= text.length) return null;
    value = value * 16 + digit;
  }
  return value;
}

interface Found {
  readonly from: number;
  readonly to: number;
  readonly secret: string;
}

/** Finds all, in order and without overlaps. */
function findAll(text: string, forms: readonly string[], patterns: readonly RegExp[]): Found[] {
  const found: Found[] = [];
  for (const form of forms) {
    if (form === '') continue;
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) {
      found.push({ from: at, to: at + form.length, secret: form });
    }
  }
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      found.push({ from: match.index, to: match.index + match[0].length, secret: match[0] });
    }
  }
  found.sort((left, right) => left.from - right.from);
  let end = 0;
  return found.filter(({ from, to }) => from >= end && ((end = to), true));
}

function cutOut(text: string, { starts, ends }: PlacedText, found: readonly Found[]): string {
  const pieces: string[] = [];
  let kept = 0;
  for (const { from, to, secret } of found) {
    pieces.push(text.slice(kept, starts[from]), maskSecret(secret));
    kept = ends[to - 1]!;
  }
  return pieces.join('') + text.slice(kept);
}
