import type { JsonNode } from '../../json/json-tree';

/** How a serialiser writes JSON. */
export interface JsonStyle {
  readonly name: string;
  /** One level of indentation; empty: all on one line. */
  readonly indent: string;
  readonly lineEnd: string;
  readonly comma: string;
  readonly colon: string;
  /** Lists stay on one line, and what is empty has a space in it, as Jackson writes them. */
  readonly isJackson: boolean;
  readonly isSorted: boolean;
  readonly escape: ((written: string) => string) | null;
  /** Numbers as floating point prints them, not as written. */
  readonly hasPlainNumbers: boolean;
  /** Met often. */
  readonly isCommon: boolean;
}

const MINIFIED: JsonStyle = {
  name: 'minified',
  indent: '',
  lineEnd: '\n',
  comma: ',',
  colon: ':',
  isJackson: false,
  isSorted: false,
  escape: null,
  hasPlainNumbers: false,
  isCommon: true,
};
const SPACED = { ...MINIFIED, name: 'with spaces after commas and colons', comma: ', ', colon: ': ' };
const PRETTY = { ...MINIFIED, name: 'pretty-printed (2 spaces)', indent: '  ', colon: ': ' };
const JACKSON = { ...PRETTY, name: 'pretty-printed by Jackson', colon: ' : ', isJackson: true };
const rare = (style: JsonStyle, name: string, change: Partial<JsonStyle>): JsonStyle => {
  return { ...style, ...change, name, isCommon: false };
};

const LAYOUTS: readonly JsonStyle[] = [
  MINIFIED,
  SPACED,
  PRETTY,
  rare(PRETTY, 'pretty-printed (4 spaces)', { indent: '    ' }),
  rare(PRETTY, 'pretty-printed (tabs)', { indent: '\t' }),
  JACKSON,
  rare(JACKSON, 'pretty-printed by Jackson with CRLF', { lineEnd: '\r\n' }),
  rare(PRETTY, 'pretty-printed (2 spaces) with CRLF', { lineEnd: '\r\n' }),
  rare(PRETTY, 'pretty-printed (4 spaces) with CRLF', { indent: '    ', lineEnd: '\r\n' }),
  rare(PRETTY, 'pretty-printed (tabs) with CRLF', { indent: '\t', lineEnd: '\r\n' }),
];

/** What serialisers escape beyond what JSON asks for. */
const ESCAPES: readonly (readonly [name: string, escape: (written: string) => string])[] = [
  ['non-ASCII escaped', escapeBeyondAscii],
  ['slashes escaped', escapeSlashes],
  ['escaped as PHP does', (written) => escapeSlashes(escapeBeyondAscii(written))],
  ['escaped as Go does', (written) => escapeAll(written, /[<>&\u2028\u2029]/g)],
  ['escaped as .NET does', (written) => escapeAsDotNet(written)],
  ['escaped as Gson does', (written) => escapeAll(written, /[<>&='\u2028\u2029]/g)],
];

/** Every style that is tried, the likely ones first. */
export const JSON_STYLES: readonly JsonStyle[] = LAYOUTS.flatMap((layout) => [
  layout,
  { ...layout, name: `${layout.name}, keys sorted`, isSorted: true },
]).flatMap((style) => [
  style,
  ...ESCAPES.map(([name, escape]) => rare(style, `${style.name}, ${name}`, { escape })),
  rare(style, `${style.name}, numbers rewritten`, { hasPlainNumbers: true }),
]);

/** Writes a tree in a style. Number literals stay as written unless the style rewrites them. */
export function writeJson(node: JsonNode, style: JsonStyle): string {
  return writeNode(node, style, style.indent === '' ? '' : style.lineEnd);
}

function writeNode(node: JsonNode, style: JsonStyle, lineStart: string): string {
  switch (node.kind) {
    case 'string':
      return writeText(node.text, style);
    case 'number':
      return style.hasPlainNumbers ? String(Number(node.text)) : node.text;
    case 'name':
      return node.text;
    case 'array': {
      const inner = style.isJackson ? lineStart : lineStart + style.indent;
      const items = node.items.map((item) => writeNode(item, style, inner));
      if (!style.isJackson) return enclose('[', items, ']', style, lineStart);
      return items.length === 0 ? '[ ]' : `[ ${items.join(', ')} ]`;
    }
    case 'object': {
      const inner = lineStart + style.indent;
      const entries = [...node.members];
      if (style.isSorted) entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
      const written = entries.map(
        ([key, member]) => writeText(key, style) + style.colon + writeNode(member, style, inner),
      );
      if (style.isJackson && written.length === 0) return '{ }';
      return enclose('{', written, '}', style, lineStart);
    }
  }
}

function enclose(open: string, items: string[], close: string, style: JsonStyle, lineStart: string): string {
  if (items.length === 0 || style.indent === '') return open + items.join(style.comma) + close;
  const inner = lineStart + style.indent;
  return open + inner + items.join(`,${inner}`) + lineStart + close;
}

function writeText(text: string, { escape }: JsonStyle): string {
  const written = JSON.stringify(text);
  return escape === null ? written : escape(written);
}

/** Writes what is beyond ASCII as `\uXXXX`. */
export function escapeBeyondAscii(written: string): string {
  return escapeAll(written, /[\u007f-\uffff]/g);
}

function escapeAll(written: string, pattern: RegExp): string {
  return written.replace(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function escapeSlashes(written: string): string {
  return written.replaceAll('/', '\\/');
}

/** A quote that JSON escapes with a backslash is escaped by its number, and digits are in upper case. */
function escapeAsDotNet(written: string): string {
  const inner = written.slice(1, -1).replace(/\\"/g, '\u0022');
  const escaped = inner.replace(
    /["&'+<>`\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}
