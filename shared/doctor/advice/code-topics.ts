import type { CauseCode } from '../causes';

/** Languages that the doctor shows changes for. */
export const ADVICE_LANGUAGES = ['node', 'python', 'java', 'php', 'go', 'csharp'] as const;
export type AdviceLanguage = (typeof ADVICE_LANGUAGES)[number];

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

/** Which line each cause is mended in. */
export const CAUSE_TOPICS: Readonly<Record<CauseCode, CodeTopic>> = {
  'encoding.url_safe': 'encode',
  'encoding.hex': 'encode',
  'encoding.wrapped': 'encode',
  'encoding.double': 'encode',
  'encoding.header_name': 'header',
  'encoding.truncated': 'encode',
  'key.other': 'key',
  'key.environment_swapped': 'key',
  'key.vault': 'key',
  'padding.pss': 'sign',
  'hash.md5': 'sign',
  'hash.sha1': 'sign',
  'hash.sha384': 'sign',
  'hash.sha512': 'sign',
  'hash.missing': 'sign',
  'hash.double': 'sign',
  'hash.hex_text': 'sign',
  'hash.base64_text': 'sign',
  'string.separator': 'join',
  'string.order': 'join',
  'string.field_missing': 'join',
  'string.field_extra': 'join',
  'string.quoted': 'join',
  'string.case': 'join',
  'string.white_space': 'join',
  'string.line_end': 'join',
  'string.bom': 'bytes',
  'string.charset': 'bytes',
  'string.whole_body': 'join',
  'string.other_reference': 'reference',
  'number.format': 'amount',
  'country.form': 'country',
};

/** How code in one language gets each line right, and what it looks like when it goes wrong. */
export interface LanguageAdvice {
  readonly label: string;
  /** A Monaco language id. */
  readonly syntax: string;
  readonly right: Readonly<Record<CodeTopic, string>>;
  /** `%actual%` stands for what was signed, as a literal. */
  readonly wrong: Readonly<Record<CauseCode, string>>;
}
