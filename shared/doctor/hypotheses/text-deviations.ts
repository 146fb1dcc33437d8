import type { Cause, CauseCode } from '../causes';
import { STAGES, type Deviation, type Draft, type Tier } from '../search/draft';
import { readAsUtf8 } from '../decode/decode-signature';
import { escapeBeyondAscii } from './json-styles';
import { showText } from '../report/show-text';
import { TEXT_ENCODINGS } from './text-encodings';
import { encodeForUrl } from '../../encode-for-url';
import { escapeHtml } from '../../escape-html';
import { encodeBase64 } from '../../signing/base64';
import { toHex } from '../../signing/hex';

const utf8 = new TextEncoder();

interface Row {
  readonly code: CauseCode;
  readonly tier: Tier;
  readonly phrase: string;
  readonly remedy: string;
  readonly apply: (draft: Draft) => void;
}

const AS_THEY_ARE = 'sign the values exactly as they stand in the body';
/** What stands in the body may be quoted and escaped itself. */
const DECODED = 'sign the decoded values, without quotes or escapes';
const NOTHING_AFTER = 'sign nothing after the last value';
const NOTHING_BEFORE = 'sign nothing before the first value';

/** Stands before everything else that may stand in front. */
const BYTE_ORDER_MARK: Row = {
  code: 'string.bom',
  tier: 'common',
  phrase: 'with a byte order mark in front',
  remedy: NOTHING_BEFORE,
  apply: (draft) => void (draft.prefix = `\ufeff${draft.prefix}`),
};

interface Recast {
  readonly code: CauseCode;
  /** Left out: it is met seldom. */
  readonly tier?: Tier;
  readonly phrase: string;
  /** Left out: by its code. */
  readonly remedy?: string;
  readonly change: (text: string) => string;
  /** Changes nothing about ASCII text. */
  readonly isAsciiSame?: true;
}

const RECASTS: readonly Recast[] = [
  {
    code: 'string.case',
    tier: 'common',
    phrase: 'with the whole string in lower case',
    change: (text) => text.toLowerCase(),
  },
  {
    code: 'string.case',
    tier: 'common',
    phrase: 'with the whole string in upper case',
    change: (text) => text.toUpperCase(),
  },
  {
    code: 'string.white_space',
    phrase: 'with the whole string trimmed',
    change: (text) => text.trim(),
  },
  {
    code: 'string.white_space',
    phrase: 'with all white space taken out',
    change: (text) => text.replace(/\s+/g, ''),
  },
  {
    code: 'string.white_space',
    phrase: 'with white space collapsed',
    change: (text) => text.replace(/\s+/g, ' '),
  },
  {
    code: 'string.line_end',
    phrase: 'with line ends as LF',
    change: (text) => text.replace(/\r\n?/g, '\n'),
  },
  {
    code: 'string.line_end',
    phrase: 'with line ends as CRLF',
    change: (text) => text.replace(/\r?\n/g, '\r\n'),
  },
  ...(['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form): Recast => {
    return {
      code: 'string.charset',
      phrase: `after Unicode normalisation (${form})`,
      change: (text) => text.normalize(form),
      isAsciiSame: true,
    };
  }),
  {
    code: 'string.charset',
    phrase: 'with accents taken off',
    change: (text) => text.normalize('NFD').replace(/\p{M}/gu, ''),
    isAsciiSame: true,
  },
  {
    code: 'string.quoted',
    tier: 'common',
    phrase: 'with characters beyond ASCII as JSON escapes (\\uXXXX)',
    change: escapeBeyondAscii,
    isAsciiSame: true,
  },
  { code: 'string.charset', tier: 'common', phrase: 'percent-encoded', change: encodeForUrl },
  {
    code: 'string.charset',
    phrase: 'percent-encoded as a form',
    change: (text) => encodeForUrl(text).replace(/%20/g, '+'),
  },
  {
    code: 'string.charset',
    phrase: 'percent-encoded in lower case',
    change: (text) => encodeForUrl(text).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  },
  { code: 'string.charset', phrase: 'with HTML escapes', change: escapeHtml },
  {
    code: 'string.quoted',
    phrase: 'as one JSON text',
    change: (text) => JSON.stringify(text),
  },
  // Also an encoding: something may stand around the text before or after it is written so.
  {
    code: 'string.charset',
    phrase: 'as Base64 text',
    change: (text) => encodeBase64(utf8.encode(text)),
  },
  {
    code: 'string.charset',
    phrase: 'as hex text',
    change: (text) => toHex(utf8.encode(text)),
  },
  {
    code: 'string.field_extra',
    tier: 'alone',
    phrase: 'with the whole string twice, one behind the other',
    remedy: 'sign it once',
    change: (text) => text + text,
  },
  {
    code: 'string.order',
    tier: 'alone',
    phrase: 'with the whole string backwards, its last character first',
    change: (text) => Array.from(text).reverse().join(''),
  },
];

/** The first four are met often. */
const SUFFIXES: readonly (readonly [CauseCode, string])[] = [
  ['string.line_end', '\n'],
  ['string.line_end', '\r\n'],
  ['string.white_space', ' '],
  ['string.line_end', '\\n'],
  ['string.line_end', '\\r\\n'],
  ['string.line_end', '\r'],
  ['string.line_end', '\n\n'],
  ['string.line_end', '\r\n\r\n'],
  ['string.white_space', '  '],
  ['string.white_space', '\t'],
  ['string.white_space', '\0'],
  ['string.white_space', ' \n'],
];

/** The first one is met often. */
const PREFIXES: readonly (readonly [CauseCode, string])[] = [
  ['string.white_space', ' '],
  ['string.line_end', '\n'],
  ['string.line_end', '\r\n'],
  ['string.white_space', '\t'],
];

/**
 * Lists deviations of the joined text: case, white space, line ends, byte order mark, charset.
 *
 * @param text - what is to be signed
 * @param isAscii - nothing beyond ASCII can be in the text, so that most charsets make no difference
 */
export function listTextDeviations(text: string, isAscii: boolean): Deviation[] {
  return [
    ...RECASTS.filter(({ isAsciiSame }) => !(isAscii && isAsciiSame)).map(
      ({
        code,
        tier = 'usual',
        phrase,
        change,
        remedy = code === 'string.quoted' ? DECODED : AS_THEY_ARE,
      }) => {
        const apply = (draft: Draft): void => void (draft.recast = change);
        return toDeviation(STAGES.recast, 'recast', { code, tier, phrase, remedy, apply }, null);
      },
    ),
    ...SUFFIXES.map(([code, text], index) => {
      const apply = (draft: Draft): void => void (draft.suffix += text);
      const phrase = `with ${showText(text)} at the end`;
      const row = { code, tier: tierOf(index < 4), phrase, remedy: NOTHING_AFTER, apply };
      return toDeviation(STAGES.affix, 'suffix', row, text);
    }),
    ...PREFIXES.map(([code, text], index) => {
      const apply = (draft: Draft): void => void (draft.prefix = text + draft.prefix);
      const phrase = `with ${showText(text)} in front`;
      const row = { code, tier: tierOf(index < 1), phrase, remedy: NOTHING_BEFORE, apply };
      return toDeviation(STAGES.affix, 'prefix', row, text);
    }),
    toDeviation(STAGES.encode, 'mark', BYTE_ORDER_MARK, 'U+FEFF'),
    ...TEXT_ENCODINGS.filter(({ isAsciiSame }) => !(isAscii && isAsciiSame)).map(
      ({ name, encode, isRare }) => {
        const isOther = isOneByte(name) && /[^\0-\u007f]/.test(readAsUtf8(encode(text)) ?? '');
        const row: Row = {
          code: 'string.charset',
          tier: tierOf(isRare !== true),
          phrase: isOther ? `as ${name}, or right, while the body was encoded as UTF-8 twice` : `as ${name}`,
          remedy: isOther ? ENCODE_ONCE : 'turn the string into bytes as UTF-8, without a byte order mark',
          apply: (draft: Draft): void => void (draft.encode = encode),
        };
        return toDeviation(STAGES.encode, 'encode', row, name);
      },
    ),
  ];
}

/** Where such bytes are UTF-8 of another text, that may be the one that was meant, in a body that was read in that charset and encoded anew. */
const isOneByte = (name: string): boolean => name === 'Latin-1' || name === 'Windows-1252';
const ENCODE_ONCE =
  'encode the body as UTF-8 once; where its text is meant as it stands, turn the string into bytes as UTF-8';

function tierOf(isCommon: boolean): Tier {
  return isCommon ? 'common' : 'usual';
}

function toDeviation(
  stage: number,
  slot: string,
  { code, tier, phrase, remedy, apply }: Row,
  actual: string | null,
): Deviation {
  return {
    stage,
    slot,
    tier,
    apply,
    explain: (): Cause[] => [{ code, phrase, remedy, expected: null, actual }],
  };
}
