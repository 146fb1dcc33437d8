import { ownValue } from '../../own-value';

const ansiEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/** Reads the escapes of a text as `printf` and `echo -e` do. */
export const readEscapes = (text: string): string => readTo(null, text, 0).value;

/** Reads what stands in `$'…'`, with the escapes of C; `from` is behind its first quote. */
export function readAnsi(text: string, from: number): { value: string; end: number } {
  return readTo("'", text, from);
}

/** `quote` ends it; null: nothing does but the end of the text. */
function readTo(quote: "'" | null, text: string, from: number): { value: string; end: number } {
  let value = '';
  let at = from;
  const add = (part: string, width: number): void => {
    value += part;
    at += width;
  };
  while (at < text.length && text[at] !== quote) {
    if (text[at] !== '\\') {
      add(text[at]!, 1);
      continue;
    }
    const rest = text.slice(at, at + 12);
    const bytes = /^(?:\\(?:x[\dA-Fa-f]{1,2}|[0-7]{1,3}))+/.exec(text.slice(at, at + 4000));
    if (bytes !== null) {
      add(readBytes(bytes[0]), bytes[0].length);
      continue;
    }
    const coded = /^\\(?:u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8}))/.exec(rest);
    if (coded === null) add(ownValue(ansiEscapes, rest[1] ?? '') ?? rest.slice(0, 2), 2);
    else add(readCode(coded[1] ?? coded[2] ?? ''), coded[0].length);
  }
  return { value, end: at + 1 };
}

/** `\xe2\x80\x8b`: bytes of UTF-8, several to a character. */
function readBytes(written: string): string {
  const codes = [...written.matchAll(/\\(?:x([\dA-Fa-f]+)|([0-7]+))/g)].map(([, hex, octal]) =>
    hex === undefined ? Number.parseInt(octal ?? '', 8) & 0xff : Number.parseInt(hex, 16),
  );
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(codes));
}

function readCode(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}
