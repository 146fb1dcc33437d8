import type { Cause, CauseCode } from '../causes';
import { STAGES, type Deviation, type Draft } from '../search/draft';
import { showText } from '../report/show-text';
import { TEXT_ENCODINGS } from './text-encodings';

type Row = readonly [code: CauseCode, phrase: string, remedy: string, apply: (draft: Draft) => void];

const AS_THEY_ARE = 'sign the values exactly as they stand in the body';
const NOTHING_AFTER = 'sign nothing after the last value';

const NOTHING_BEFORE = 'sign nothing before the first value';

const MARK = '\ufeff';

/** Stands before everything else that may stand in front. */
const BYTE_ORDER_MARK: Row = [
  'string.bom',
  'with a byte order mark in front',
  NOTHING_BEFORE,
  (draft) => void (draft.prefix = MARK + draft.prefix),
];

function recast(change: (text: string) => string): (draft: Draft) => void {
  return (draft) => void (draft.recast = change);
}

const RECASTS: readonly Row[] = [
  ['string.case', 'with the whole string in lower case', AS_THEY_ARE, recast((text) => text.toLowerCase())],
  ['string.case', 'with the whole string in upper case', AS_THEY_ARE, recast((text) => text.toUpperCase())],
  ['string.white_space', 'with the whole string trimmed', AS_THEY_ARE, recast((text) => text.trim())],
  [
    'string.white_space',
    'with all white space taken out',
    AS_THEY_ARE,
    recast((text) => text.replace(/\s+/g, '')),
  ],
  [
    'string.white_space',
    'with white space collapsed',
    AS_THEY_ARE,
    recast((text) => text.replace(/\s+/g, ' ')),
  ],
  ['string.line_end', 'with line ends as LF', AS_THEY_ARE, recast((text) => text.replace(/\r\n?/g, '\n'))],
  [
    'string.line_end',
    'with line ends as CRLF',
    AS_THEY_ARE,
    recast((text) => text.replace(/\r?\n/g, '\r\n')),
  ],
  [
    'string.charset',
    'after Unicode normalisation (NFC)',
    AS_THEY_ARE,
    recast((text) => text.normalize('NFC')),
  ],
  [
    'string.charset',
    'after Unicode normalisation (NFD)',
    AS_THEY_ARE,
    recast((text) => text.normalize('NFD')),
  ],
  [
    'string.charset',
    'after Unicode normalisation (NFKC)',
    AS_THEY_ARE,
    recast((text) => text.normalize('NFKC')),
  ],
  [
    'string.charset',
    'after Unicode normalisation (NFKD)',
    AS_THEY_ARE,
    recast((text) => text.normalize('NFKD')),
  ],
  [
    'string.charset',
    'with accents taken off',
    AS_THEY_ARE,
    recast((text) => text.normalize('NFD').replace(/\p{M}/gu, '')),
  ],
  ['string.charset', 'percent-encoded', AS_THEY_ARE, recast(percentEncode)],
  [
    'string.charset',
    'percent-encoded as a form',
    AS_THEY_ARE,
    recast((text) => percentEncode(text).replace(/%20/g, '+')),
  ],
  ['string.charset', 'with HTML escapes', AS_THEY_ARE, recast(escapeHtml)],
];

const SUFFIXES: readonly (readonly [CauseCode, string])[] = [
  ['string.line_end', '\n'],
  ['string.line_end', '\r\n'],
  ['string.line_end', '\r'],
  ['string.line_end', '\n\n'],
  ['string.line_end', '\r\n\r\n'],
  ['string.white_space', ' '],
  ['string.white_space', '  '],
  ['string.white_space', '\t'],
  ['string.white_space', '\0'],
  ['string.white_space', ' \n'],
];

const PREFIXES: readonly (readonly [CauseCode, string])[] = [
  ['string.line_end', '\n'],
  ['string.line_end', '\r\n'],
  ['string.white_space', ' '],
  ['string.white_space', '\t'],
];

/**
 * Lists deviations of the joined text: case, white space, line ends, byte order mark, charset.
 *
 * @param isAscii - nothing beyond ASCII can be in the text, so that most charsets make no difference
 */
export function listTextDeviations(isAscii: boolean): Deviation[] {
  return [
    ...RECASTS.map((row) => toDeviation(STAGES.recast, 'recast', row, null)),
    ...SUFFIXES.map(([code, text]) => {
      const phrase = `with ${showText(text)} at the end`;
      const apply = (draft: Draft): void => void (draft.suffix = draft.suffix + text);
      return toDeviation(STAGES.affix, 'suffix', [code, phrase, NOTHING_AFTER, apply], text);
    }),
    ...PREFIXES.map(([code, text]) => {
      const apply = (draft: Draft): void => void (draft.prefix = text);
      const row: Row = [code, `with ${showText(text)} in front`, NOTHING_BEFORE, apply];
      return toDeviation(STAGES.affix, 'prefix', row, text);
    }),
    toDeviation(STAGES.encode, 'encode', BYTE_ORDER_MARK, 'U+FEFF'),
    ...TEXT_ENCODINGS.filter(({ isAsciiSame }) => !(isAscii && isAsciiSame)).map(
      ({ code, name, encode, isRare }) => {
        const apply = (draft: Draft): void => void (draft.encode = encode);
        const row: Row = [
          code,
          `as ${name}`,
          'turn the string into bytes as UTF-8, without a byte order mark',
          apply,
        ];
        return { ...toDeviation(STAGES.encode, 'encode', row, name), isSingleOnly: isRare ?? false };
      },
    ),
  ];
}

function toDeviation(
  stage: number,
  slot: string,
  [code, phrase, remedy, apply]: Row,
  actual: string | null,
): Deviation {
  return { stage, slot, apply, explain: (): Cause[] => [{ code, phrase, remedy, expected: null, actual }] };
}

function percentEncode(text: string): string {
  // Half a surrogate pair cannot be encoded; UTF-8 writes U+FFFD for it, so that is what was encoded.
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}

function escapeHtml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}
