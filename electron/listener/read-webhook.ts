import type { HeaderList } from '@shared/contract/common';
import { referenceFields, type WebhookReading } from '@shared/contract/webhook-columns';
import { findHeader } from '@shared/find-header';
import { MOST_READ_BYTES } from '@shared/webhooks/read-limit';
import { maskHeaders, maskSecrets } from '@shared/mask-secrets';
import { verifyWebhook } from '../platform/crypto/standard-webhooks';
import { readJsonFacts, readJsonTree, textOf, type JsonNode } from '@shared/json/json-tree';

const MAX_SEARCH_TEXT = 2000;

export interface WebhookHead {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
}

/** Why the signature of a webhook that is kept cut has no verdict. */
export const CUT_REASON =
  'Only the beginning of its body is kept, and a signature is over all of it: it cannot be verified here.';

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

/** The header that stays the same at each attempt; null: there is none. */
export function readWebhookId(head: Uint8Array): string | null {
  return findHeader(readWebhookHead(head).headers, 'webhook-id');
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

/** Reads a payload for rules and filters; null: it is not JSON, or too long to be looked into. */
export function readPayload(body: Uint8Array): JsonNode | null {
  return body.length > MOST_READ_BYTES ? null : readJsonTree(decodeBody(body));
}

/**
 * Reads a webhook for the columns of the inbox.
 *
 * Lenient: members of `data` count too, and a body that is no JSON has no fields.
 * Credentials in address and headers are masked: the log alone has them, in the bytes as received.
 * @returns with the values of head and payload as one text to search in
 * @source assumption A3
 */
export function readWebhook(webhook: {
  receivedAt: number;
  respondedStatus: number;
  head: Uint8Array;
  body: Uint8Array;
  rule?: string | null;
  fullBytes?: number | null;
  /** What its signature is verified with. */
  keys?: readonly string[];
}): WebhookReading & { headers: HeaderList; searchText: string } {
  const { receivedAt, respondedStatus, body, rule = null, fullBytes = null, keys = [] } = webhook;
  const head = readWebhookHead(webhook.head);
  const text = body.length === 0 || body.length > MOST_READ_BYTES ? '' : decodeBody(body);
  const tree = text === '' ? null : readJsonFacts(text);
  const header = (name: string): string | null => findHeader(head.headers, name);
  const values = tree === null ? text.slice(0, MAX_SEARCH_TEXT) : collectValues(tree);
  const path = maskSecrets(head.path);
  return {
    method: head.method,
    path,
    headers: maskHeaders(head.headers),
    receivedAt,
    respondedStatus,
    bodyBytes: body.length,
    fullBytes,
    rule,
    signature:
      fullBytes !== null && header('webhook-signature') !== null
        ? { verdict: 'unchecked', reason: CUT_REASON }
        : verifyWebhook({ header, body }, keys, receivedAt),
    header,
    field: (...names) => (tree === null ? null : findMember(tree, names)),
    // What searches in SQL read ends at a NUL.
    searchText: `${head.method} ${path} ${header('webhook-id') ?? ''} ${values}`
      .toLowerCase()
      .replaceAll('\0', ' '),
  };
}

/** Reads whose webhook it is, however long: its columns have that of a short one alone. */
export function readOwner(tree: JsonNode | null): { reference: string | null; paymentUuid: string | null } {
  if (tree === null) return { reference: null, paymentUuid: null };
  return {
    reference: findMember(tree, referenceFields),
    paymentUuid: findMember(tree, ['payment_uuid']),
  };
}

function findMember(tree: JsonNode, names: readonly string[]): string | null {
  for (const name of names) {
    const found = textOf(tree, name) ?? textOf(tree, 'data', name);
    if (found !== null) return found;
  }
  return null;
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
