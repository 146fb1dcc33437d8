import { nameCodePoint } from './signing/look-alikes';

/** How a character is shown that would not be seen, or that acts on the text around it. */
export interface HiddenCharacter {
  /** What stands in its place: `[RLO]`, `␛`, `↵`. */
  mark: string;
  /** In words, or its code point where it has none. */
  name: string;
}

/**
 * First and last code point, whether it acts on the text around it or hides in it, mark and name.
 *
 * What acts is shown as its mark wherever a text from outside is drawn. The others belong to ordinary writing (line
 * ends, spaces, the joiners of scripts and emoji) and are shown where characters are compared one by one.
 */
const rows: readonly [first: number, last: number, isActive: boolean, mark?: string, name?: string][] = [
  [0x09, 0x09, false, '⇥', 'tab'],
  [0x0a, 0x0a, false, '↵', 'line feed'],
  [0x0d, 0x0d, true, '␍', 'carriage return'],
  [0x1b, 0x1b, true, '␛', 'escape'],
  [0x00, 0x1f, true],
  [0x20, 0x20, false, '␣', 'space'],
  [0x7f, 0x7f, true, '␡', 'delete'],
  [0x80, 0x9f, true],
  [0xa0, 0xa0, false, '⍽', 'no-break space'],
  [0xad, 0xad, true, '[SHY]', 'soft hyphen'],
  [0x061c, 0x061c, true, '[ALM]', 'Arabic letter mark'],
  [0x115f, 0x1160, true],
  [0x1680, 0x1680, false],
  [0x17b4, 0x17b5, true],
  [0x180e, 0x180e, true, '[MVS]', 'Mongolian vowel separator'],
  [0x2000, 0x200a, false],
  [0x200b, 0x200b, true, '[ZWSP]', 'zero width space'],
  [0x200c, 0x200c, false, '[ZWNJ]', 'zero width non-joiner'],
  [0x200d, 0x200d, false, '[ZWJ]', 'zero width joiner'],
  [0x200e, 0x200e, true, '[LRM]', 'left-to-right mark'],
  [0x200f, 0x200f, true, '[RLM]', 'right-to-left mark'],
  [0x2028, 0x2028, false, '[LS]', 'line separator'],
  [0x2029, 0x2029, false, '[PS]', 'paragraph separator'],
  [0x202a, 0x202a, true, '[LRE]', 'left-to-right embedding'],
  [0x202b, 0x202b, true, '[RLE]', 'right-to-left embedding'],
  [0x202c, 0x202c, true, '[PDF]', 'pop directional formatting'],
  [0x202d, 0x202d, true, '[LRO]', 'left-to-right override'],
  [0x202e, 0x202e, true, '[RLO]', 'right-to-left override'],
  [0x202f, 0x202f, false],
  [0x205f, 0x205f, false],
  [0x2060, 0x2060, true, '[WJ]', 'word joiner'],
  [0x2066, 0x2066, true, '[LRI]', 'left-to-right isolate'],
  [0x2067, 0x2067, true, '[RLI]', 'right-to-left isolate'],
  [0x2068, 0x2068, true, '[FSI]', 'first strong isolate'],
  [0x2069, 0x2069, true, '[PDI]', 'pop directional isolate'],
  [0x2061, 0x206f, true],
  [0x3000, 0x3000, false],
  [0x3164, 0x3164, true, '[HF]', 'Hangul filler'],
  [0xd800, 0xdfff, false],
  [0xfe00, 0xfe0f, false],
  [0xfeff, 0xfeff, true, '[BOM]', 'byte order mark'],
  [0xffa0, 0xffa0, true, '[HWHF]', 'halfwidth Hangul filler'],
  [0xfff0, 0xfffb, true],
  [0xfffd, 0xfffd, false, '�', 'replacement character: a byte that is not UTF-8'],
  [0xe0000, 0xe007f, true],
  [0xe0100, 0xe01ef, true],
];

const highest = 0xe01ef;

/** Gives what stands for a character that would not be seen; null for one that shows itself. */
export function describeHidden(codePoint: number): HiddenCharacter | null {
  if ((codePoint > 0x20 && codePoint < 0x7f) || codePoint > highest) return null;
  const row = rows.find(([first, last]) => codePoint >= first && codePoint <= last);
  if (row === undefined) return null;
  const number = nameCodePoint(codePoint);
  const mark = codePoint < 0x20 ? String.fromCodePoint(0x2400 + codePoint) : `[${number}]`;
  return { mark: row[3] ?? mark, name: row[4] ?? number };
}

const quiet = rows.filter(([, , isActive]) => !isActive).map(([first]) => first);

/** Text of tags, which nobody sees; behind a black flag up to six of them spell that of England, Scotland or Wales. */
const unseenTag = String.raw`(?<!\ud83c\udff4(?:\udb40[\udc20-\udc7f]){0,5})\udb40[\udc00-\udc7f]`;

/** One chooses the form of a Chinese character; anywhere else nobody sees it, and each can stand for a byte. */
const unseenSelector = String.raw`(?<![\u3400-\u9fff\uf900-\ufaff]|[\ud840-\ud88d][\udc00-\udfff])\udb40[\udd00-\uddef]`;

/** Signs whose form as text or emoji a selector chooses, and letters that have forms; half of a character may be such a sign. */
const unseenForm = String.raw`(?<![#*\d\u00a9\u00ae\u203c-\u205e\u20e3\u2100-\u2bff\u3001-\u303f\u3297\u3299]|(?<!\udb40)[\udc00-\udfff])[\ufe0e\ufe0f]`;
const unseenVariant = String.raw`(?<![0\u1000-\u109f\u2200-\u2bff\u3001-\u9fff\ua840-\ua87f\uf900-\ufaff\uff00-\uff60]|(?<!\udb40)[\udc00-\udfff])[\ufe00-\ufe0d]`;

/** Every character that acts on the text around it, or hides in it: controls, marks of direction, what has no width. */
export const activeCharacters = new RegExp(
  `[${rows
    .filter(([first, , isActive]) => isActive && first <= 0xffff)
    .flatMap(([first, last]) => listRanges(first, last))
    .map(([first, last]) => `${escapeCode(first)}-${escapeCode(last)}`)
    .join('')}]|${unseenTag}|${unseenSelector}|${unseenForm}|${unseenVariant}`,
  'g',
);

/** Cuts what belongs to ordinary writing out of a range. */
function listRanges(first: number, last: number): [number, number][] {
  const cut = quiet.find((code) => code >= first && code <= last);
  if (cut === undefined) return first > last ? [] : [[first, last]];
  return [...listRanges(first, cut - 1), ...listRanges(cut + 1, last)];
}

function escapeCode(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Writes each unit of UTF-16 as JSON and most languages escape it: `\u200b`. */
export function escapeUnit(character: string): string {
  let written = '';
  for (let at = 0; at < character.length; at += 1) written += escapeCode(character.charCodeAt(at));
  return written;
}
