import { encodeForUrl } from '../encode-for-url';
import { ownValue } from '../own-value';

/** Expressions in double braces, as Postman, Bruno and Insomnia have them. */
const expression = /\{\{([^{}\r\n]{1,300})\}\}/g;

/** Made-up values of Postman and Bruno that we make under another name; those of the same name are left out. */
const madeUpValues: Readonly<Record<string, string>> = {
  $guid: '$uuid',
  $randomUUID: '$uuid',
  $randomAlphaNumeric: '$random.alphanumeric 1',
  $randomEmail: '$random.email',
  $randomExampleEmail: '$random.email',
  $randomPassword: '$random.alphanumeric 15',
  $randomBankAccount: '$random.integer 10000000 100000000',
  $randomCreditCardMask: '$random.integer 1000 10000',
  $randomPrice: '$random.integer 0 1000',
  $randomDateRecent: '$isoTimestamp',
};

/** What is written otherwise with us: as it stood in the source, braces included, and as it is here. */
export type Renames = Map<string, string>;

/**
 * Maps what stands between braces; the braces stay.
 * @param renames - takes what became another name
 */
export function mapExpressions(text: string, map: (inner: string) => string, renames?: Renames): string {
  if (!text.includes('{{')) return text;
  return text.replace(expression, (whole, inner: string) => {
    const mapped = map(inner);
    if (mapped !== inner) renames?.set(whole, `{{${mapped}}}`);
    return `{{${mapped}}}`;
  });
}

/** Far longer than an address. */
const LONGEST_FILLED = 10_000;
const MOST_ROUNDS = 5;

/**
 * Fills in what a text has between braces, and what stands in that, for a look at an address.
 *
 * Of values within values only so much is filled in: a thousand times itself is a text that no memory holds.
 */
export function fillVariables(text: string, variables: Readonly<Record<string, string>>): string {
  let filled = text;
  for (let round = 0; round < MOST_ROUNDS && filled.includes('{{'); round++) {
    if (filled.length > LONGEST_FILLED) return filled;
    let room = LONGEST_FILLED;
    filled = filled.replace(/\{\{([^{}]+)\}\}/g, (whole, name: string) => {
      const value = ownValue(variables, name.trim()) ?? whole;
      room -= value.length;
      return room < 0 ? whole : value;
    });
  }
  return filled;
}

/** Gives the name that a variable has with us: its own, wherever ours may be called so. */
export function renameVariable(name: string): string {
  const trimmed = name.trim();
  return /^[\p{L}_]/u.test(trimmed) ? trimmed : `_${trimmed}`;
}

/** Maps an expression of Postman or Bruno: names that we know stay. There blanks within braces belong to a name. */
export function mapCommonExpression(inner: string): string {
  const name = inner.trim();
  // Written by `encodeFilledIn`.
  if (/^%[\p{L}_]/u.test(name)) return `%${mapCommonExpression(name.slice(1))}`;
  if (name.startsWith('$')) return Object.hasOwn(madeUpValues, name) ? madeUpValues[name]! : name;
  const environment = /^process\.env\.(.+)$/.exec(name);
  if (environment !== null) return renameVariable(environment[1] ?? '');
  const sealed = /^vault:(.+)$/.exec(name);
  if (sealed !== null) return `vault.${sealed[1]?.trim() ?? ''}`;
  return renameVariable(name);
}

/** Lists what stands between braces, braces included, each once. */
export function listBraces(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/\{\{[^{}\r\n]{1,200}\}\}/g), ([one]) => one));
}

/**
 * Encodes a text for a URL or a form, apart from variables.
 * @param encode - how what stands between them is encoded
 */
export function encodeAroundVariables(text: string, encode = encodeStrictly): string {
  let encoded = '';
  let copied = 0;
  for (const { 0: whole, index } of text.matchAll(expression)) {
    encoded += encode(text.slice(copied, index)) + whole;
    copied = index + whole.length;
  }
  return encoded + encode(text.slice(copied));
}

/**
 * Encodes a text as a tool does that fills variables in first and encodes then: `{{name}}` is `{{%name}}` with us, which encodes
 * its value. What is made up for a request (`{{$uuid}}`) stays as it is.
 *
 * @param encode - how what stands between them is encoded
 */
export function encodeFilledIn(text: string, encode = encodeStrictly): string {
  return encodeAroundVariables(text, encode).replace(expression, (whole: string) => {
    const inner = whole.slice(2, -2);
    return /^\s*[\p{L}_]/u.test(inner) ? `{{%${inner.trim()}}}` : whole;
  });
}

/** As curl, Postman and Bruno do: nothing but what is unreserved stays. */
function encodeStrictly(text: string): string {
  return encodeForUrl(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Takes the slashes from an address's end; a pattern would look at each run of them again and again. */
export function trimSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}
