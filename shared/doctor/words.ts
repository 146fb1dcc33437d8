import type { DoctorResult } from '../contract/doctor';
import type { CauseCode } from './causes';

/** What a verdict is called where people read it; scripts read its code. */
export const verdictWords: Readonly<Record<DoctorResult['verdict'], string>> = {
  valid: 'valid',
  explained: 'explained',
  other_key: 'made with another key',
  unexplained: 'not explained',
  not_a_signature: 'no signature of a key of this size',
};

const causeWords: Readonly<Record<CauseCode, string>> = {
  'encoding.url_safe': 'URL-safe Base64',
  'encoding.hex': 'hex instead of Base64',
  'encoding.wrapped': 'broken over lines',
  'encoding.double': 'encoded twice',
  'encoding.header_name': 'header name in the value',
  'encoding.truncated': 'cut off',
  'key.other': 'another key',
  'key.environment_swapped': 'key of another environment',
  'key.vault': 'another key of the vault',
  'padding.pss': 'PSS padding',
  'hash.md5': 'MD5',
  'hash.sha1': 'SHA-1',
  'hash.sha384': 'SHA-384',
  'hash.sha512': 'SHA-512',
  'hash.missing': 'not hashed',
  'hash.double': 'hashed twice',
  'hash.hex_text': 'digest signed as hex',
  'hash.base64_text': 'digest signed as Base64',
  'string.separator': 'separators',
  'string.order': 'order of the fields',
  'string.field_missing': 'a field is missing',
  'string.field_extra': 'a field too many',
  'string.quoted': 'quotes',
  'string.case': 'upper and lower case',
  'string.white_space': 'white space',
  'string.line_end': 'line end',
  'string.bom': 'byte order mark',
  'string.charset': 'character set',
  'string.whole_body': 'the whole body',
  'string.other_reference': 'another reference',
  'number.format': 'form of the amount',
  'country.form': 'form of the country',
};

/** Names a cause in a few words; one that is not known keeps its code. */
export function nameCause(code: string): string {
  return Object.hasOwn(causeWords, code) ? causeWords[code as CauseCode] : code;
}
