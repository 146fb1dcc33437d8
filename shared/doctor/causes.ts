/** Every cause that the doctor can name; scripts rely on this closed list. */
export const CAUSE_CODES = [
  'encoding.url_safe',
  'encoding.hex',
  'encoding.wrapped',
  'encoding.double',
  'encoding.header_name',
  'encoding.truncated',
  'key.other',
  'key.environment_swapped',
  'key.vault',
  'padding.pss',
  'hash.md5',
  'hash.sha1',
  'hash.sha384',
  'hash.sha512',
  'hash.missing',
  'hash.double',
  'hash.hex_text',
  'hash.base64_text',
  'string.separator',
  'string.order',
  'string.field_missing',
  'string.field_extra',
  'string.quoted',
  'string.case',
  'string.white_space',
  'string.line_end',
  'string.bom',
  'string.charset',
  'string.whole_body',
  'string.other_reference',
  'number.format',
  'country.form',
] as const;
export type CauseCode = (typeof CAUSE_CODES)[number];

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

/** The row of the table of checks that a cause belongs to. */
const CAUSE_ROWS: Readonly<Record<CauseCode, string>> = {
  'encoding.url_safe': 'Encoding',
  'encoding.hex': 'Encoding',
  'encoding.wrapped': 'Encoding',
  'encoding.double': 'Encoding',
  'encoding.header_name': 'Encoding',
  'encoding.truncated': 'Encoding',
  'key.other': 'Key',
  'key.environment_swapped': 'Key',
  'key.vault': 'Key',
  'padding.pss': 'Padding',
  'hash.md5': 'Hash',
  'hash.sha1': 'Hash',
  'hash.sha384': 'Hash',
  'hash.sha512': 'Hash',
  'hash.missing': 'Hash',
  'hash.double': 'Hash',
  'hash.hex_text': 'Hash',
  'hash.base64_text': 'Hash',
  'string.separator': 'Separator',
  'string.order': 'Order',
  'string.field_missing': 'Fields',
  'string.field_extra': 'Fields',
  'string.quoted': 'Quotes',
  'string.case': 'Case',
  'string.white_space': 'White space',
  'string.line_end': 'Line end',
  'string.bom': 'Charset',
  'string.charset': 'Charset',
  'string.whole_body': 'What was signed',
  'string.other_reference': 'Reference',
  'number.format': 'Number',
  'country.form': 'Country',
};

/** Gives the row of a cause; what has no code is about the hash. */
export function rowOf({ code }: Cause): string {
  return code === null ? 'Hash' : CAUSE_ROWS[code];
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
