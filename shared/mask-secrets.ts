import { isCredentialHeader, isSecretName, maskSecret, splitCredential } from './secrets';

/** Writes what stands in the place of a value; `name` is that of its field. */
type Mask = (value: string, name: string) => string;

/** How names and values stand in one notation. */
interface Notation {
  readonly pattern: RegExp;
  /** The name as it was meant, without escapes. */
  readName(written: string): string;
}

/** Every pattern has the groups before, name, between, value; all of them take linear time, whatever the text. */
const notations: readonly Notation[] = [
  // Query and form: name=value, blanks around the sign.
  {
    pattern:
      /((?:^|[?&#;\r\n])[ \t+]{0,200})([^=&#;?\s"'<>]{1,200})([ \t]{0,200}=[ \t+]{0,200})([^&#;\s"'<>]+)/g,
    readName: readFormName,
  },
  // multipart/form-data: name="name", blank line, value.
  {
    pattern: /( name=")([^"\r\n]{1,200})("[^\r\n]{0,500}(?:\r\n[^\r\n]{1,500}){0,8}\r\n\r\n)([^\r\n]+)/gi,
    readName: readFormName,
  },
  // XML: <name>value<, <name><![CDATA[value]]>, name="value".
  {
    pattern: /(<(?:[\w.-]{1,60}:)?)([\w.-]{1,200})((?:\s[^<>]{0,500})?>)([^<>]+)(?=<\/)/g,
    readName: (written) => written,
  },
  {
    pattern:
      /(<(?:[\w.-]{1,60}:)?)([\w.-]{1,200})((?:\s[^<>]{0,500})?>\s{0,200}<!\[CDATA\[)((?:(?!<!\[CDATA\[)[\s\S])+?)(?=\]\]>|$)/g,
    readName: (written) => written,
  },
  {
    pattern:
      /([\s<](?:[\w.-]{1,60}:)?)([\w.-]{1,200})(\s{0,200}=\s{0,200}(?:"(?=[^"<>]+")|'(?=[^'<>]+')))([^<>]+?)(?=["'])/g,
    readName: (written) => written,
  },
];
/** JSON: "name": and what follows; 'name': as scripts write it, too. */
const JSON_NAME = /"((?:[^"\\]|\\.){1,200})"\s*:\s*|'((?:[^'\\]|\\.){1,200})'\s*:\s*/g;
/** A word of every name that is secret, an escape that may hide one, or `//…@`: most texts have none, and are done with at once. */
const MAY_HOLD_SECRET =
  /secret|pass|pwd|token|credential|key|session|auth|cookie|pin|bearer|jwt|[\\%]|\/\/[^\s"]{0,700}@/i;
/** `https://name:password@host`. */
const USER_INFO = /(\/\/[^/?#\s:@"]{0,200}:)([^/?#\s@"]{1,400})(?=@)/g;

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
 */
export function replaceSecrets(text: string, mask: Mask, around: '"' | '' = ''): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  const maskValue: Mask = (value, name) => (value.includes('{{') ? value : mask(value, name));
  const named = notations.reduce(
    (rest, { pattern, readName }) =>
      rest.replace(pattern, (whole, _before: string, name: string, _between: string, value: string) => {
        const meant = readName(name);
        if (!isSecretName(meant)) return whole;
        return `${whole.slice(0, whole.length - value.length)}${maskValue(value, meant)}`;
      }),
    maskJson(text, maskValue, around),
  );
  return named.replace(
    USER_INFO,
    (_whole, before: string, value: string) => `${before}${maskValue(value, 'password')}`,
  );
}

function maskJson(text: string, maskValue: Mask, around: string): string {
  const pieces: string[] = [];
  let kept = 0;
  JSON_NAME.lastIndex = 0;
  for (let found = JSON_NAME.exec(text); found !== null; found = JSON_NAME.exec(text)) {
    const from = JSON_NAME.lastIndex;
    const name = readJsonName(found[1] ?? found[2]!);
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
  return pieces.length === 0 ? text : pieces.join('') + text.slice(kept);
}

const isQuote = (character: string | undefined): boolean => character === '"' || character === "'";
const isOpening = (character: string | undefined): boolean => character === '{' || character === '[';

/** Finds the quote that ends a text; the end of all where it was cut off. */
function findTextEnd(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (at - 1 - slashes >= from && text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

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
  if (!isCredentialHeader(name)) return maskSecrets(value, mask);
  const { scheme, credential } = splitCredential(value);
  const isMasked = credential.includes('…') || credential.startsWith('•') || credential.includes('{{');
  return credential === '' || isMasked ? value : `${scheme}${mask(credential, name)}`;
}

/** Masks a list of headers, names and order unchanged. */
export function maskHeaders(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers.map(([name, value]) => [name, maskHeader(name, value)]);
}

function readJsonName(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}

/** `user[password]` is a password, however it is percent-encoded. */
function readFormName(written: string): string {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '))
      .trim()
      .replace(/\s+/g, '_')
      .replace(/[[\]]+/g, '.')
      .replace(/\.$/, '');
  } catch {
    return written;
  }
}
