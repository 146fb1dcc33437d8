import type { AppError } from '@shared/errors';
import { sayConflict } from '@shared/http-file/find-conflicts';
import { errorsOf } from '../../errors-of';

const KeysError = errorsOf<'keys'>();

/** Key bytes found in text or in a file, and what had to be mended to get them. */
export interface FoundBytes {
  der: Buffer;
  container: 'PEM' | 'DER' | 'DER in Base64' | 'DER in hex';
  /** The label of the PEM block, spaces set right ('RSA PRIVATE KEY'); null without one. */
  label: string | null;
  /** Old OpenSSL encryption, named in the block's own headers. */
  legacyCipher: { name: string; ivHex: string } | null;
  repairs: string[];
}

interface Block {
  label: string;
  body: string;
  hasEnd: boolean;
  hasDashes: boolean;
}

const MAX_CHARACTERS = 1_000_000;
const LABEL =
  /(?:(?<!-)-+\s*|(?<![-\s])\s+)?BEGIN\s*((?:(?:RSA|EC|DSA|ENCRYPTED|OPENSSH|ANY|SSH2 ENCRYPTED)\s*)?PRIVATE\s*KEY|(?:RSA\s*)?PUBLIC\s*KEY|(?:TRUSTED\s*|X509\s*)?CERTIFICATE(?:\s*REQUEST)?|NEW\s*CERTIFICATE\s*REQUEST|(?:EC|DSA|DH)\s*PARAMETERS|PKCS7)(\s*-*)/g;
/** A private key is what people look for in a file of several blocks, a certificate what they want least. */
const PREFERENCE = ['PRIVATE KEY', 'PUBLIC KEY', 'CERTIFICATE', 'REQUEST', 'PARAMETERS', 'PKCS7'];

/**
 * Finds key bytes in text as people paste it: PEM that lost line breaks, header or dashes, quoted, escaped,
 * indented, Base64 twice, hex.
 *
 * @throws {AppError} `keys.unreadable` saying what the text is or lacks
 */
export function findKeyBytes(text: string, depth = 0): FoundBytes {
  if (text.length > MAX_CHARACTERS)
    throw unreadable('This is far too long to be a key. Paste the key alone.');
  const repairs: string[] = [];
  const plain = normalise(text, repairs);
  if (plain.trim() === '')
    throw unreadable('There is no key here: the text is empty. Paste the key in PEM form.');
  const conflict = sayConflict(text);
  if (conflict !== null) throw unreadable(`This key cannot be used, ${conflict}`);
  refuseForeignForms(plain);
  const blocks = findBlocks(plain);
  if (blocks.length > 0) return readBlock(chooseBlock(blocks, repairs), repairs);
  refuseOtherFiles(text.trim());
  return readBare(plain, repairs, depth);
}

/**
 * Shortens what is repeated and means nothing in a key: patterns that look for a line end or a dash behind such a run take the
 * square of its length.
 */
function shortenRuns(text: string): string {
  return text
    .replace(/(?<!\s)\s{65,}/g, (run) => (/[\r\n]/.test(run) ? '\n' : ' '))
    .replace(/(?<!\\)\\{17,}/g, '\\')
    .replace(/(?<![-\u2010-\u2015\u2212])[-\u2010-\u2015\u2212]{65,}/g, '-----');
}

/** Sets right what editors, shells, spreadsheets and JSON do to text. */
function normalise(given: string, repairs: string[]): string {
  const replaced = (
    before: string,
    pattern: RegExp,
    by: string | ((found: string) => string),
    repair: string | null,
  ): string => {
    const after = before.replace(pattern, (found) => (typeof by === 'string' ? by : by(found)));
    if (after !== before && repair !== null) repairs.push(repair);
    return after;
  };
  // Byte order mark, zero-width characters and soft hyphens are invisible; no one means them.
  let plain = replaced(given, /[\uFEFF\u200B-\u200D\u2060\u00AD]/g, '', 'invisible characters removed');
  plain = shortenRuns(plain);
  plain = replaced(
    plain,
    /(?<![\u2010-\u2015\u2212])[\u2010-\u2015\u2212]+(?=\s*(?:BEGIN|END))|(?<=KEY|CERTIFICATE|REQUEST)\s*[\u2010-\u2015\u2212]+/g,
    '-----',
    'dashes restored',
  );
  // Of five hyphens, editors that join two to a dash leave one: ——-
  plain = replaced(
    plain,
    /(?<![-\u2010-\u2015\u2212])[-\u2010-\u2015\u2212]{2,}/g,
    (run) => (/[^-]/.test(run) ? '-----' : run),
    'dashes restored',
  );
  if (/%(?:0A|0D|2B|2F|3D|20)/i.test(plain)) plain = decodePercent(plain, repairs);
  plain = replaced(plain, /&#(?:10|13|x0?[ad]);/gi, '\n', 'HTML line breaks turned into line breaks');
  plain = replaced(plain, /(?<!\\)\\+(?:r\\+n|[nr])/g, '\n', 'literal \\n turned into line breaks');
  plain = replaced(plain, /(?<!\\)\\+u000[ad]/gi, '\n', 'literal \\n turned into line breaks');
  plain = replaced(plain, /["'`]\s*[+.]\s*(?=["'`])/g, '', 'joined from several pieces of text');
  plain = replaced(plain, /["'`\u2018\u2019\u201C\u201D]/g, '', 'quotes removed');
  plain = replaced(plain, /\\\r?\n/g, '\n', 'line continuations removed');
  plain = replaced(plain, /^[ \t]*(?:\/\/|[#>*|]+)[ \t]+(?=\S)/gm, '', 'line prefixes removed');
  return shortenRuns(plain.replace(/[\u00A0\u2028\u2029\u0085]/g, '\n'));
}

function decodePercent(text: string, repairs: string[]): string {
  repairs.push('percent-encoding undone');
  return text.replace(/%([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

const FOREIGN_FORMS: readonly (readonly [RegExp, string])[] = [
  [
    /BEGIN OPENSSH PRIVATE KEY|b3BlbnNzaC1rZXktdjE/,
    'This is a key in OpenSSH’s own form. Turn it into PEM with: ssh-keygen -p -m PKCS8 -f FILE',
  ],
  [
    /(?:^|\s)(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S+) AAAA|BEGIN SSH2 PUBLIC KEY/,
    'This is a public key in OpenSSH’s form. Turn it into PEM with: ssh-keygen -e -m PKCS8 -f FILE',
  ],
  [
    /PuTTY-User-Key-File/,
    'This is a PuTTY key. Export it with PuTTYgen (Conversions, Export OpenSSH key), then try again.',
  ],
  [
    /<RSAKeyValue>/,
    'This is a .NET XML key. Export it as PEM (RSA.ExportPkcs8PrivateKeyPem), then try again.',
  ],
  [/BEGIN PGP /, 'This is a PGP key. The service takes RSA keys in PEM form only.'],
];

function refuseForeignForms(text: string): void {
  for (const [pattern, message] of FOREIGN_FORMS) if (pattern.test(text)) throw unreadable(message);
}

/** What is plainly another kind of file, asked only where no PEM stands in it. */
const OTHER_FILES: readonly (readonly [(text: string) => boolean, string])[] = [
  [(text) => isJsonObject(text) && /"kty"\s*:/.test(text), 'a key as JSON (JWK). Export it as PEM'],
  [isJsonObject, 'JSON, and no key stands in it. Give the file that begins with -----BEGIN'],
  [
    (text) => /^<(?:!doctype html|html|head|body)\b/i.test(text),
    'a page of HTML, perhaps of a sign-in or of an error. Download the key itself',
  ],
  [(text) => /^<[?!a-z]/i.test(text), 'XML. Give the file that begins with -----BEGIN'],
  [(text) => /^eyJ[\w-]+\.[\w-]*\.[\w-]*$/.test(text), 'a token (JWT), not a key. Give the PEM of the key'],
  [
    (text) => /^-----BEGIN (?!.*\b(?:KEY|CERTIFICATE|REQUEST)\b)/.test(text),
    'a PEM block that holds no key. Give the one whose first line says KEY',
  ],
  [
    (text) => /[\0\uFFFD]/.test(text),
    'a binary file, but no key as DER that can be read. Export the key as PEM',
  ],
];

function isJsonObject(text: string): boolean {
  if (!/^[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function refuseOtherFiles(text: string): void {
  const found = OTHER_FILES.find(([isSo]) => isSo(text));
  if (found !== undefined) throw unreadable(`This is ${found[1]}.`);
}

function findBlocks(text: string): Block[] {
  const begins = [...text.matchAll(LABEL)];
  return begins.map((begin, index) => {
    const from = begin.index + begin[0].length;
    const until = begins[index + 1]?.index ?? text.length;
    const rest = text.slice(from, until);
    const end = rest.search(/(?:(?<!-)-+\s*|(?<![-\s])\s+)?\bEND[A-Z0-9\s]{0,80}-|(?<!-)-{2,}\s*END/);
    return {
      label: begin[1]!
        .replace(/\s+/g, '')
        .replace(
          /(RSA|EC|DSA|ENCRYPTED|OPENSSH|ANY|PRIVATE|PUBLIC|TRUSTED|X509|NEW|CERTIFICATE)(?=[A-Z])/g,
          '$1 ',
        ),
      body: end === -1 ? rest : rest.slice(0, end),
      hasEnd: end !== -1,
      hasDashes: begin[0].startsWith('-----') && begin[2]!.includes('-----'),
    };
  });
}

function chooseBlock(blocks: readonly Block[], repairs: string[]): Block {
  const rank = (block: Block): number => PREFERENCE.findIndex((ending) => block.label.endsWith(ending));
  const chosen = blocks.reduce((best, block) => (rank(block) < rank(best) ? block : best));
  if (blocks.length > 1) repairs.push(`took the ${chosen.label} out of ${blocks.length} blocks`);
  return chosen;
}

function readBlock(block: Block, repairs: string[]): FoundBytes {
  const isEncrypted = /Proc-Type:\s*4\s*,\s*ENCRYPTED/.test(block.body);
  const cipher = /DEK-Info:\s*([A-Za-z0-9-]+)\s*,\s*([0-9A-Fa-f]+)/.exec(block.body);
  if (isEncrypted && cipher === null) {
    throw unreadable(
      'The PEM says that it is encrypted but its DEK-Info line is missing. Take it from the original file again.',
    );
  }
  const body = block.body
    .replace(/Proc-Type:\s*4\s*,\s*ENCRYPTED/, '')
    .replace(/DEK-Info:\s*[A-Za-z0-9-]+\s*,\s*[0-9A-Fa-f]+/, '')
    .replace(/^[A-Za-z][A-Za-z-]*:[^\n]*$/gm, '');
  if (!block.hasEnd || !block.hasDashes) repairs.push('header and footer lines restored');
  if (!/[\r\n]/.test(body.trim()) && body.trim().length > 76) repairs.push('line breaks restored');
  return {
    der: decodeBase64(body, repairs),
    container: 'PEM',
    label: block.label,
    legacyCipher: cipher === null ? null : { name: cipher[1]!.toUpperCase(), ivHex: cipher[2]! },
    repairs: [...new Set(repairs)],
  };
}

/** Text without any header: Base64 or hex of DER, or Base64 of a whole PEM file (a habit of CI secrets). */
function readBare(text: string, repairs: string[], depth: number): FoundBytes {
  const packed = text.replace(/^\s*[A-Z][A-Z0-9_]*\s*[=:]\s*/, '').replace(/[\s:,;]+/g, '');
  if (/^30(?:[0-9a-fA-F]{2})+$/.test(packed)) {
    return found(Buffer.from(packed, 'hex'), 'DER in hex', [...repairs, 'decoded from hex']);
  }
  const bare = text.replace(/^\s*[A-Z][A-Z0-9_]*\s*[=:]\s*/, '');
  const stray = /[^A-Za-z0-9+/=_\s,;:\\-]/u.exec(bare);
  if (stray !== null) {
    throw unreadable(
      `No key was found in this text: it has no -----BEGIN line, and '${stray[0]}' stands in no Base64. Paste the whole PEM, or choose its file.`,
    );
  }
  if (bare.includes('-----')) {
    throw unreadable(
      'No key was found in this text: its first line is not as a PEM has it, -----BEGIN PRIVATE KEY----- or -----BEGIN PUBLIC KEY-----. Take it from the original file again.',
    );
  }
  const der = decodeBase64(bare, repairs);
  if (depth === 0 && der.includes('BEGIN ')) {
    const inner = findKeyBytes(der.toString('utf8'), depth + 1);
    return { ...inner, repairs: [...new Set([...repairs, 'decoded from Base64', ...inner.repairs])] };
  }
  if (der[0] !== 0x30) {
    throw unreadable('No key was found in this text. Paste the whole PEM, from -----BEGIN to -----END.');
  }
  return found(der, 'DER in Base64', [...repairs, 'header and footer lines restored']);
}

function found(der: Buffer, container: FoundBytes['container'], repairs: string[]): FoundBytes {
  return { der, container, label: null, legacyCipher: null, repairs: [...new Set(repairs)] };
}

function decodeBase64(text: string, repairs: string[]): Buffer {
  let packed = text.replace(/[\s,;:\\]+/g, '');
  if (/[-_]/.test(packed)) {
    packed = packed.replaceAll('-', '+').replaceAll('_', '/');
    repairs.push('URL-safe Base64 converted');
  }
  let length = packed.length;
  while (packed[length - 1] === '=') length -= 1;
  const digits = packed.slice(0, length);
  const stray = /[^A-Za-z0-9+/]/u.exec(digits);
  if (stray !== null) {
    const why =
      stray[0] === '='
        ? "has '=' before its end, where no PEM has one"
        : `holds '${stray[0]}', which no PEM has`;
    throw unreadable(
      `The key text ${why}. It was changed on its way here: take it from the original file again.`,
    );
  }
  if (digits.length === 0)
    throw unreadable('The PEM is empty between its first and last line. Paste the whole of it.');
  if (digits.length % 4 === 1) {
    throw unreadable(
      'The key text is incomplete: a character is missing. Take it from the original file again.',
    );
  }
  return Buffer.from(digits, 'base64');
}

export function unreadable(message: string, cause?: unknown): AppError {
  return new KeysError('keys.unreadable', message, { cause });
}
