/** Writes a text as a literal of some language; the text that comes out at run time is the same, bit for bit. */
export type WriteLiteral = (text: string) => string;

interface LiteralRules {
  readonly quote: string;
  /** Characters that need an escape beside the quote, the backslash and what cannot be seen. */
  readonly special: Readonly<Record<string, string>>;
  readonly escape: (codePoint: number) => string;
  /** Whether characters beyond ASCII stand as they are. */
  readonly keepsUnicode: boolean;
}

const UNSAFE =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- what a literal must not hold as it is
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e01ef}]/u;

function hex(codePoint: number, width: number): string {
  return codePoint.toString(16).padStart(width, '0');
}

/** Escapes with four digits, a pair of them beyond the first plane. */
function escapeUnits(codePoint: number): string {
  return Array.from({ length: codePoint > 0xffff ? 2 : 1 }, (_, index) =>
    String.fromCodePoint(codePoint).charCodeAt(index),
  )
    .map((unit) => `\\u${hex(unit, 4)}`)
    .join('');
}

const LINES = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function writer({
  quote = '"',
  special = LINES,
  escape = escapeUnits,
  keepsUnicode = true,
}: Partial<LiteralRules>): WriteLiteral {
  return (text) => {
    let written = '';
    for (const character of replaceHalves(text)) {
      const codePoint = character.codePointAt(0) ?? 0;
      if (character === quote || character === '\\') written += `\\${character}`;
      else if (special[character] !== undefined) written += special[character];
      else if (UNSAFE.test(character) || (!keepsUnicode && codePoint > 0x7e)) written += escape(codePoint);
      else written += character;
    }
    return quote + written + quote;
  };
}

/** UTF-8 has no half of a surrogate pair: what is signed for it is U+FFFD, so that is what the literal holds. */
function replaceHalves(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

/** Eight digits beyond the first plane. */
const escapeWide = (codePoint: number): string =>
  codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`;
const escapeInBraces = (codePoint: number): string => `\\u{${codePoint.toString(16)}}`;
/** Java reads `\u000a` as a line break in the source, so control characters are octal, always three digits. */
const escapeForJava = (codePoint: number): string =>
  codePoint < 0x80 ? `\\${codePoint.toString(8).padStart(3, '0')}` : escapeUnits(codePoint);
const DOLLAR = { ...LINES, $: '\\$' };

export const writeNodeLiteral = writer({ quote: "'" });
export const writePythonLiteral = writer({ escape: escapeWide });
export const writeJavaLiteral = writer({ escape: escapeForJava, keepsUnicode: false });
export const writePhpLiteral = writer({ special: DOLLAR, escape: escapeInBraces });
export const writeGoLiteral = writer({ escape: escapeWide });
export const writeCSharpLiteral = writer({});
export const writeRubyLiteral = writer({ special: { ...LINES, '#': '\\#' }, escape: escapeInBraces });
export const writeKotlinLiteral = writer({ special: DOLLAR });

const escapeBytes = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

/** A format for `printf`: it can hold any byte, which no shell variable can. */
export const writePrintfFormat: WriteLiteral = (text) => {
  let written = '';
  for (const character of replaceHalves(text)) {
    if (character === '%') written += '%%';
    else if (character === '\\') written += '\\\\';
    else if (character === "'") written += "'\\''";
    else if (UNSAFE.test(character)) written += escapeBytes(character);
    else written += character;
  }
  return `'${written}'`;
};
