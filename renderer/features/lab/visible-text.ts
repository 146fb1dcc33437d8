export interface VisiblePart {
  text: string;
  /** Name of a character that would not be seen; null for text that shows itself. */
  name: string | null;
}

const names: Record<number, [symbol: string, name: string]> = {
  0x0009: ['⇥', 'tab'],
  0x000a: ['↵', 'line feed'],
  0x000d: ['␍', 'carriage return'],
  0x0020: ['␣', 'space'],
  0x00a0: ['⍽', 'no-break space'],
  0x00ad: ['[SHY]', 'soft hyphen'],
  0x200b: ['[ZWSP]', 'zero width space'],
  0x200c: ['[ZWNJ]', 'zero width non-joiner'],
  0x200d: ['[ZWJ]', 'zero width joiner'],
  0x200e: ['[LRM]', 'left-to-right mark'],
  0x200f: ['[RLM]', 'right-to-left mark'],
  0x2028: ['[LS]', 'line separator'],
  0x2029: ['[PS]', 'paragraph separator'],
  0x2060: ['[WJ]', 'word joiner'],
  0xfeff: ['[BOM]', 'byte order mark'],
  0xfffd: ['�', 'replacement character: a byte that is not UTF-8'],
};

/** Cuts text so that each character that would not be seen stands alone, with a symbol and its name. */
export function showInvisibles(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  for (const character of text) {
    const shown = describe(character.codePointAt(0)!);
    const last = parts.at(-1);
    if (shown) parts.push({ text: shown[0], name: shown[1] });
    else if (last && last.name === null) last.text += character;
    else parts.push({ text: character, name: null });
  }
  return parts;
}

function describe(code: number): [string, string] | null {
  const known = names[code];
  if (known) return known;
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const isBidi = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const isOddSpace =
    code === 0x1680 || (code >= 0x2000 && code <= 0x200a) || code === 0x202f || code === 0x3000;
  const isLoneSurrogate = code >= 0xd800 && code <= 0xdfff;
  if (isControl || isBidi || isOddSpace || isLoneSurrogate) return [`[U+${hex}]`, `U+${hex}`];
  return null;
}
