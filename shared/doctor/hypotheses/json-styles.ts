import { escapeUnit } from '../../hidden-characters';
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
  /** Writes a number as floating point prints it; null: as it stands in the body. */
  readonly rewrite: ((literal: string) => string) | null;
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
  rewrite: null,
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
  ['escaped as PHP does', escapeAsPhp],
  ['escaped as Go does', escapeAsGo],
  ['escaped as .NET does', (written) => escapeAsDotNet(written)],
  ['escaped as Gson does', (written) => escapeAll(written, /[<>&='\u2028\u2029]/g)],
];

const printNumber = (literal: string): string => String(Number(literal));

/** Languages that read the body and write it again: what they escape, and how they print numbers. */
const READERS: readonly (readonly [name: string, change: Partial<JsonStyle>])[] = [
  ['read and written by Python', { escape: escapeBeyondAscii, rewrite: printAsPython }],
  ['read and written by Python as UTF-8', { rewrite: printAsPython }],
  ['read and written by PHP', { escape: escapeAsPhp, rewrite: printNumber }],
  ['read and written by PHP, slashes escaped alone', { escape: escapeSlashes, rewrite: printNumber }],
  ['read and written by PHP, slashes not escaped', { escape: escapeBeyondAscii, rewrite: printNumber }],
  ['read and written by Go', { escape: escapeAsGo, rewrite: printNumber }],
];

/** How they indent where they are asked to. */
const PRETTY_READERS: readonly (readonly [
  name: string,
  indents: readonly string[],
  change: Partial<JsonStyle>,
])[] = [
  ['read and written by PHP', ['    '], { escape: escapeAsPhp, rewrite: printNumber }],
  [
    'read and written by PHP, slashes escaped alone',
    ['    '],
    { escape: escapeSlashes, rewrite: printNumber },
  ],
  ['read and written by Go', ['  ', '    ', '\t'], { escape: escapeAsGo, rewrite: printNumber }],
  ['read and written by Python', ['  ', '    '], { escape: escapeBeyondAscii, rewrite: printAsPython }],
];

/** What was written with a point or an exponent stays a float: `1e3` becomes `1000.0`. */
function printAsPython(literal: string): string {
  const printed = printNumber(literal);
  return /[.eE]/.test(literal) && /^-?\d+$/.test(printed) ? `${printed}.0` : printed;
}

function listReaders(style: JsonStyle): (readonly [name: string, change: Partial<JsonStyle>])[] {
  if (style.indent === '') return [...READERS];
  if (style.isJackson || style.lineEnd !== '\n') return [];
  return PRETTY_READERS.filter(([, indents]) => indents.includes(style.indent)).map(([name, , change]) => [
    name,
    change,
  ]);
}

/** Every style that is tried, the likely ones first. */
export const JSON_STYLES: readonly JsonStyle[] = LAYOUTS.flatMap((layout) => [
  layout,
  { ...layout, name: `${layout.name}, keys sorted`, isSorted: true },
]).flatMap((style) => [
  style,
  ...ESCAPES.map(([name, escape]) => rare(style, `${style.name}, ${name}`, { escape })),
  rare(style, `${style.name}, numbers rewritten`, { rewrite: printNumber }),
  ...listReaders(style).map(([name, change]) => rare(style, `${style.name}, ${name}`, change)),
]);

/** Sorts the members of the outermost object alone, as `ksort` of PHP and `sort.to_h` of Ruby do. */
export function sortTopLevel(node: JsonNode): JsonNode {
  if (node.kind !== 'object') return node;
  const byName = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
    left < right ? -1 : 1;
  return { kind: 'object', members: new Map([...node.members].sort(byName)) };
}

/** Styles for what is sorted already, each with what it then is called. */
export const SORTED_ABOVE: readonly JsonStyle[] = JSON_STYLES.filter(({ isSorted }) => !isSorted).map(
  (style) => ({ ...style, name: `its top-level keys alone sorted, ${style.name}` }),
);

/** Writes a tree in a style. Number literals stay as written unless the style rewrites them. */
export function writeJson(node: JsonNode, style: JsonStyle): string {
  return writeNode(node, style, style.indent === '' ? '' : style.lineEnd);
}

function writeNode(node: JsonNode, style: JsonStyle, lineStart: string): string {
  switch (node.kind) {
    case 'string':
      return writeText(node.text, style);
    case 'number':
      return style.rewrite?.(node.text) ?? node.text;
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
  return written.replace(pattern, escapeUnit);
}

function escapeAsPhp(written: string): string {
  return escapeSlashes(escapeBeyondAscii(written));
}

function escapeAsGo(written: string): string {
  return escapeAll(written, /[<>&\u2028\u2029]/g);
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
