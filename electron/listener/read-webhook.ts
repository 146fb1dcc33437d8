import type { HeaderList } from '@shared/contract/common';
import { readJsonTree, textOf, type JsonNode } from '@shared/json/json-tree';

/** Bodies longer than this are kept but not read for fields. */
const MAX_READ_BYTES = 1024 * 1024;
const MAX_SEARCH_TEXT = 2000;

/** Method, path and headers of a stored head. */
export interface WebhookHead {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
}

/** Fields of a payload (A3), where they could be read; amounts as written. */
export interface PayloadFields {
  readonly status: string | null;
  readonly code: string | null;
  readonly amount: string | null;
  readonly clientReference: string | null;
  readonly paymentUuid: string | null;
  readonly paymentReference: string | null;
}

const NO_FIELDS: PayloadFields = {
  status: null,
  code: null,
  amount: null,
  clientReference: null,
  paymentUuid: null,
  paymentReference: null,
};

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads a stored head: the bytes of a request up to its empty line. */
export function readWebhookHead(head: Uint8Array): WebhookHead {
  const [line = '', ...lines] = decodeLine(head).split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = lines.map((text): [string, string] => {
    const colon = text.indexOf(':');
    return [text.slice(0, colon), text.slice(colon + 1).trim()];
  });
  return { method, path, headers };
}

/** Finds a header by its name, any case; null where it is not there. */
export function findHeader(headers: HeaderList, name: string): string | null {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null;
}

function decodeLine(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

/** Decodes a body for reading; what is not UTF-8 is replaced. */
export function decodeBody(body: Uint8Array): string {
  return lenientUtf8.decode(body);
}

/**
 * Reads the fields of a payload.
 *
 * Lenient: members of `data` count too, and `transaction_reference` where there is no `client_reference`.
 * @returns the fields, and the values of the payload as one text to search in
 * @source assumption A3
 */
export function readPayload(body: Uint8Array): { fields: PayloadFields; searchText: string } {
  if (body.length === 0 || body.length > MAX_READ_BYTES) return { fields: NO_FIELDS, searchText: '' };
  const text = decodeBody(body);
  const tree = readJsonTree(text);
  if (tree === null) return { fields: NO_FIELDS, searchText: text.slice(0, MAX_SEARCH_TEXT) };
  const find = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const found = textOf(tree, name) ?? textOf(tree, 'data', name);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    fields: {
      status: find('status'),
      code: find('code'),
      amount: find('amount'),
      clientReference: find('client_reference', 'transaction_reference', 'reference'),
      paymentUuid: find('payment_uuid'),
      paymentReference: find('payment_reference'),
    },
    searchText: collectValues(tree),
  };
}

function collectValues(root: JsonNode): string {
  let text = '';
  const open: JsonNode[] = [root];
  for (let node = open.pop(); node !== undefined && text.length < MAX_SEARCH_TEXT; node = open.pop()) {
    if (node.kind === 'array') open.push(...node.items.slice(0, 200).reverse());
    else if (node.kind === 'object') open.push(...[...node.members.values()].slice(0, 200).reverse());
    else if (node.kind !== 'name') text += `${node.text} `;
  }
  return text.slice(0, MAX_SEARCH_TEXT);
}
