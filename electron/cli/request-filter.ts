import { readJsonTree } from '@shared/json/json-tree';
import { findNode, matchesFilter, type FilterSubject } from '@shared/webhooks/filter/match-filter';
import type { Filter, FilterFieldName } from '@shared/webhooks/filter/filter-fields';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import type { StoredRequest } from '../sandbox/requests/stored-request';
import { usageError } from './usage-error';

type Read = (request: StoredRequest, tenant: string | null) => string | readonly string[] | null;

/** What a request to the sandbox has of the fields of a filter. */
const fields: Partial<Record<FilterFieldName, Read>> = {
  reference: ({ reference }) => reference,
  path: ({ path, detail }) => (detail.query === '' ? path : `${path}?${detail.query}`),
  method: ({ method }) => method,
  http_status: ({ httpStatus }) => String(httpStatus),
  size: ({ detail }) => String(detail.requestBytes),
  // The check that answered it, as the log's own lines have it.
  rule: ({ verdict }) => verdict,
  tag: ({ operation }, tenant) => [operation, tenant].filter((tag) => tag !== null),
  content_type: ({ detail }) => readHeaders(detail.requestHeaders, 'content-type')[0] ?? null,
  amount({ requestBody }) {
    const node = findNode(readJsonTree(requestBody.toString('utf8')), ['transaction', 'amount']);
    return node?.kind === 'number' || node?.kind === 'string' ? node.text : null;
  },
};
const ofAll: readonly FilterFieldName[] = ['received_at', 'age'];

const requestFilterFields = `${[...Object.keys(fields), ...ofAll].join(', ')}, body.…, header.…`;

/**
 * Reads which requests a sandbox's log prints: a filter as webhooks have it, `failed` being what was refused.
 *
 * @throws {AppError} `inbox.bad_filter`, `cli.usage` for a field that only webhooks have
 */
export function readRequestFilter(text: string): (request: StoredRequest, tenant: string | null) => boolean {
  const filter = parseFilter(text);
  const foreign = namesOf(filter).find((name) => fields[name] === undefined && !ofAll.includes(name));
  if (foreign !== undefined) {
    throw usageError(`--filter: a request to the sandbox has no ${foreign}; it has ${requestFilterFields}.`);
  }
  return (request, tenant) => matchesFilter(filter, toSubject(request, tenant), Date.now());
}

function namesOf(filter: Filter): readonly FilterFieldName[] {
  if (filter.is === 'not') return namesOf(filter.inner);
  if (filter.is === 'and' || filter.is === 'or') return [...namesOf(filter.left), ...namesOf(filter.right)];
  return filter.is === 'condition' && filter.target.of === 'field' ? [filter.target.name] : [];
}

function toSubject(request: StoredRequest, tenant: string | null): FilterSubject {
  return {
    field: (name) => fields[name]?.(request, tenant) ?? null,
    receivedAt: request.at,
    body: () => readJsonTree(request.requestBody.toString('utf8')),
    headers: (name) => readHeaders(request.detail.requestHeaders, name),
    isRead: false,
    isPinned: false,
    isFailed: request.httpStatus >= 400 || request.detail.isDropped,
  };
}

function readHeaders(headers: StoredRequest['detail']['requestHeaders'], wanted: string): string[] {
  return headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}
