import { ownValue } from '../../own-value';
import { ENTRY_CHARACTERS, ExpansionRoom } from './expansion-room';

/** A value of PowerShell as far as requests go: text, a table, or something that only running it would tell (null). */
export type PowershellValue = string | Map<string, PowershellValue> | null;

/** Where reading stands, and what variables hold so far. */
export interface PowershellReader {
  text: string;
  at: number;
  variables: Map<string, PowershellValue>;
  /** Asked for, and set by the script to what only running it would tell. */
  untold: Set<string>;
  room: ExpansionRoom;
  /** A text in it does not end. */
  isUnclosed?: boolean;
}

export const createReader = (text: string): PowershellReader => ({
  text,
  at: 0,
  variables: new Map(),
  untold: new Set(),
  room: new ExpansionRoom(),
});

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

/** Stands where only running the script would tell. */
export const UNKNOWN = '{{output}}';

/** Deeper than anybody writes brackets within brackets. */
const MAX_DEPTH = 20;

/** Passes over blanks of any kind, comments and continued lines; line ends too where `overLines`. No word begins with a blank. */
export function skipBlanks(reader: PowershellReader, overLines = false): void {
  const pattern = overLines ? /(?:\s|`\r?\n|#[^\n]*|;)*/y : /(?:[^\S\r\n]|`[ \t]*\r?\n|#[^\n]*)*/y;
  for (;;) {
    pattern.lastIndex = reader.at;
    // Behind the end nothing matches, and that would begin anew.
    if (pattern.test(reader.text)) reader.at = pattern.lastIndex;
    if (!reader.text.startsWith('<#', reader.at)) return;
    const end = reader.text.indexOf('#>', reader.at);
    reader.at = end === -1 ? reader.text.length : end + 2;
  }
}

function readSingle(reader: PowershellReader): string {
  let value = '';
  for (reader.at += 1; reader.at < reader.text.length; reader.at += 1) {
    const character = reader.text[reader.at]!;
    if (character === "'" && reader.text[reader.at + 1] !== "'") break;
    if (character === "'") reader.at += 1;
    value += character;
  }
  if (reader.at >= reader.text.length) reader.isUnclosed = true;
  reader.at += 1;
  return value;
}

const variableStart = /^\$(?:\{([^}]+)\}|((?:(?:env|global|local|private|script|using):)?[A-Za-z_]\w*))/i;
const constants: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: '' };

/** What a variable is known by: names are the same in any case and, here, in any scope but that of the environment. */
export const keyOf = (name: string): string =>
  name.toLowerCase().replace(/^(?:global|local|private|script|using):/, '');

/** Gives what a variable holds, or a member of it; what the script does not say becomes a variable of ours. */
function lookUp(reader: PowershellReader, name: string, members: readonly string[] = []): PowershellValue {
  let value = ownValue(constants, name.toLowerCase()) ?? reader.variables.get(keyOf(name));
  for (const member of members) value = value instanceof Map ? findMember(value, member) : undefined;
  reader.room.spend(sizeOf(value));
  if (value === null) reader.untold.add(name.replace(/^\w+:/, ''));
  return value ?? `{{${[name.replace(/^\w+:/, ''), ...members].join('_')}}}`;
}

/** What a value takes where it is put in, in characters; the texts of a table are not copied. */
export const sizeOf = (value: PowershellValue | undefined): number =>
  value instanceof Map ? value.size * ENTRY_CHARACTERS : (value?.length ?? 0);

function findMember(table: Map<string, PowershellValue>, member: string): PowershellValue | undefined {
  const found = [...table].find(([key]) => key.toLowerCase() === member.toLowerCase());
  return found?.[1];
}

/** `$name`, `${name}`, `$([char]233)` and `$(…)` within a text. */
function readInserted(reader: PowershellReader, depth: number): string {
  const rest = reader.text.slice(reader.at, reader.at + 300);
  const character = /^\$\(\[char\]\s*(0x[\da-f]+|\d+)\)/i.exec(rest);
  if (character !== null) {
    reader.at += character[0].length;
    return String.fromCharCode(Number(character[1]));
  }
  const variable = variableStart.exec(rest);
  reader.at += variable?.[0].length ?? 1;
  if (variable === null && !rest.startsWith('$(')) return '$';
  const value = variable === null ? readBrackets(reader, depth) : lookUp(reader, nameIn(variable));
  return typeof value === 'string' ? value : UNKNOWN;
}

const nameIn = (variable: RegExpExecArray): string => variable[1] ?? variable[2] ?? '';

/** Reads a text in which variables and escapes count: to the quote that ends it (null: all of it). */
function readExpandable(reader: PowershellReader, quote: '"' | null, depth: number): string {
  let value = '';
  while (reader.at < reader.text.length) {
    const character = reader.text[reader.at]!;
    const next = reader.text[reader.at + 1] ?? '';
    const isQuote = character === quote;
    if (isQuote && next !== '"') break;
    if (character === '$') {
      value += readInserted(reader, depth);
      continue;
    }
    const unicode = /^`u\{([\da-f]{1,6})\}/i.exec(reader.text.slice(reader.at, reader.at + 12));
    if (unicode !== null && Number.parseInt(unicode[1]!, 16) <= 0x10ffff) {
      value += String.fromCodePoint(Number.parseInt(unicode[1]!, 16));
      reader.at += unicode[0].length;
      continue;
    }
    value += character === '`' ? (escapes[next] ?? next) : character;
    reader.at += character === '`' || isQuote ? 2 : 1;
  }
  return value;
}

function readDouble(reader: PowershellReader, depth: number): string {
  reader.at += 1;
  const value = readExpandable(reader, '"', depth);
  if (reader.at >= reader.text.length) reader.isUnclosed = true;
  reader.at += 1;
  return value;
}

/** `@"` … `"@`: the lines in between; in double quotes with variables and escapes. */
function readHere(reader: PowershellReader, depth: number): string {
  const quote = reader.text[reader.at + 1]!;
  const start = reader.text.indexOf('\n', reader.at) + 1;
  const end = reader.text.indexOf(`\n${quote}@`, start - 1);
  const close = end === -1 ? reader.text.length : end;
  if (end === -1) reader.isUnclosed = true;
  reader.at = Math.min(reader.text.length, close + 3);
  const text = reader.text.slice(start, Math.max(start, close)).replace(/\r$/, '');
  return quote === "'" ? text : readExpandable({ ...reader, text, at: 0 }, null, depth);
}

function readTable(reader: PowershellReader, depth: number): Map<string, PowershellValue> {
  const table = new Map<string, PowershellValue>();
  reader.at += 2;
  for (;;) {
    skipBlanks(reader, true);
    if (reader.at >= reader.text.length || reader.text[reader.at] === '}') break;
    const before = reader.at;
    const key = readKey(reader, depth);
    skipBlanks(reader, true);
    if (reader.text[reader.at] === '=') {
      reader.at += 1;
      skipBlanks(reader, true);
      table.set(key, readPowershellExpression(reader, depth + 1));
    }
    if (reader.at === before) reader.at += 1;
  }
  reader.at += 1;
  return table;
}

function readKey(reader: PowershellReader, depth: number): string {
  const first = reader.text[reader.at];
  if (first === "'") return readSingle(reader);
  return first === '"' ? readDouble(reader, depth) : readWhile(reader, /[^\s=}'"]/);
}

function readWhile(reader: PowershellReader, part: RegExp): string {
  const from = reader.at;
  while (reader.at < reader.text.length && part.test(reader.text[reader.at]!)) reader.at += 1;
  return reader.text.slice(from, reader.at);
}

/** One word as an argument has it: texts, variables and bare characters side by side. */
export function readPowershellWord(reader: PowershellReader, depth = 0): string {
  let word = '';
  let level = 0;
  while (reader.at < reader.text.length) {
    const character = reader.text[reader.at]!;
    const next = reader.text[reader.at + 1] ?? '';
    if (/[\s;|]/.test(character) || (level === 0 && /[)}]/.test(character))) break;
    if (/^`[ \t]*\r?\n/.test(reader.text.slice(reader.at, reader.at + 20))) break;
    if (character === "'") word += readSingle(reader);
    else if (character === '"') word += readDouble(reader, depth);
    else if (character === '$') word += readInserted(reader, depth);
    else {
      if (/[({]/.test(character)) level += 1;
      if (/[)}]/.test(character)) level -= 1;
      word += character === '`' ? (escapes[next] ?? next) : character;
      reader.at += character === '`' ? 2 : 1;
    }
  }
  return word;
}

/** Passes over what is not read: to the bracket that closes it or, outside of brackets, the statement's end. */
function skipRest(reader: PowershellReader, isInBrackets: boolean, depth: number): void {
  let level = 0;
  while (reader.at < reader.text.length) {
    const character = reader.text[reader.at]!;
    if (level === 0 && (/[)}]/.test(character) || (!isInBrackets && /[\r\n;]/.test(character)))) return;
    if (character === "'") readSingle(reader);
    else if (character === '"') readDouble(reader, depth);
    else {
      if (/[({]/.test(character)) level += 1;
      if (/[)}]/.test(character)) level -= 1;
      reader.at += character === '`' ? 2 : 1;
    }
  }
}

/** `( … )`: the value in it; what only running it would tell is null. */
function readBrackets(reader: PowershellReader, depth: number): PowershellValue {
  if (depth > MAX_DEPTH) {
    reader.at = reader.text.length;
    return null;
  }
  reader.at += 1;
  skipBlanks(reader, true);
  const value = readPowershellExpression(reader, depth + 1);
  skipBlanks(reader, true);
  const isWhole = reader.text[reader.at] === ')';
  if (!isWhole) skipRest(reader, true, depth + 1);
  reader.at += 1;
  return isWhole ? value : null;
}

/** `[Type]::Member( … )`: the text whose bytes it gives, anything else is not known. */
function readStatic(reader: PowershellReader, begin: string, depth: number): PowershellValue {
  reader.at += begin.length;
  const value = reader.text[reader.at] === '(' ? readBrackets(reader, depth) : null;
  return /Encoding\]::UTF8\.GetBytes$/i.test(begin) ? value : null;
}

/** `$name`, `$name.key`, `$name["key"]`; what a method would give is asked for as the name itself. */
function readVariable(reader: PowershellReader, variable: RegExpExecArray, depth: number): PowershellValue {
  const name = nameIn(variable);
  const members: string[] = [];
  reader.at += variable[0].length;
  for (;;) {
    const member = /^(?:\.(\w+)|\[([\w\s"'-]+)\])/.exec(reader.text.slice(reader.at, reader.at + 200));
    if (member === null) break;
    reader.at += member[0].length;
    if (reader.text[reader.at] === '(') {
      readBrackets(reader, depth);
      return `{{${name.replace(/^\w+:/, '')}}}`;
    }
    members.push(member[1] ?? member[2]!.trim().replace(/^["']|["']$/g, ''));
  }
  const value = lookUp(reader, name, members);
  // `$base/payments?id=$id`: an argument that goes on without quotes.
  const isWord = typeof value === 'string' && /[/?]/.test(reader.text[reader.at] ?? '');
  return isWord ? value + readPowershellWord(reader, depth) : value;
}

/** Reads the value that stands here. */
export function readPowershellValue(reader: PowershellReader, depth = 0): PowershellValue {
  if (depth > MAX_DEPTH) {
    reader.at = reader.text.length;
    return null;
  }
  const rest = reader.text.slice(reader.at, reader.at + 300);
  if (/^@["'][ \t]*\r?\n/.test(rest)) return readHere(reader, depth);
  if (rest.startsWith('@{')) return readTable(reader, depth);
  if (rest.startsWith("'")) return readSingle(reader);
  if (rest.startsWith('"')) return readDouble(reader, depth);
  if (rest.startsWith('(')) return readBrackets(reader, depth);
  if (rest.startsWith('@(')) {
    reader.at += 1;
    readBrackets(reader, depth);
    return null;
  }
  const member = /^\[[\w.[\],]+\]::[\w.]+/.exec(rest);
  if (member !== null) return readStatic(reader, member[0], depth);
  const cast = /^\[[\w.[\],]+\]\s*/.exec(rest);
  if (cast !== null) {
    reader.at += cast[0].length;
    return readPowershellValue(reader, depth + 1);
  }
  const variable = variableStart.exec(rest);
  return variable === null ? readPowershellWord(reader, depth) : readVariable(reader, variable, depth);
}

/**
 * Reads a value where PowerShell reckons: behind `=` and in brackets. Texts may be put together with `+` there.
 *
 * A bare word is a command there, and its answer is not known; as what any other operator gives is not.
 */
export function readPowershellExpression(reader: PowershellReader, depth = 0): PowershellValue {
  let value = readOperand(reader, depth);
  skipBlanks(reader);
  while (reader.text[reader.at] === '+') {
    reader.at += 1;
    skipBlanks(reader, true);
    value = join(value, readOperand(reader, depth));
    skipBlanks(reader);
  }
  if (!/^(?:-[A-Za-z]|[*/%,.[])/.test(reader.text.slice(reader.at, reader.at + 2))) return value;
  skipRest(reader, false, depth);
  return null;
}

const number = /^-?[\d.]+/;

function readOperand(reader: PowershellReader, depth: number): PowershellValue {
  const rest = reader.text.slice(reader.at, reader.at + 100);
  const digits = number.exec(rest);
  if (digits !== null) {
    reader.at += digits[0].length;
    return digits[0];
  }
  if (/^["'$@([]/.test(rest)) return readPowershellValue(reader, depth);
  skipRest(reader, false, depth);
  return null;
}

/** As numbers they would be added up; a text that grows is not looked at again and again. */
const isNumber = (text: string): boolean => text.length < 30 && number.exec(text)?.[0] === text;

function join(left: PowershellValue, right: PowershellValue): string | null {
  if (typeof left !== 'string' || typeof right !== 'string') return null;
  return isNumber(left) && isNumber(right) ? null : left + right;
}
