/** The line of signing code that a cause sits in. */
export type CodeTopic =
  | 'join'
  | 'reference'
  | 'amount'
  | 'country'
  | 'bytes'
  | 'key'
  | 'sign'
  | 'encode'
  | 'header';

/**
 * Every cause that the doctor can name, in the order in which they are told: its row in the table of checks, the line of
 * signing code that it is mended in, and what it is called. Scripts rely on this closed list.
 */
export const CAUSES = {
  'encoding.url_safe': { row: 'Encoding', topic: 'encode', name: 'Base64 as in a URL' },
  'encoding.hex': { row: 'Encoding', topic: 'encode', name: 'hex instead of Base64' },
  'encoding.wrapped': { row: 'Encoding', topic: 'encode', name: 'not one line of Base64 alone' },
  'encoding.double': { row: 'Encoding', topic: 'encode', name: 'encoded twice' },
  'encoding.header_name': { row: 'Encoding', topic: 'header', name: 'something in front of the value' },
  'encoding.truncated': { row: 'Encoding', topic: 'encode', name: 'cut off' },
  'key.other': { row: 'Key', topic: 'key', name: 'another key' },
  'key.environment_swapped': { row: 'Key', topic: 'key', name: 'key of another environment' },
  'key.vault': { row: 'Key', topic: 'key', name: 'another known key' },
  'padding.pss': { row: 'Padding', topic: 'sign', name: 'PSS padding' },
  'hash.md5': { row: 'Hash', topic: 'sign', name: 'MD5' },
  'hash.sha1': { row: 'Hash', topic: 'sign', name: 'SHA-1' },
  'hash.sha384': { row: 'Hash', topic: 'sign', name: 'SHA-384' },
  'hash.sha512': { row: 'Hash', topic: 'sign', name: 'SHA-512' },
  'hash.missing': { row: 'Hash', topic: 'sign', name: 'not hashed' },
  'hash.double': { row: 'Hash', topic: 'sign', name: 'hashed twice' },
  'hash.hex_text': { row: 'Hash', topic: 'sign', name: 'digest signed as hex' },
  'hash.base64_text': { row: 'Hash', topic: 'sign', name: 'digest signed as Base64' },
  'string.separator': { row: 'Separator', topic: 'join', name: 'separators' },
  'string.order': { row: 'Order', topic: 'join', name: 'order of the fields' },
  'string.field_missing': { row: 'Fields', topic: 'join', name: 'a field is missing' },
  'string.field_extra': { row: 'Fields', topic: 'join', name: 'a field too many' },
  'string.quoted': { row: 'Quotes', topic: 'join', name: 'quotes' },
  'string.case': { row: 'Case', topic: 'join', name: 'upper and lower case' },
  'string.white_space': { row: 'White space', topic: 'join', name: 'white space' },
  'string.line_end': { row: 'Line end', topic: 'join', name: 'line end' },
  'string.bom': { row: 'Charset', topic: 'bytes', name: 'byte order mark' },
  'string.charset': { row: 'Charset', topic: 'bytes', name: 'character set' },
  'string.whole_body': { row: 'What was signed', topic: 'join', name: 'the whole body' },
  'string.other_reference': { row: 'Reference', topic: 'reference', name: 'another reference' },
  'number.format': { row: 'Number', topic: 'amount', name: 'form of a number' },
  'country.form': { row: 'Country', topic: 'country', name: 'form of the country' },
} as const satisfies Record<string, { row: string; topic: CodeTopic; name: string }>;
export type CauseCode = keyof typeof CAUSES;
export const CAUSE_CODES = Object.keys(CAUSES) as readonly CauseCode[];

/** One thing that was done otherwise than the service does it. */
export interface Cause {
  /** Null for what the closed list has no code for: it is told in words alone, and by itself explains nothing. */
  readonly code: CauseCode | null;
  /** Goes on after 'Signed …': 'with “|” between the fields'. */
  readonly phrase: string;
  /** What to do, an imperative without a full stop: 'join the values with nothing between them'. */
  readonly remedy: string;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** Gives the row of a cause; what has no code is about the hash. */
export function rowOf({ code }: Cause): string {
  return code === null ? 'Hash' : CAUSES[code].row;
}

/** Names a cause in a few words; one that is not known keeps its code. */
export function nameCause(code: string): string {
  return Object.hasOwn(CAUSES, code) ? CAUSES[code as CauseCode].name : code;
}

/** Puts causes in the order of the table: encoding, key, padding and hash, then the string. */
export function sortCauses(causes: readonly Cause[]): Cause[] {
  const rank = ({ code }: Cause): number => CAUSE_CODES.indexOf(code ?? 'hash.missing');
  return causes.toSorted((left, right) => rank(left) - rank(right));
}

/** Rows about the string, in the order in which they are shown. */
export const STRING_ROWS = [
  'What was signed',
  'Reference',
  'Separator',
  'Order',
  'Fields',
  'Number',
  'Country',
  'Case',
  'Quotes',
  'White space',
  'Line end',
  'Charset',
] as const;
