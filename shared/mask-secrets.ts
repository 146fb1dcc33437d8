import { mapBesides } from './map-besides';
import { maskExpectations } from './mask-expectations';
import {
  decodeForm,
  findTextEnd,
  maskEncoded,
  maskTextsInJson,
  maskTextsInXml,
  readJsonText,
} from './mask-nested';
import { findPairedValues, splitUser } from './mask-pairs';
import { SCHEME, secretNotations, type SecretNotation } from './secret-notations';
import { isCredentialHeader, isSecretName, maskSecret, MAY_HOLD_SECRET, splitCredential } from './secrets';

/** Writes what stands in the place of a value; `name` is that of its field. */
type Mask = (value: string, name: string) => string;

/** JSON: "name": and what follows; 'name': as scripts write it, too. */
const JSON_NAME = /"((?:[^"\\]|\\.){1,200})"\s*(?::|=>)\s*|'((?:[^'\\]|\\.){1,200})'\s*(?::|=>)\s*/g;
/** What holds another text, which may hold another. */
const HOLDS_TEXT = /["%]|&(?:lt|quot|amp|#34);/;
/** JSON in JSON in JSON comes about where logs are sent on; deeper ones are made to deceive. */
const MOST_LEVELS = 4;
/** Names may be the values of names (`a=b:c=…`): several notations read each anew, so that the cost of levels multiplies. */
const LEVELS_OF_CHAIN = 2;
/** `https://name:password@host`. */
const USER_INFO = /(\/\/[^/?#\s:@"]{0,200}:)([^/?#\s"]{1,400})(?=@)/g;
/** `curl -u name:password`. */
const USER_OPTION =
  /((?:^|[\s"'`])(?:-[a-zA-Z]{0,9}u|-U|--(?:proxy-)?user)[ \t]{0,9}(?:"(?=[^"]*")|'(?=[^']*')|(?!["']))[^\s:"'@/]{0,200}:)((?<="[^\s:"']{0,200}:)[^"\r\n]+|(?<='[^\s:"']{0,200}:)[^'\r\n]+|[^\s"']+)/g;

/**
 * Masks the values in a text that are secret by their name: in JSON, queries, forms, XML and addresses.
 *
 * For what is kept or shown, never for what is signed or sent. Everything else stays byte for byte; a value with a
 * variable in it (`{{…}}`) is no secret yet.
 * @param mask - writes what stands in a value's place
 */
export function maskSecrets(text: string, mask: Mask = maskSecret): string {
  return replaceSecrets(text, mask, '"');
}

/**
 * Puts something else in the place of the values in a text that are secret by their name.
 *
 * @param around - stands around what takes the place of a value of JSON that had no quotes
 * @param levels - texts in texts are looked into so deep; what lies deeper is masked whole
 */
export function replaceSecrets(
  text: string,
  mask: Mask,
  around: '"' | '' = '',
  levels = MOST_LEVELS,
): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  // What nobody writes by accident is not looked into for ever, and not shown either.
  if (levels < (HOLDS_TEXT.test(text) ? 0 : -LEVELS_OF_CHAIN))
    return mayHoldSecretDecoded(text) ? mask(text, 'nested') : text;
  const maskInner = (inner: string, cost = 1): string => replaceSecrets(inner, mask, around, levels - cost);
  // What was masked where it stood within another text is not masked once more.
  const maskValue: Mask = (value, name) => {
    if (/…|^•/.test(value)) return value;
    return value.includes('{{') ? mapBesides(value, (part) => mask(part, name)) : mask(value, name);
  };
  const json = maskJson(maskPairs(maskExpectations(text, maskValue), maskValue, around), maskValue, around);
  const maskNamed = (value: string, name: string): string =>
    isSecretName(name)
      ? maskValue(value, name)
      : value.includes('=')
        ? maskInner(value, LEVELS_OF_CHAIN)
        : value;
  const named = secretNotations.reduce(
    (rest, notation) => maskNotation(rest, notation, maskNamed),
    maskTextsInJson(json, maskInner),
  );
  return maskEncoded(maskTextsInXml(maskTags(named, maskValue), maskInner), maskInner)
    .replace(USER_INFO, (_whole, before: string, value: string) => `${before}${maskValue(value, 'password')}`)
    .replace(
      USER_OPTION,
      (_whole, before: string, value: string) => `${before}${maskValue(value, 'password')}`,
    );
}

/** Escapes alone, and stray percent signs, hide nothing: what they stand for is looked at, however often it is encoded. */
function mayHoldSecretDecoded(text: string): boolean {
  let decoded = text;
  for (let round = 0; round <= MOST_LEVELS; round += 1) {
    const next = decodeForm(decoded.replace(/%(?:25)+/g, '%'));
    if (next === decoded) return MAY_HOLD_SECRET.test(decoded.replaceAll('%', ''));
    decoded = next;
  }
  return true;
}

function maskNotation(
  text: string,
  { pattern, readName = (written) => written, quote }: SecretNotation,
  maskNamed: Mask,
): string {
  if (quote === undefined) {
    return text.replace(
      pattern,
      (whole, _before: string, name: string, _between: string, value: string) =>
        `${whole.slice(0, whole.length - value.length)}${maskNamed(value, readName(name))}`,
    );
  }
  const pieces: string[] = [];
  let kept = 0;
  const findValueEnd = createValueEnd(text, quote);
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const from = pattern.lastIndex;
    const to = findValueEnd(from);
    if (to === null) {
      pattern.lastIndex = found.index + 1;
      continue;
    }
    pieces.push(text.slice(kept, from), maskNamed(text.slice(from, to), readName(found[2]!)));
    kept = pattern.lastIndex = to;
  }
  return pieces.join('') + text.slice(kept);
}

/** Finds where the values in quotes end that begin one behind the other; null: one is empty, or its line ends before it. */
function createValueEnd(text: string, quote: string): (from: number) => number | null {
  // The next of them, from where they were looked for: what many look for is found once.
  let [end, lineEnd] = [-1, -1];
  return (from) => {
    if (end < from) end = findTextEnd(text, from, quote);
    if (lineEnd < from) lineEnd = findLineEnd(text, from);
    // A text that was cut off ends within the value.
    const isClosed = end < text.length && lineEnd >= end;
    const isCutOff = end === text.length && lineEnd === text.length;
    return end > from && (isClosed || isCutOff) ? end : null;
  };
}

const LINE_END = /[\r\n]/g;

function findLineEnd(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(text)?.index ?? text.length;
}

const SCHEME_AHEAD = new RegExp(`^${SCHEME}`, 'i');

/** Masks what stands beside its name as a value of its own. */
function maskPairs(text: string, maskValue: Mask, around: string): string {
  const pieces: string[] = [];
  let kept = 0;
  for (const { from, to, name } of findPairedValues(text)) {
    const mask = (value: string): string => {
      const shown = splitUser(name, value) || SCHEME_AHEAD.exec(value)![0];
      return shown + maskValue(value.slice(shown.length), name);
    };
    pieces.push(text.slice(kept, from), maskScalars(text.slice(from, to), mask, around));
    kept = to;
  }
  return pieces.join('') + text.slice(kept);
}

const TAG = /(<[\w.:-]{1,60})(\s[^<>]{1,2000})>([^<>]*)/g;
const NAMING_ATTRIBUTE = /\s(?:name|key|id|type)\s{0,9}=\s{0,9}["']([^"']{1,200})["']/gi;
const VALUE_ATTRIBUTE = /(\s(?:default-?)?value\s{0,9}=\s{0,9})("[^"]+"|'[^']+')/gi;

/** Masks the value or the content of a tag that names a secret in an attribute: `<add key="ApiKey" value="…"/>`. */
function maskTags(text: string, maskValue: Mask): string {
  return text.replace(TAG, (whole, tag: string, attributes: string, content: string) => {
    const names = [...attributes.matchAll(NAMING_ATTRIBUTE)].map(([, name]) => name!);
    const name = names.find(isSecretName);
    if (name === undefined) return whole;
    const masked = attributes.replace(
      VALUE_ATTRIBUTE,
      (_whole, before: string, quoted: string) =>
        `${before}${quoted[0]}${maskValue(quoted.slice(1, -1), name)}${quoted[0]}`,
    );
    return `${tag}${masked}>${content.trim() === '' ? content : maskValue(content, name)}`;
  });
}

function maskJson(text: string, maskValue: Mask, around: string): string {
  const pieces: string[] = [];
  let kept = 0;
  JSON_NAME.lastIndex = 0;
  for (let found = JSON_NAME.exec(text); found !== null; found = JSON_NAME.exec(text)) {
    const from = JSON_NAME.lastIndex;
    const name = readJsonText(found[1] ?? found[2]!);
    // A text is passed by whole: what looks like a name in it is none.
    if (!isSecretName(name)) {
      if (isQuote(text[from])) JSON_NAME.lastIndex = findTextEnd(text, from + 1, text[from]!) + 1;
      continue;
    }
    const to = isOpening(text[from]) ? findCompositeEnd(text, from) : findScalarEnd(text, from);
    const value = text.slice(from, to);
    pieces.push(
      text.slice(kept, from),
      maskScalars(value, (one) => maskValue(one, name), around),
    );
    kept = JSON_NAME.lastIndex = to;
  }
  return pieces.join('') + text.slice(kept);
}

const isQuote = (character: string | undefined): boolean => character === '"' || character === "'";
const isOpening = (character: string | undefined): boolean => character === '{' || character === '[';

/** Finds the end of what stands at `from`: a text with its quotes, or a number; nothing else is a secret. */
function findScalarEnd(text: string, from: number): number {
  if (isQuote(text[from])) return Math.min(text.length, findTextEnd(text, from + 1, text[from]!) + 1);
  NUMBER.lastIndex = from;
  return from + (NUMBER.exec(text)?.[0].length ?? 0);
}

/** Finds the bracket that ends a list or an object; the end of all where it was cut off. */
function findCompositeEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]!;
    if (isQuote(character)) at = findTextEnd(text, at + 1, character);
    else if (isOpening(character)) depth += 1;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

const NUMBER = /-?\d[\d.eE+-]*/y;

/** Longer than any list of secrets; masked as one. */
const LONGEST_COMPOSITE = 100_000;

/** Masks every text and number of a value, names aside: all that lies under the name of a secret is one. */
function maskScalars(value: string, maskValue: (value: string) => string, around: string): string {
  if (isOpening(value[0]) && value.length > LONGEST_COMPOSITE) return `${around}${maskValue(value)}${around}`;
  const pieces: string[] = [];
  for (let at = 0; at < value.length;) {
    const to = Math.max(at + 1, findScalarEnd(value, at));
    const piece = value.slice(at, to);
    if (isQuote(piece[0])) pieces.push(isNameAt(value, to) ? piece : maskQuoted(piece, maskValue));
    else pieces.push(/^-?\d/.test(piece) ? `${around}${maskValue(piece)}${around}` : piece);
    at = to;
  }
  return pieces.join('');
}

const COLON = /\s*:/y;

function isNameAt(value: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(value);
}

/** A text that was cut off has no quote at its end. */
function maskQuoted(quoted: string, maskValue: (value: string) => string): string {
  const quote = quoted[0]!;
  const end = findTextEnd(quoted, 1, quote);
  return end === 1 ? quoted : `${quote}${maskValue(quoted.slice(1, end))}${quoted.slice(end)}`;
}

/** Masks the value of a header: all of a credential but its scheme, else what is secret by name within it. */
export function maskHeader(name: string, value: string, mask: Mask = maskSecret): string {
  if (!isCredentialHeader(name)) return maskTokens(maskSecrets(value, mask), name, mask);
  const { scheme, credential } = splitCredential(value);
  const isMasked = credential.includes('…') || credential.startsWith('•') || credential.includes('{{');
  return credential === '' || isMasked ? value : `${scheme}${mask(credential, name)}`;
}

/** What is a token by its look: a JWT, or what follows `Bearer` and is no word. A challenge has `name=value` there. */
const TOKEN =
  /\beyJ[\w-]{5,4000}\.[\w-]{5,4000}(?:\.[\w-]{0,4000})?|(?<=\b(?:Bearer|Basic) {1,64})(?=[^\s\d]{0,200}\d)[\w.~+/-]{8,4000}={0,2}(?![\w=])/gi;

function maskTokens(value: string, name: string, mask: Mask): string {
  return value.replace(TOKEN, (token) => mask(token, name));
}

/** Lists the values in a text, and in headers, that are secret by their names, as they are written there. */
export function findSecrets(text: string, headers: readonly (readonly [string, string])[] = []): string[] {
  const found: string[] = [];
  const keep: Mask = (value) => {
    found.push(value);
    return value;
  };
  replaceSecrets(text, keep);
  for (const [name, value] of headers) maskHeader(name, value, keep);
  return found;
}

/** Masks a list of headers, names and order unchanged. */
export function maskHeaders(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers.map(([name, value]) => [name, maskHeader(name, value)]);
}
