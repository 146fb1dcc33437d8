import { mapExpressions } from '../map-expressions';
import { encodeForUrl } from '../../encode-for-url';
import { splitQuery } from '../../http-file/edit-rows';

/** Where an operation is called. */
export interface OperationAddress {
  /** Null: that of the whole document. */
  server: string | null;
  /** Templated: `/payments/{id}`. */
  path: string;
  /** Of the path, with a value each, decoded; null: none is known beside its name. */
  variables: [name: string, example: string | null][];
  /** Decoded, as a description has them. */
  query: [name: string, value: string][];
}

/**
 * Takes an address apart.
 *
 * @param values - of the collection's variables
 * @param known - paths that stand in the document: one of the same shape is taken as it is, because a document may not have both
 */
export function readAddress(
  url: string,
  values: ReadonlyMap<string, string>,
  known: readonly string[],
): OperationAddress {
  const [, address = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/s.exec(url) ?? [];
  const found = /^(\{\{[^{}]+\}\}(?::\d+)?|[a-z][a-z\d+.-]*:\/\/[^/]*|[^/]*)(.*)/is.exec(address);
  const [, head = '', rest = ''] = found ?? [];
  const variables: OperationAddress['variables'] = [];
  const path = templatePath(rest.startsWith('/') ? rest : `/${rest}`, values, variables);
  const same = known.find((one) => one !== path && shapeOf(one) === shapeOf(path)) ?? path;
  const names = [...same.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return {
    server: readServer(head, values),
    path: same,
    variables: variables.map(([name, example], index) => [names[index] ?? name, example]),
    query: splitQuery(query).map(({ name, value }) => [name, value]),
  };
}

const shapeOf = (path: string): string => path.replace(/\{[^{}]+\}/g, '{}');

function templatePath(
  text: string,
  values: ReadonlyMap<string, string>,
  variables: OperationAddress['variables'],
): string {
  const marked = mapExpressions(text, (expression) => {
    const plain = expression.replace(/^%\s*/, '');
    const known = values.get(plain) ?? '';
    const word = expression.replace(/\W+/g, '_').replace(/^_|_$/g, '') || 'value';
    // Elsewhere in the request its variable may stand with the value as it is.
    const isPlain = plain === expression || encodeForUrl(known) === known;
    const wanted = isPlain ? word : `${word}_encoded`;
    let name = wanted;
    for (let count = 2; variables.some(([one]) => one === name); count++) name = `${wanted}_${count}`;
    variables.push([name, known || (name === plain ? null : `{{${expression}}}`)]);
    return `\u0001${name}\u0002`;
  });
  return marked.replace(/[{}]/g, encodeForUrl).replaceAll('\u0001', '{').replaceAll('\u0002', '}');
}

function readServer(head: string, values: ReadonlyMap<string, string>): string | null {
  if (head === '{{base_url}}') return null;
  const filled = mapExpressions(head, (name) => values.get(name) || 'host.invalid');
  return /^[a-z][a-z\d+.-]*:\/\//i.test(filled) ? filled : `http://${filled}`;
}
