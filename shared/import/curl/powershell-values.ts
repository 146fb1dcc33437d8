/** A value of PowerShell as far as requests go: text, a table, or something that only running it would tell (null). */
export type PowershellValue = string | Map<string, PowershellValue> | null;

/** Where reading stands, and what variables hold so far. */
export interface PowershellReader {
  text: string;
  at: number;
  variables: Map<string, PowershellValue>;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  a: '\x07',
  f: '\f',
  v: '\v',
  0: '\0',
  e: '\x1b',
};

/** Passes over blanks, comments and continued lines; line ends too where `overLines`. */
export function skipBlanks(reader: PowershellReader, overLines = false): void {
  const pattern = overLines ? /(?:\s|`\r?\n|#[^\n]*|;)*/y : /(?:[ \t]|`[ \t]*\r?\n|#[^\n]*)*/y;
  pattern.lastIndex = reader.at;
  reader.at += pattern.exec(reader.text)?.[0].length ?? 0;
}

function readSingle(reader: PowershellReader): string {
  let value = '';
  for (reader.at += 1; reader.at < reader.text.length; reader.at += 1) {
    const character = reader.text[reader.at]!;
    if (character === "'" && reader.text[reader.at + 1] !== "'") break;
    if (character === "'") reader.at += 1;
    value += character;
  }
  reader.at += 1;
  return value;
}

/** `$name`, `${name}`, `$([char]233)` and `$(…)` within quotes. */
function readInserted(reader: PowershellReader): string {
  const rest = reader.text.slice(reader.at, reader.at + 300);
  const character = /^\$\(\[char\]\s*(0x[\da-f]+|\d+)\)/i.exec(rest);
  const variable = /^\$(?:\{([^}]+)\}|(?:env:)?([A-Za-z_]\w*))/.exec(rest);
  const found = character ?? variable;
  reader.at += found?.[0].length ?? 1;
  if (character !== null) return String.fromCharCode(Number(character[1]));
  if (variable === null) return '$';
  const name = variable[1] ?? variable[2] ?? '';
  const known = reader.variables.get(name.toLowerCase());
  return typeof known === 'string' ? known : `{{${name}}}`;
}

function readDouble(reader: PowershellReader): string {
  let value = '';
  reader.at += 1;
  while (reader.at < reader.text.length) {
    const character = reader.text[reader.at]!;
    const next = reader.text[reader.at + 1] ?? '';
    if (character === '"' && next !== '"') break;
    if (character === '$') {
      value += readInserted(reader);
      continue;
    }
    const unicode = /^`u\{([\da-f]{1,6})\}/i.exec(reader.text.slice(reader.at, reader.at + 12));
    if (unicode !== null && Number.parseInt(unicode[1]!, 16) <= 0x10ffff) {
      value += String.fromCodePoint(Number.parseInt(unicode[1]!, 16));
      reader.at += unicode[0].length;
      continue;
    }
    if (character === '`') value += escapes[next] ?? next;
    else value += character;
    reader.at += character === '`' || character === '"' ? 2 : 1;
  }
  reader.at += 1;
  return value;
}

/** `@"` … `"@`: the lines in between. */
function readHere(reader: PowershellReader): string {
  const quote = reader.text[reader.at + 1]!;
  const start = reader.text.indexOf('\n', reader.at) + 1;
  const end = reader.text.indexOf(`\n${quote}@`, start - 1);
  const close = end === -1 ? reader.text.length : end;
  reader.at = Math.min(reader.text.length, close + 3);
  const lines = start === 0 ? '' : reader.text.slice(start, Math.max(start, close)).replace(/\r$/, '');
  if (quote === "'") return lines;
  return fillVariables(reader, lines);
}

function fillVariables({ variables }: PowershellReader, text: string): string {
  return text.replace(/\$(?:\{([^}]+)\}|([A-Za-z_]\w*))/g, (_whole, braced?: string, plain?: string) => {
    const known = variables.get((braced ?? plain ?? '').toLowerCase());
    return typeof known === 'string' ? known : `{{${braced ?? plain ?? ''}}}`;
  });
}

function readTable(reader: PowershellReader, depth: number): Map<string, PowershellValue> {
  const table = new Map<string, PowershellValue>();
  reader.at += 2;
  for (;;) {
    skipBlanks(reader, true);
    if (reader.at >= reader.text.length || reader.text[reader.at] === '}') break;
    const before = reader.at;
    const key = readWordOrText(reader, /[^\s=}'"]/);
    skipBlanks(reader, true);
    if (reader.text[reader.at] === '=') {
      reader.at += 1;
      skipBlanks(reader, true);
      table.set(key, readPowershellValue(reader, depth + 1));
    }
    if (reader.at === before) reader.at += 1;
  }
  reader.at += 1;
  return table;
}

function readWordOrText(reader: PowershellReader, part: RegExp): string {
  const first = reader.text[reader.at];
  if (first === "'") return readSingle(reader);
  if (first === '"') return readDouble(reader);
  let word = '';
  while (reader.at < reader.text.length && part.test(reader.text[reader.at]!))
    word += reader.text[reader.at++]!;
  return word;
}

/** `( … )`: a text in it, as in `([System.Text.Encoding]::UTF8.GetBytes("…"))`; anything else is not known. */
function readBrackets(reader: PowershellReader, depth: number): PowershellValue {
  const texts: PowershellValue[] = [];
  const isBytes = /^\(\s*\[System\.Text\.Encoding\]::UTF8\.GetBytes\(/i.test(
    reader.text.slice(reader.at, reader.at + 80),
  );
  const from = reader.at;
  let level = 0;
  do {
    const character = reader.text[reader.at]!;
    if (character === '"' || character === "'" || character === '@')
      texts.push(readPowershellValue(reader, depth + 1));
    else {
      if (character === '(') level += 1;
      if (character === ')') level -= 1;
      reader.at += 1;
    }
  } while (level > 0 && reader.at < reader.text.length);
  // A table that is made JSON of is no form.
  if (/\|\s*ConvertTo-Json\b/i.test(reader.text.slice(from, reader.at))) return null;
  return isBytes || texts.length === 1 ? (texts[0] ?? null) : null;
}

/** Reads the value that stands here. */
export function readPowershellValue(reader: PowershellReader, depth = 0): PowershellValue {
  if (depth > 20) {
    reader.at = reader.text.length;
    return null;
  }
  const rest = reader.text.slice(reader.at, reader.at + 200);
  if (/^@["'][ \t]*\r?\n/.test(rest)) return readHere(reader);
  if (rest.startsWith('@{')) return readTable(reader, depth);
  if (rest.startsWith("'")) return readSingle(reader);
  if (rest.startsWith('"')) return readDouble(reader);
  if (rest.startsWith('(')) return readBrackets(reader, depth);
  const cast = /^\[[\w.[\],]+\]\s*/.exec(rest);
  if (cast !== null) {
    reader.at += cast[0].length;
    return readPowershellValue(reader, depth + 1);
  }
  const variable = /^\$(?:\{([^}]+)\}|([A-Za-z_][\w:]*))/.exec(rest);
  if (variable !== null) {
    reader.at += variable[0].length;
    const name = variable[1] ?? variable[2] ?? '';
    const value = reader.variables.get(name.toLowerCase()) ?? `{{${name.replace(/^env:/i, '')}}}`;
    // `$base/payments?id=$id`: an argument that goes on without quotes.
    const isWord = typeof value === 'string' && /[/?]/.test(reader.text[reader.at] ?? '');
    return isWord ? value + fillVariables(reader, readWordOrText(reader, /[^\s;|)},'"]/)) : value;
  }
  return readWordOrText(reader, /[^\s;|)}]/);
}
