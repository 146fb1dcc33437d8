import { findTextEnd, readJsonText } from '@shared/mask-nested';
import { maskSecrets } from '@shared/mask-secrets';
import { rememberShort } from '@shared/remember-short';
import { maskSecret } from '@shared/secrets';
import { findEncoded, startUnpacking, type SecretPlace, type UnpackingBudget } from './encoded-reading';
import { MAY_BE_ESCAPED, unescape, unescapeText } from './escaped-reading';
import { readBetweenSeparators, readListsOfBytes, squeezeForms, type PlacedText } from './separated-reading';
import { encodeForUrl } from '@shared/encode-for-url';

/**
 * Masks secrets in a text that is kept and shown: those that are known, in whatever writing they come back, and what is
 * secret by its name.
 *
 * Everything else stays byte for byte. Takes time in proportion to the text, whatever stands in it.
 * @param secrets - values, or patterns (with the flag `g`, bounded in what they match) of values; of very many the first are
 *   sought in all writings, the others as they are
 */
export function maskKnownSecrets(text: string, secrets: readonly (string | RegExp)[]): string {
  return createSecretMask(secrets)(text);
}

/** `maskKnownSecrets` for many texts: what is sought is worked out once. */
export function createSecretMask(secrets: readonly (string | RegExp)[]): SecretMask {
  const known = recentMasks.find((one) => isSameList(one.secrets, secrets));
  if (known !== undefined) return known.mask;
  const mask = rememberShort(makeSecretMask(secrets));
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

/** Of a secret that begins with another one the rest would stay. */
const longestFirst = (forms: readonly string[]): string[] =>
  [...new Set(forms)].sort((a, b) => b.length - a.length);

/** More come from whoever wants the search for them to last: an answer, or a file, that lists hundreds of thousands. */
const MOST_SOUGHT = 500;

function makeSecretMask(secrets: readonly (string | RegExp)[]): SecretMask {
  const values = new Set(secrets.filter((secret) => typeof secret === 'string'));
  if (values.size <= MOST_SOUGHT) return makeThoroughMask(secrets);
  const others = new Set([...values].slice(MOST_SOUGHT));
  const mask = makeThoroughMask(
    secrets.filter((secret) => typeof secret !== 'string' || !others.has(secret)),
  );
  return (text) => mask(maskWords(text, others));
}

/** What ends a word: blanks and signs, once with `:` and `=` and once without. One character a match: a pattern of words goes back in long ones. */
const SEPARATORS = [/[\s"'<>&,;(){}[\]\\]/g, /[\s"'<>&,;(){}[\]\\:=]/g];

/** Masks each text and word that is one of many secrets: however many these are, each is looked up once. */
function maskWords(text: string, secrets: ReadonlySet<string>): string {
  return SEPARATORS.reduce(
    (rest, separator) => maskBetween(rest, separator, secrets),
    maskTexts(text, secrets),
  );
}

/** Masks what is a secret from one separator to the next. */
function maskBetween(text: string, separator: RegExp, secrets: ReadonlySet<string>): string {
  const pieces: string[] = [];
  let kept = 0;
  const mask = (start: number, end: number): void => {
    const word = text.slice(start, end);
    if (!secrets.has(word)) return;
    pieces.push(text.slice(kept, start), maskSecret(word));
    kept = end;
  };
  let start = 0;
  for (const { index } of text.matchAll(separator)) {
    if (index > start) mask(start, index);
    start = index + 1;
  }
  mask(start, text.length);
  return kept === 0 ? text : pieces.join('') + text.slice(kept);
}

/** Masks each text of JSON that is a secret, the last of them cut off or not. */
function maskTexts(text: string, secrets: ReadonlySet<string>): string {
  const pieces: string[] = [];
  let kept = 0;
  for (let at = text.indexOf('"'); at !== -1;) {
    const end = findTextEnd(text, at + 1, '"');
    const whole = text.slice(at + 1, end);
    const written = end === text.length ? whole.replace(/\\$/, '') : whole;
    if (secrets.has(readJsonText(written))) {
      pieces.push(text.slice(kept, at), `"${maskSecret(written)}"`);
      kept = Math.min(end + 1, text.length);
    }
    at = text.indexOf('"', end + 1);
  }
  return pieces.join('') + text.slice(kept);
}

function makeThoroughMask(secrets: readonly (string | RegExp)[]): SecretMask {
  const known = secrets.flatMap((secret) => (secret instanceof RegExp ? [] : [recallForms(secret)]));
  const forms = longestFirst(known.flatMap(({ written }) => written));
  const squeezedForms = longestFirst(known.flatMap(({ squeezed }) => squeezed));
  const patterns = secrets.filter((secret) => secret instanceof RegExp);
  const maskWritings = (text: string): string => {
    const plain = patterns.reduce(
      (rest, pattern) => rest.replace(pattern, (found) => maskSecret(found)),
      forms.reduce((rest, form) => (rest.includes(form) ? maskForm(rest, form) : rest), text),
    );
    return maskSeparated(maskEscaped(plain, forms, patterns), forms, squeezedForms);
  };
  const maskWithin = createInnerMask(secrets, maskWritings);
  const maskNamed = createNamedMask(secrets);
  return (text) => maskWithin(maskWritings(maskNamed(text)));
}

const IS_NUMBER = /^\d+$/;
/** Behind the quote that ends a name: one that begins a text has a colon, a comma, a bracket or a blank before it. */
const memberOf = (number: string): RegExp =>
  new RegExp(`${number}(?<=[^\\\\:,[{\\s]"\\s{0,20}:\\s{0,20}${number})(?=\\s{0,20}[,}])`, 'g');

/** Masks a form wherever it stands. A member's number becomes a text: what was JSON stays JSON. */
function maskForm(text: string, form: string): string {
  const mask = maskSecret(form);
  const rest = IS_NUMBER.test(form) ? text.replace(memberOf(form), () => `"${mask}"`) : text;
  return rest.replaceAll(form, () => mask);
}

/** What a value that stands beside its name may end at. */
const ENDS_VALUE = /[^\w+/=.~-]/;
/** Signs for private use: one stands for each secret that was found. */
const [FIRST_SIGN, MOST_SIGNS] = [0xe000, 6400];

const escapeInJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/**
 * Masks what is secret by its name. A secret with a blank or a quote in it is one sign meanwhile: masked up to there by
 * its name, it would not be found any more, and its rest would stay.
 */
function createNamedMask(secrets: readonly (string | RegExp)[]): SecretMask {
  const broken = secrets.filter((secret) => typeof secret === 'string' && ENDS_VALUE.test(secret));
  const forms = longestFirst(
    broken.flatMap((secret) => recallForms(secret as string).written).flatMap(listEscaped),
  );
  if (forms.length === 0) return (text) => maskSecrets(text);
  return (text) => {
    const found = forms.filter((form) => text.includes(form)).slice(0, MOST_SIGNS);
    if (found.length === 0) return maskSecrets(text);
    const signs = chooseSigns(text);
    const whole = found.reduce((rest, form, index) => rest.replaceAll(form, () => signs[index]!), text);
    return found.reduce(
      (rest, form, index) =>
        rest
          .replaceAll(signs[index]!, () => form)
          .replaceAll(encodeForUrl(signs[index]!), () => encodeForUrl(form)),
      maskSecrets(whole),
    );
  };
}

/** Those first that the text itself does not have: what stood there would be taken for a secret. */
function chooseSigns(text: string): string[] {
  const all = Array.from({ length: MOST_SIGNS }, (_one, index) => String.fromCharCode(FIRST_SIGN + index));
  const own = new Set(text.match(/[\ue000-\uf8ff]/g));
  for (const [written] of text.matchAll(/%(?:EE|EF)%[89AB][0-9A-F]%[89AB][0-9A-F]/gi))
    own.add(decodeURIComponent(written));
  return [...all.filter((sign) => !own.has(sign)), ...all.filter((sign) => own.has(sign))];
}

/** As it stands in a text, in JSON, and in JSON within JSON. */
function listEscaped(form: string): string[] {
  const inJson = escapeInJson(form);
  return [form, inJson, escapeInJson(inJson)];
}

/** Base64 in Base64, packed or not: a log in an envelope in an envelope. */
const MOST_ENVELOPES = 3;

/** Masks each text in Base64 or hex within which something would be masked. */
function createInnerMask(
  secrets: readonly (string | RegExp)[],
  maskWritings: (text: string) => string,
): SecretMask {
  const sizes = secrets.flatMap((secret) => (secret instanceof RegExp ? [] : [Buffer.byteLength(secret)]));
  const long = sizes.filter((sizeBytes) => sizeBytes >= SHORTEST_ENCODED);
  if (long.length === 0) return (text) => text;
  const shortest = Math.min(...long);
  const hasMoreLetters = secrets.some((secret) => typeof secret === 'string' && BEYOND_ASCII.test(secret));
  const findToDepth = (text: string, budget: UnpackingBudget, depth: number): SecretPlace[] =>
    findEncoded(text, { shortest, hasMoreLetters }, budget, (decoded) => {
      if (maskWritings(decoded) !== decoded) return true;
      return depth > 1 && findToDepth(decoded, budget, depth - 1).length > 0;
    });
  return (text) => cutOut(text, null, findToDepth(text, startUnpacking(), MOST_ENVELOPES));
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** A shorter text would be found by chance in another's Base64. */
const SHORTEST_ENCODED = 8;

/** The same secrets, hundreds maybe, are looked for in text after text, beside one that each answer has of its own. */
const MOST_RECALLED_CHARACTERS = 100_000;
const recalled = new Map<string, SoughtForms>();
let recalledCharacters = 0;

/** What is sought of one secret: in a text as it is, and in one without its separators. */
interface SoughtForms {
  readonly written: readonly string[];
  readonly squeezed: readonly string[];
}

function recallForms(secret: string): SoughtForms {
  const known = recalled.get(secret);
  if (known !== undefined) return known;
  if (recalledCharacters > MOST_RECALLED_CHARACTERS) {
    recalled.clear();
    recalledCharacters = 0;
  }
  const written = [...new Set(listForms(secret))];
  const forms = { written, squeezed: squeezeForms(written) };
  recalled.set(secret, forms);
  recalledCharacters += secret.length;
  return forms;
}

/** Signs that others write in their own way within a text: a form its blanks, SQL and CSV their quotes. */
const REWRITTEN: readonly (readonly [sign: string, written: string])[] = [
  [' ', '+'],
  ["'", "''"],
  ['"', '""'],
];

/** How a secret may come back: its letters as they are, composed, decomposed, read byte by byte as Latin-1, or all capital or small. */
function listForms(secret: string): string[] {
  if (secret === '') return [];
  const rewritten = REWRITTEN.filter(([sign]) => secret.includes(sign));
  const spellings = [
    ...[secret, secret.normalize('NFC'), secret.normalize('NFD')],
    ...rewritten.map(([sign, written]) => secret.replaceAll(sign, written)),
  ];
  const misread = spellings.map((one) => Buffer.from(one, 'utf8').toString('latin1'));
  const recased = secret.length < SHORTEST_RECASED ? [] : [secret.toUpperCase(), secret.toLowerCase()];
  return [...[...new Set([...spellings, ...misread])].flatMap(listEncodings), ...recased];
}

/** A shorter one may be a word: that, in other letters, is no secret. */
const SHORTEST_RECASED = 12;

/** As it is, in hex, or within something in Base64. */
function listEncodings(secret: string): string[] {
  if (secret.length < SHORTEST_ENCODED) return [secret];
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((shift) => encodeWithin(bytes, shift));
  const urlSafe = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [secret, encodeForUrl(secret), hex, hex.toUpperCase(), ...base64, ...urlSafe];
}

/**
 * Gives the Base64 characters that bytes alone decide, where `shift` bytes (modulo 3) stand before them: those at the
 * edges depend on the neighbours.
 */
function encodeWithin(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/(?<!=)=+$/, '');
  const isOpen = (shift + bytes.length) % 3 !== 0;
  return text.slice(shift === 0 ? 0 : shift + 1, isOpen ? -1 : undefined);
}

/** JSON in a form in JSON: each round takes one layer of escapes off. */
const MOST_LAYERS = 3;

/** Masks what is found only once its characters or bytes are read past what separates them. */
function maskSeparated(text: string, forms: readonly string[], squeezedForms: readonly string[]): string {
  const maskFound = (whole: string, found: ReturnType<typeof readListsOfBytes>): string =>
    found === null ? whole : cutOut(whole, found.reading, findAll(found.reading.text, found.forms, []));
  const rest = maskFound(text, readBetweenSeparators(text, squeezedForms));
  return maskFound(rest, readListsOfBytes(rest, forms));
}

/** Masks what is found only once escapes, and the zero bytes of UTF-16, are taken off. */
function maskEscaped(text: string, forms: readonly string[], patterns: readonly RegExp[]): string {
  // Most texts are done with here: nothing is prepared for them.
  if (!MAY_BE_ESCAPED.test(text)) return text;
  const sought = forms.map(unescapeText);
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
): { reading: PlacedText; places: SecretPlace[] } | null {
  let reading: PlacedText | null = null;
  for (let layer = 0; layer < MOST_LAYERS && MAY_BE_ESCAPED.test(reading?.text ?? text); layer += 1) {
    reading = unescape(reading ?? text);
    const places = findAll(reading.text, forms, patterns);
    if (places.length > 0) return { reading, places };
  }
  return null;
}

/** Finds all, in order and without overlaps. */
function findAll(text: string, forms: readonly string[], patterns: readonly RegExp[]): SecretPlace[] {
  const found: SecretPlace[] = [];
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

/** @param reading - null: places are those of the text itself */
function cutOut(text: string, reading: PlacedText | null, found: readonly SecretPlace[]): string {
  if (found.length === 0) return text;
  const pieces: string[] = [];
  let kept = 0;
  for (const { from, to, secret } of found) {
    pieces.push(text.slice(kept, reading?.starts[from] ?? from), maskSecret(secret));
    kept = reading?.ends[to - 1] ?? to;
  }
  return pieces.join('') + text.slice(kept);
}
