import { AppError } from '../errors';
import { lfsBeginning, POINTER } from '../http-file/lfs-pointer';
import { decodeBase64 } from '../signing/base64';

/** So much of a text is looked at: what it is shows at its head. */
const HEAD_CHARS = 4_000;

const KINDS: readonly (readonly [pattern: RegExp, said: string])[] = [
  [/^<{7} /, 'a file in which a merge left two versions: keep one'],
  [lfsBeginning, POINTER],
  [/^(?:(?:#|\/\/) ?@\w|###|@[\w-]+ ?=)/, 'a request file: its body alone is wanted; countersign send FILE --dry-run tells what it signs'],
  [/^(?:\$ )?curl(?:\.exe)?\s/i, 'a curl command: the body alone stands behind its -d or --data'],
  [/^(?:GET|POST|PUT|PATCH|DELETE)\s+\S+|^HTTP\/\d/, 'a whole request: the body alone stands below its empty line'],
  [/^-----BEGIN [A-Z ]+-----/, 'a key or a certificate'],
  [/^<Buffer |^(?:Uint8Array|Buffer)\(/, 'what Node prints of bytes: their toString() gives the text'],
  [/^<(?:\?xml|!doctype|[a-z][\w:-]*[\s/>])/i, 'XML or HTML'],
  [/^(?:Array|stdClass Object|[A-Z]\w* Object)\s*\(\s|^array\s?\(|^(?:array|object)\([^()]*\)[^{]{0,40}\{|^[aO]:\d+:/, 'what PHP prints of an array: json_encode writes JSON'],
  [/^(?:OrderedDict|defaultdict|dict)\(|^\[?\{\s*'(?:[^'\\]|\\.)*'\s*:/, 'what Python prints of a dict: json.dumps writes JSON'],
  [/^b(?:'|")[\s\S]*['"]\s*$|^'[[{][\s\S]*'\s*$/, 'a text in quotes, as Python prints one: the JSON stands between them'],
  [/^\[?\{\s*(?::\w+\s*=>|"(?:[^"\\]|\\.)*"\s*=>)/, 'what Ruby prints of a hash: to_json writes JSON'],
  [/^\{\w+=|^[A-Z]\w*[([{]\w+=/, 'what Java prints of a map or an object: its JSON library writes JSON'],
  [/^map\[|^&?(?:[\w.]+)?\{[A-Z]\w*:\S/, 'what Go prints of a map or a struct: json.Marshal writes JSON'],
  [/^\[?\{\s*[A-Za-z_$][\w$]*\s*:\s/, 'what JavaScript prints of an object: JSON.stringify writes JSON'],
  [/^\[object \w+\]/, 'what JavaScript prints of an object that it makes text of: JSON.stringify writes JSON'],
  [/^[0-9a-f]{6,8}:? +[0-9a-f]{2}/i, 'a dump of bytes in hex'],
  [/^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})(?:\s+\*?\S+)?\s*$|^[A-Z][A-Z\d-]+\([^()]*\)\s*= [0-9a-f]+\s*$/, 'a digest'],
  [/^(?:0x)?7b(?:\s*[0-9a-f]{2})+\s*$/i, 'JSON in hex'],
  [/^[\w.%[\]-]+=[^\s&]*(?:&[\w.%[\]-]+=[^\s&]*)*$/, 'the fields of a form'],
  [/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^\[\d{4}-\d\d-\d\d/, 'a line of a log: the JSON alone is wanted'],
  [/^---\r?\n|^[A-Za-z_][\w-]*:\r?\n +[A-Za-z_]/, 'YAML'],
  [/^(?:[\w$-]{1,40}|"[^"]{1,40}")\s*[:=]\s*[[{]/, 'JSON with a name in front of it: it begins at its bracket'],
]; // prettier-ignore

/** What languages write in place of a value of JSON. */
const WORD =
  /^(?:[+-]?(?:NaN|Infinity)|undefined|None|True|False|NULL|nil|Decimal\(|Fraction\(|ObjectId\(|ISODate\(|new )/;

/**
 * Reads a body, and says of one that cannot be read, or holds none of the fields, what it is.
 *
 * @throws what `read` does, with more behind the message of `signing.not_json` and `signing.field_missing`
 */
export function readNamed<Value>(body: string, read: (body: string) => Value): Value {
  try {
    return read(body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const said = nameFault(error, body);
    if (said === null) throw error;
    throw new AppError(error.code, `${error.message} ${said}`, { details: error.details, cause: error });
  }
}

function nameFault({ code, details }: AppError, body: string): string | null {
  if (code === 'signing.field_missing') return nameWhole(body);
  if (code !== 'signing.not_json') return null;
  const { offset } = details;
  const word = typeof offset === 'number' ? WORD.exec(body.slice(offset, offset + 40)) : null;
  return nameForeign(body) ?? (word === null ? null : `JSON has no “${word[0]}”.`);
}

/** Says of a body that is no object what it is; null for one that is. */
function nameWhole(body: string): string | null {
  const [first = ''] = /\S/.exec(body) ?? [];
  if (first === '{') return null;
  if (first === '"')
    return 'The body is one text in quotes: where it holds the JSON, that was written twice; give it as it was written first.';
  return `The body is ${first === '[' ? 'a list' : 'one value'}, an object is expected.`;
}

/**
 * Names what a text is that is no JSON, where it is known by its head; null where it is not.
 *
 * @returns a sentence with what to do, where there is something: 'It looks like …'
 */
export function nameForeign(text: string): string | null {
  const head = text.slice(0, HEAD_CHARS).trim();
  const said = KINDS.find(([pattern]) => pattern.test(head))?.[1] ?? nameBase64(head);
  return said === null ? null : `It looks like ${said}.`;
}

function nameBase64(head: string): string | null {
  const bare = head.replace(/\s/g, '');
  if (bare.length < 24 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(bare)) return null;
  const [first] = decodeBase64(bare.slice(0, 4));
  return first === 0x7b || first === 0x5b ? 'JSON in Base64' : null;
}
