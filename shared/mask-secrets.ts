import { isCredentialHeader, isSecretName, maskSecret, splitCredential } from './secrets';

type Mask = (value: string) => string;

/** How names and values stand in one notation. */
interface Notation {
  readonly pattern: RegExp;
  /** The name as it was meant, without escapes. */
  readName(written: string): string;
  /** What a masked value stands in where its own stood in nothing. */
  readonly quote: string;
}

/** Every pattern has the groups before, name, between, value; all of them bounded, so that hostile texts take linear time. */
const notations: readonly Notation[] = [
  // JSON: "name": 12.
  {
    pattern: /()"((?:[^"\\]|\\.){1,200})("\s{0,20}:\s{0,20})(-?\d[\d.eE+-]{0,400})/g,
    readName: readJsonName,
    quote: '"',
  },
  // Query and form: name=value.
  {
    pattern: /((?:^|[?&#;\r\n]))([^=&#;?\s"'<>]{1,200})(=)([^&#;\s"'<>]+)/g,
    readName: readFormName,
    quote: '',
  },
  // multipart/form-data: name="name", blank line, value.
  {
    pattern: /( name=")([^"\r\n]{1,200})("[^\r\n]{0,500}(?:\r\n[^\r\n]{1,500}){0,8}\r\n\r\n)([^\r\n]+)/gi,
    readName: readFormName,
    quote: '',
  },
  // XML: <name>value<.
  {
    pattern: /(<(?:[\w.-]{1,60}:)?)([\w.-]{1,200})((?:\s[^<>]{0,500})?>)([^<>]+)(?=<\/)/g,
    readName: (written) => written,
    quote: '',
  },
];
/** JSON: "name": "value", up to where the value begins. Its end is looked for by hand: a pattern fills the stack over a long one. */
const JSON_TEXT = /"((?:[^"\\]|\\.){1,200})"\s{0,20}:\s{0,20}"/g;
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
  if (!MAY_HOLD_SECRET.test(text)) return text;
  const maskValue = (value: string): string => (value.includes('{{') ? value : mask(value));
  const named = notations.reduce(
    (rest, { pattern, readName, quote }) =>
      rest.replace(pattern, (whole, _before: string, name: string, _between: string, value: string) => {
        if (value === '' || !isSecretName(readName(name))) return whole;
        const opening = whole.slice(0, whole.length - value.length);
        return `${opening}${quote}${maskValue(value)}${quote}`;
      }),
    maskJsonTexts(text, maskValue),
  );
  return named.replace(USER_INFO, (_whole, before: string, value: string) => `${before}${maskValue(value)}`);
}

function maskJsonTexts(text: string, maskValue: Mask): string {
  const pieces: string[] = [];
  let kept = 0;
  JSON_TEXT.lastIndex = 0;
  for (let found = JSON_TEXT.exec(text); found !== null; found = JSON_TEXT.exec(text)) {
    const from = JSON_TEXT.lastIndex;
    const to = findJsonTextEnd(text, from);
    JSON_TEXT.lastIndex = to + 1;
    if (to === from || !isSecretName(readJsonName(found[1]!))) continue;
    pieces.push(text.slice(kept, from), maskValue(text.slice(from, to)));
    kept = to;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(kept);
}

/** Finds the quote that ends a JSON text; the end of all where it was cut off. */
function findJsonTextEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (at - 1 - slashes >= from && text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** Masks the value of a header: all of a credential but its scheme, else what is secret by name within it. */
export function maskHeader(name: string, value: string, mask: Mask = maskSecret): string {
  if (!isCredentialHeader(name)) return maskSecrets(value, mask);
  const { scheme, credential } = splitCredential(value);
  const isMasked = credential.includes('…') || credential.startsWith('•') || credential.includes('{{');
  return credential === '' || isMasked ? value : `${scheme}${mask(credential)}`;
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
    return decodeURIComponent(written)
      .replace(/[[\]]+/g, '.')
      .replace(/\.$/, '');
  } catch {
    return written;
  }
}
