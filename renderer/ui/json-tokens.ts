export type JsonTokenKind = 'key' | 'string' | 'number' | 'word' | 'mark' | 'plain';

export interface JsonToken {
  kind: JsonTokenKind;
  start: number;
  end: number;
}

const pattern = /"(?:[^"\\\n]|\\.)*"?|-?\d[\d.eE+-]*|[A-Za-z]+|[{}[\],:]|\s+|./gu;

/**
 * Cuts one line of JSON-like text into coloured parts; nothing is changed, and text that is not JSON stays readable.
 *
 * A string followed by a colon is a key. Works line by line, so that only lines in view are ever cut.
 */
export function tokenizeJsonLine(line: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  for (const match of line.matchAll(pattern)) {
    const text = match[0];
    const start = match.index;
    tokens.push({ kind: kindOf(text, line, start + text.length), start, end: start + text.length });
  }
  return tokens;
}

function kindOf(text: string, line: string, end: number): JsonTokenKind {
  const first = text[0] ?? '';
  if (first === '"') return /^\s*:/.test(line.slice(end, end + 8)) ? 'key' : 'string';
  if (/[-\d]/.test(first)) return 'number';
  if (/[A-Za-z]/.test(first)) return 'word';
  return /[{}[\],:]/.test(first) ? 'mark' : 'plain';
}

const longestPrettyChars = 2_000_000;
/** Indents grow with the depth: a hostile body of a hundred thousand levels would become a text beyond all memory. */
const longestLaidOutChars = 16_000_000;

/**
 * Lays JSON out over lines without touching a literal: `1500.00` and `1e3` stay as written.
 *
 * Text that is laid out already (a line ends after its first bracket), is or would become very long, or is not
 * JSON comes back as it is.
 */
export function layOutJson(text: string): string {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[') || text.length > longestPrettyChars || isLaidOut(text)) return text;
  const parts: string[] = [];
  let depth = 0;
  let size = text.length;
  let isAfterOpening = false;
  const breakLine = (): string => {
    size += 2 * Math.max(0, depth);
    return size > longestLaidOutChars ? '' : `\n${'  '.repeat(Math.max(0, depth))}`;
  };
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|\s+|[^\s{}[\],:"]+|"/g)) {
    const first = part[0] ?? '';
    if (/\s/.test(first)) continue;
    const isClosing = first === '}' || first === ']';
    if (isClosing) depth -= 1;
    if (isAfterOpening !== isClosing) parts.push(isAfterOpening || isClosing ? breakLine() : '');
    parts.push(first === ':' ? ': ' : part);
    isAfterOpening = first === '{' || first === '[';
    if (isAfterOpening) depth += 1;
    if (first === ',') parts.push(breakLine());
    if (size > longestLaidOutChars) return text;
  }
  return parts.join('');
}

function isLaidOut(text: string): boolean {
  return /^\s*[{[][ \t\r]*\n/.test(text);
}
