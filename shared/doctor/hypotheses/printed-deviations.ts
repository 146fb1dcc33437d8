import type { JsonNode } from '../../json/json-tree';
import { encodeForUrl } from '../../encode-for-url';
import type { Cause } from '../causes';
import { type Deviation, type SubjectValue } from '../search/draft';
import { JSON_STYLES, writeJson } from './json-styles';
import { listPrinted, printAsGo, printAsJava, printFloatOfPython } from './print-languages';
import { printPython } from './print-python';
import { wholeDeviation } from './whole-deviations';

/** What the four values are called where code keeps them in one object. */
const SPELLINGS: readonly (readonly string[])[] = [
  ['reference', 'amount', 'country', 'service_code'],
  ['reference', 'amount', 'country', 'serviceCode'],
  ['Reference', 'Amount', 'Country', 'ServiceCode'],
  ['transaction_reference', 'amount', 'country', 'service_code'],
];

/** Lists what languages print of one object, or one list, that holds the four values, where code signs that. */
export function listPrintedDeviations(values: readonly SubjectValue[]): Deviation[] {
  const nodes = values
    .slice(0, 4)
    .map(({ text, isString }): JsonNode => ({ kind: isString ? 'string' : 'number', text }));
  const printed = [
    ...SPELLINGS.flatMap((names) => listObjects(names, nodes)),
    ...[asSent, printAsGo, printAsJava, printFloatOfPython].flatMap((write) => {
      const written = nodes.map((node, at): JsonNode =>
        at === 1 && node.kind === 'number' ? { kind: 'number', text: write(node.text) } : node,
      );
      return [...SPELLINGS.flatMap((names) => listRecords(names, written)), ...listOfPython(written)];
    }),
  ];
  const seen = new Set<string>();
  return [...printed, ...listPrinted({ kind: 'array', items: nodes })]
    .filter(([text]) => !seen.has(text) && seen.add(text))
    .map(([text, how]) => wholeDeviation(text, 'alone', [printedCause(how)]));
}

const asSent = (literal: string): string => literal;

type Printed = readonly [text: string, how: string];

function printedCause(how: string): Cause {
  return {
    code: 'string.quoted',
    phrase: `over the four values ${how}`,
    remedy: 'sign the values alone, without names, quotes or brackets, joined with nothing between them',
    expected: 'the bare values',
    actual: how,
  };
}

function listObjects(names: readonly string[], nodes: readonly JsonNode[]): Printed[] {
  const toObject = (order: readonly number[], amount = nodes[1]!): JsonNode => ({
    kind: 'object',
    members: new Map(order.map((at) => [names[at]!, at === 1 ? amount : nodes[at]!])),
  });
  const byName = [0, 1, 2, 3].sort((left, right) => (names[left]! < names[right]! ? -1 : 1));
  const orders = [[0, 1, 2, 3], byName, byHash(names, 16), byHash(names, 8)];
  const text = textOf(nodes[1]!);
  const decimal = `Decimal('${text}')`;
  return [
    ...orders.flatMap((order) => listPrinted(toObject(order))),
    ...orders.map((order): Printed => [printPython(toObject(order), () => decimal), 'as Python prints a dict of decimals']),
    ...JSON_STYLES.map((style): Printed => [writeJson(toObject([0, 1, 2, 3]), style), `as JSON, ${style.name}`]),
    ...JSON_STYLES.map((style): Printed => [
      writeJson(toObject([0, 1, 2, 3], { kind: 'string', text }), style),
      `as JSON with the amount as a text, ${style.name}`,
    ]),
  ]; // prettier-ignore
}

/** The order in which a HashMap of Java has names. @source java.util.HashMap, hash; its table has 16 buckets, that of a copy of four 8 */
function byHash(names: readonly string[], buckets: number): number[] {
  const bucket = (name: string): number => {
    const hash = Array.from(name).reduce((sum, one) => (Math.imul(sum, 31) + one.charCodeAt(0)) | 0, 0);
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  };
  return [0, 1, 2, 3].sort((left, right) => bucket(names[left]!) - bucket(names[right]!));
}

const textOf = (node: JsonNode): string => ('text' in node ? node.text : '');
const quotedOf = (node: JsonNode): string =>
  node.kind === 'string' ? JSON.stringify(node.text) : textOf(node);

const reprOf = (node: JsonNode): string => printPython(node);

/** Objects with a class or type of their own, whatever it is called: those that print its name are tried with the usual ones. */
const CLASSES = ['Payout', 'Payment', 'Transaction', 'Remittance', 'Request', 'SignatureData', 'StringToSign', 'Data', 'Payload'] as const; // prettier-ignore

function listRecords(names: readonly string[], nodes: readonly JsonNode[]): Printed[] {
  const texts = nodes.map(textOf);
  const pairs = (equals: string, write = textOf): string[] =>
    names.map((name, at) => `${name}${equals}${write(nodes[at]!)}`);
  const go = 'as Go prints a struct';
  return [
    [`{${texts.join(' ')}}`, go],
    [`&{${texts.join(' ')}}`, go],
    [`{${pairs(':').join(' ')}}`, go],
    [`&{${pairs(':').join(' ')}}`, go],
    [`[ ${texts.join(', ')} ]`, 'as a list'],
    [`{ ${pairs(' = ').join(', ')} }`, 'as .NET prints an anonymous object'],
    [`(${texts.join(', ')})`, 'as .NET prints a tuple'],
    [`${texts.join(' ')}\n`, 'with spaces between them and a line feed behind, as Go prints a line'],
    ...CLASSES.flatMap((name): Printed[] => [
      [`${name}[${pairs('=').join(', ')}]`, 'as Java prints a record'],
      [`${name}(${pairs('=', reprOf).join(', ')})`, 'as Python prints a class of data'],
      [`${name}(${pairs('=').join(', ')})`, 'as Kotlin and Lombok print a class'],
      [`${name}{${pairs('=').join(', ')}}`, 'as Java prints a class'],
      [`${name} { ${pairs(' = ').join(', ')} }`, 'as .NET prints a record'],
      [`#<struct ${name} ${pairs('=', quotedOf).join(', ')}>`, 'as Ruby prints a struct'],
      [`main.${name}{${pairs(':', quotedOf).join(', ')}}`, go],
    ]),
    [`---\n${pairs(': ').join('\n')}\n`, 'as YAML'],
    [pairs('=').map(encodeForUrl).join('&'), 'as a form, encoded whole'],
  ];
}

function listOfPython(nodes: readonly JsonNode[]): Printed[] {
  const items = SPELLINGS[0]!.map(
    (name, at) => `(${printPython({ kind: 'string', text: name })}, ${printPython(nodes[at]!)})`,
  );
  const all = printPython({ kind: 'array', items: [...nodes] });
  const how = 'as Python prints the items of a dict';
  return [
    [`dict_values(${all})`, 'as Python prints the values of a dict'],
    [`(${all.slice(1, -1)})`, 'as Python prints a tuple'],
    [all, 'as Python prints a list'],
    [`[${items.join(', ')}]`, how],
    [`dict_items([${items.join(', ')}])`, how],
    [`OrderedDict([${items.join(', ')}])`, 'as Python prints an OrderedDict'],
  ];
}
