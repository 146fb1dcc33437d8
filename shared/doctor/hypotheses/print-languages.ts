import type { JsonNode } from '../../json/json-tree';
import { encodeForUrl } from '../../encode-for-url';
import { printInspected } from './print-node';
import { printDump, printExport, printReadable } from './print-php';
import { printPython } from './print-python';
import { showText } from '../report/show-text';

/** One kind of value after the other, as a language turns what it parsed into text; members come in the order of the body. */
interface Printer {
  readonly text: (text: string) => string;
  readonly number: (literal: string) => string;
  readonly names: Readonly<Record<string, string>>;
  readonly list: (items: string[]) => string;
  readonly object: (members: [name: string, value: string][]) => string;
}

/** What was written with a point or an exponent becomes a float. */
const isWhole = (literal: string): boolean => !/[.eE]/.test(literal);
const asIs = (text: string): string => text;

function print(node: JsonNode, by: Printer): string {
  switch (node.kind) {
    case 'string':
      return by.text(node.text);
    case 'number':
      return by.number(node.text);
    case 'name':
      return by.names[node.text] ?? node.text;
    case 'array':
      return by.list(node.items.map((item) => print(item, by)));
    case 'object':
      return by.object([...node.members].map(([name, value]) => [name, print(value, by)]));
  }
}

/** How a language writes floats, each in the shortest digits that give it back. */
interface FloatStyle {
  /** From the first power of ten on, and below the second, there is no exponent. */
  readonly plain: readonly [from: number, below: number];
  /** What stands behind a number without an exponent that has no point, and behind the digits before one. */
  readonly whole: readonly [plain: string, digits: string];
  /** Writes what follows the digits. */
  readonly power: (exponent: number) => string;
}

const sign = (exponent: number): string => (exponent < 0 ? '-' : '+');
const powerOfTwoDigits = (exponent: number): string =>
  `e${sign(exponent)}${String(Math.abs(exponent)).padStart(2, '0')}`;

function writeFloat(literal: string, { plain: [from, below], whole, power }: FloatStyle): string {
  const value = Number(literal);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  if (value === 0 || (Number(exponent) >= from && Number(exponent) < below)) {
    const plain = String(value);
    return plain.includes('.') ? plain : plain + whole[0];
  }
  return (digits.includes('.') ? digits : digits + whole[1]) + power(Number(exponent));
}

const rubyEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function quoteAsRuby(text: string): string {
  const escaped = text
    .replace(/["\\]/g, '\\$&')
    .replace(/#(?=[{$@])/g, '\\#')
    .replace(/[\n\r\t]/g, (one) => rubyEscapes[one]!);
  return `"${escaped}"`;
}

const pythonFloat: FloatStyle = { plain: [-4, 16], whole: ['.0', ''], power: powerOfTwoDigits };
/** What was written without a point, too, once `float` has read it. */
export const printFloatOfPython = (literal: string): string => writeFloat(literal, pythonFloat);
const printAsPython = (literal: string): string => (isWhole(literal) ? literal : printFloatOfPython(literal));
const printAsRuby = (literal: string): string =>
  isWhole(literal)
    ? literal
    : writeFloat(literal, { plain: [-4, 16], whole: ['.0', '.0'], power: powerOfTwoDigits });
export const printAsJava = (literal: string): string =>
  writeFloat(literal, { plain: [-3, 7], whole: ['.0', '.0'], power: (exponent) => `E${exponent}` });

const inBrackets = (items: string[]): string => `[${items.join(', ')}]`;
const ruby = (object: Printer['object']): Printer => ({
  text: quoteAsRuby,
  number: printAsRuby,
  names: { null: 'nil' },
  list: inBrackets,
  object,
});
const rubyObject =
  (write: (name: string) => string, between: string): Printer['object'] =>
  (members) =>
    `{${members.map(([name, value]) => write(name) + between + value).join(', ')}}`;
const nameAsSymbol = (name: string): string => (/^[A-Za-z_]\w*[?!]?$/.test(name) ? name : quoteAsRuby(name));

const java = (number: Printer['number']): Printer => ({
  text: asIs,
  number,
  names: {},
  list: inBrackets,
  object: (members) => `{${members.map(([name, value]) => `${name}=${value}`).join(', ')}}`,
});

/** As `%v` of a float64, which is what JSON gives. */
export const printAsGo = (literal: string): string =>
  writeFloat(literal, { plain: [-4, 6], whole: ['', ''], power: powerOfTwoDigits });

const go: Printer = {
  text: asIs,
  number: printAsGo,
  names: { null: '<nil>' },
  list: (items) => `[${items.join(' ')}]`,
  object: (members) =>
    `map[${members
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => `${name}:${value}`)
      .join(' ')}]`,
};

const utf8 = new TextEncoder();
const serialiseText = (text: string): string => `s:${utf8.encode(text).length}:"${text}";`;
const printAsPhp = (literal: string): string =>
  writeFloat(literal, {
    plain: [-4, 17],
    whole: ['', '.0'],
    power: (exponent) => `E${sign(exponent)}${Math.abs(exponent)}`,
  });
/** Of 64 bits; larger ones are floats. */
const isPhpInteger = (literal: string): boolean =>
  isWhole(literal) && BigInt.asIntN(64, BigInt(literal)) === BigInt(literal);

const php: Printer = {
  text: serialiseText,
  number: (literal) => (isPhpInteger(literal) ? `i:${literal};` : `d:${printAsPhp(literal)};`),
  names: { true: 'b:1;', false: 'b:0;', null: 'N;' },
  list: (items) => `a:${items.length}:{${items.map((item, at) => `i:${at};${item}`).join('')}}`,
  object: (members) =>
    `a:${members.length}:{${members.map(([name, value]) => serialiseText(name) + value).join('')}}`,
};

const PRINTERS: readonly (readonly [how: string, printer: Printer])[] = [
  ['as Ruby prints a hash', ruby(rubyObject(quoteAsRuby, '=>'))],
  ['as Ruby prints a hash', ruby(rubyObject(quoteAsRuby, ' => '))],
  ['as Ruby prints a hash of symbols', ruby(rubyObject((name) => `:${nameAsSymbol(name)}`, '=>'))],
  ['as Ruby prints a hash of symbols', ruby(rubyObject((name) => `${nameAsSymbol(name)}:`, ' '))],
  ['as Go prints a map', go],
  ['as Java prints a map', java((literal) => (isWhole(literal) ? literal : printAsJava(literal)))],
  ['as Java prints a map of doubles', java(printAsJava)],
  ['as PHP serialises an array', php],
];

/** Lists the texts that languages make of a value which they parsed, where code signs it without writing JSON of it. */
export function listPrinted(tree: JsonNode): (readonly [text: string, how: string])[] {
  if (tree.kind !== 'object' && tree.kind !== 'array') return [];
  return [
    [printPython(tree), 'as Python prints a dict'],
    [printPython(tree, printAsPython), 'as Python prints a dict'],
    ...PRINTERS.map(([how, printer]) => [print(tree, printer), how] as const),
    [printInspected(tree), 'as Node prints an object'],
    ...listOfPhp(tree),
    ...listForms(tree),
  ];
}

function listOfPhp(tree: JsonNode): (readonly [text: string, how: string])[] {
  const plain = (literal: string): string => (isPhpInteger(literal) ? literal : printAsPhp(literal));
  const exact = (literal: string): string =>
    isPhpInteger(literal) ? literal : printAsPhp(literal).replace(/^-?\d+$/, '$&.0');
  return [
    [printReadable(tree, plain), "as PHP's print_r prints an array"],
    [printReadable(tree, plain, 'stdClass Object'), "as PHP's print_r prints an object"],
    [printExport(tree, exact), "as PHP's var_export prints an array"],
    [printDump(tree, plain), "as PHP's var_dump prints an array"],
  ];
}

/** As a form is sent: what stands in objects and lists has its path in brackets, and what is null is left out. */
function listForms(tree: JsonNode): (readonly [text: string, how: string])[] {
  const pairs = [...listPairs(tree, '')];
  const write = (encode: (text: string) => string): string =>
    pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const how = 'as the fields of a form';
  return [
    [write(encodeAsForm), how],
    [write(asIs), `${how}, not encoded`],
  ];
}

const MARKS = ['', '|', ',', ':', '-', '_', ' ', '&'];

/** All values one behind the other, in the order of the body or of their names, bare or behind these. */
export function listJoined(tree: JsonNode): (readonly [text: string, how: string])[] {
  const pairs = [...listPairs(tree, '')];
  const sorted = pairs.toSorted(([left], [right]) => (left < right ? -1 : 1));
  const orders = [
    [pairs, 'in their order there'],
    [sorted, 'sorted by their names'],
  ] as const;
  return orders.flatMap(([list, order]) => [
    ...MARKS.map((mark): [string, string] => {
      const between = mark === '' ? 'with nothing' : `with ${showText(mark)}`;
      return [list.map(([, value]) => value).join(mark), `all its values ${order}, ${between} between them`];
    }),
    ...['=', ''].flatMap((equals) =>
      ['&', ''].map((mark): [string, string] => [
        list.map(([name, value]) => name + equals + value).join(mark),
        `all its names and values ${order}, joined`,
      ]),
    ),
  ]);
}

function* listPairs(node: JsonNode, path: string): Generator<[name: string, value: string]> {
  const below = (name: string): string => (path === '' ? name : `${path}[${name}]`);
  if (node.kind === 'object') for (const [name, value] of node.members) yield* listPairs(value, below(name));
  else if (node.kind === 'array')
    for (const [at, item] of node.items.entries()) yield* listPairs(item, below(String(at)));
  else if (node.kind === 'number') yield [path, isPhpInteger(node.text) ? node.text : printAsPhp(node.text)];
  else if (node.kind === 'string') yield [path, node.text];
  else if (node.text !== 'null') yield [path, node.text === 'true' ? '1' : '0'];
}

const encodeAsForm = (text: string): string =>
  encodeForUrl(text)
    .replace(/[!'()*~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
