import { memberOf, type JsonNode } from '../../json/json-tree';
import type { OffRow } from '../imported';
import { isTrue, listItems, readText } from '../nodes';
import { encodeForUrl } from '../../encode-for-url';

/** `host` and `path` are lists, or texts; a part of a path may be an object. */
function readParts(node: JsonNode | null, name: string): string[] | null {
  const found = memberOf(node, name);
  if (found?.kind === 'string') return [found.text.replace(name === 'path' ? /^\// : /$^/, '')];
  if (found?.kind !== 'array') return null;
  return found.items.map((part) => readText(part) ?? readText(part, 'value') ?? '');
}

/** What would end a query's key or value early; variables and what is encoded already stay. */
const encodeKey = (text: string): string => text.replace(/[\s"<>#&=]/g, encodeForUrl);
const encodeValue = (text: string): string => text.replace(/[\s"<>#&]/g, encodeForUrl);

function readQuery(node: JsonNode): string {
  const pairs = listItems(node, 'query')
    .filter((pair) => !isTrue(pair, 'disabled'))
    .map((pair) => {
      const [key, value] = [readText(pair, 'key'), readText(pair, 'value')];
      return value === null ? encodeKey(key ?? '') : `${encodeKey(key ?? '')}=${encodeValue(value)}`;
    });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Puts together what Postman keeps in parts; the whole as typed counts where there are none. */
function readWhole(node: JsonNode): string {
  const host = readParts(node, 'host');
  if (host === null) return readText(node, 'raw') ?? '';
  const protocol = readText(node, 'protocol');
  const port = readText(node, 'port');
  const path = readParts(node, 'path');
  const hash = readText(node, 'hash');
  return [
    protocol === null || protocol === '' ? '' : `${protocol.replace(/:\/*$/, '')}://`,
    host.join('.'),
    port === null || port === '' ? '' : `:${port}`,
    path === null ? '' : `/${path.join('/')}`,
    readQuery(node),
    hash === null ? '' : `#${hash}`,
  ].join('');
}

/** The query parameters that do not go out. */
function readOff(node: JsonNode | null): OffRow[] {
  let at = 0;
  return listItems(node, 'query').flatMap((pair): OffRow[] => {
    if (!isTrue(pair, 'disabled')) {
      at += 1;
      return [];
    }
    const name = readText(pair, 'key') ?? '';
    return name === '' ? [] : [{ at, name, value: readText(pair, 'value') ?? '' }];
  });
}

/** Gives an address, and the variables of its path: `/:id` is `/{{id}}` with us. */
export function readPostmanUrl(node: JsonNode | null): {
  url: string;
  variables: [string, string][];
  offParameters: OffRow[];
} {
  // Variables of a path are listed beside it: in an address that is a text, a colon is one.
  if (node?.kind === 'string') return { url: node.text, variables: [], offParameters: [] };
  const whole = node === null ? '' : readWhole(node);
  const values = new Map(
    // Exports of long ago name them by `id` alone.
    listItems(node, 'variable').map((one) => [
      readText(one, 'key') ?? readText(one, 'id') ?? '',
      readText(one, 'value') ?? '',
    ]),
  );
  return { ...replacePathVariables(whole, values, /(?<=\/):([^/.]+)/g), offParameters: readOff(node) };
}

/**
 * Writes `:name` in a path as `{{name}}`, with its value as a variable of the file.
 *
 * A name that means something else in the same address, or in a value (`:id` as `{{id}}`), keeps its value in place: a
 * variable of the file would go before the one that is meant. So does one that no variable of ours may be called.
 *
 * @param step - how far a name goes: with Postman a dot ends it
 */
export function replacePathVariables(
  url: string,
  values: ReadonlyMap<string, string>,
  step = /(?<=\/):([^/]+)/g,
): { url: string; variables: [string, string][] } {
  const variables = new Map<string, string>();
  const [, before = '', path = '', rest = ''] =
    /^((?:[a-z][a-z\d+.-]*:\/\/)?[^/?#]*)([^?#]*)(.*)/is.exec(url) ?? [];
  const meant = new Set(
    [url, ...values.values()].flatMap((text) =>
      [...text.matchAll(/\{\{([^{}\r\n]{1,240})\}\}/g)].map(([, name = '']) => name.trim()),
    ),
  );
  const replaced = path.replace(step, (whole, name: string) => {
    const value = values.get(name) ?? '';
    if (!/^[A-Za-z_][\w.-]*$/.test(name)) return value === '' ? whole : value;
    if (meant.has(name) || /[\r\n]/.test(value)) return value === '' ? `{{${name}}}` : value;
    if (value !== '') variables.set(name, value.trim());
    return `{{${name}}}`;
  });
  return { url: before + replaced + rest, variables: [...variables] };
}
