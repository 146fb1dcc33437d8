import type { JsonNode } from '../../json/json-tree';

/** How a serialiser writes JSON. */
export interface JsonStyle {
  readonly name: string;
  /** One level of indentation; empty: all on one line. */
  readonly indent: string;
  readonly comma: string;
  readonly colon: string;
  readonly isSorted: boolean;
  /** `\u00e9` for é. */
  readonly isAscii: boolean;
  /** `\/` for /, as PHP does. */
  readonly hasEscapedSlash: boolean;
  /** Numbers as floating point prints them, not as written. */
  readonly hasPlainNumbers: boolean;
}

const MINIFIED: JsonStyle = {
  name: 'minified',
  indent: '',
  comma: ',',
  colon: ':',
  isSorted: false,
  isAscii: false,
  hasEscapedSlash: false,
  hasPlainNumbers: false,
};
const PRETTY: JsonStyle = { ...MINIFIED, name: 'pretty-printed (2 spaces)', indent: '  ', colon: ': ' };
const SPACED: JsonStyle = {
  ...MINIFIED,
  name: 'with spaces after commas and colons',
  comma: ', ',
  colon: ': ',
};

const BASE: readonly JsonStyle[] = [
  MINIFIED,
  PRETTY,
  { ...PRETTY, name: 'pretty-printed (4 spaces)', indent: '    ' },
  { ...PRETTY, name: 'pretty-printed (tabs)', indent: '\t' },
  SPACED,
];
const SORTED = BASE.map((style) => ({ ...style, name: `${style.name}, keys sorted`, isSorted: true }));

/** Every style that is tried, the likely ones first. */
export const JSON_STYLES: readonly JsonStyle[] = [
  ...BASE,
  ...SORTED,
  ...[...BASE, ...SORTED].map((style) => ({
    ...style,
    name: `${style.name}, non-ASCII escaped`,
    isAscii: true,
  })),
  ...[...BASE, ...SORTED].map((style) => ({
    ...style,
    name: `${style.name}, slashes escaped`,
    hasEscapedSlash: true,
  })),
  ...BASE.map((style) => ({
    ...style,
    name: `${style.name}, escaped as PHP does`,
    isAscii: true,
    hasEscapedSlash: true,
  })),
  ...[...BASE, ...SORTED].map((style) => ({
    ...style,
    name: `${style.name}, numbers rewritten`,
    hasPlainNumbers: true,
  })),
];

/** Writes a tree in a style. Number literals stay as written unless the style rewrites them. */
export function writeJson(node: JsonNode, style: JsonStyle): string {
  return writeNode(node, style, style.indent === '' ? '' : '\n');
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
      const inner = lineStart + style.indent;
      return enclose(
        '[',
        node.items.map((item) => writeNode(item, style, inner)),
        ']',
        style,
        lineStart,
      );
    }
    case 'object': {
      const inner = lineStart + style.indent;
      const entries = [...node.members];
      if (style.isSorted) entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
      const written = entries.map(
        ([key, member]) => writeText(key, style) + style.colon + writeNode(member, style, inner),
      );
      return enclose('{', written, '}', style, lineStart);
    }
  }
}

function enclose(open: string, items: string[], close: string, style: JsonStyle, lineStart: string): string {
  if (items.length === 0 || style.indent === '') return open + items.join(style.comma) + close;
  const inner = lineStart + style.indent;
  return open + inner + items.join(`,${inner}`) + lineStart + close;
}

function writeText(text: string, style: JsonStyle): string {
  let written = JSON.stringify(text);
  if (style.hasEscapedSlash) written = written.replaceAll('/', '\\/');
  if (!style.isAscii) return written;
  return written.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
