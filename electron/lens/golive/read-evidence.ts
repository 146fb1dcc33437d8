import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { quoteForShell } from '@shared/export/curl/quote-for-shell';
import type { HeaderList } from '@shared/contract/common';
import { findHeader } from '@shared/find-header';
import type { BackendCall, Evidence, WebhookRecord } from '@shared/golive/evidence';
import { dropOwnCalls, findOwnKey } from '@shared/golive/own-calls';
import { judgeBackend, type RuleResult } from '@shared/golive/rules';
import { parseOrNothing } from '@shared/json/parse-or-nothing';
import { readRetryAfterMs } from '@shared/payments/retry-after';
import { operations } from '@shared/payments/tables/operations';
import { openDatabase } from '../../platform/database/database';
import { openRequestStore } from '../../sandbox/requests/request-store';
import type { StoredRequest } from '../../sandbox/requests/stored-request';
import { listMigrations, storeName } from '../../sandbox/store/sandbox-store';
import { WebhookStore } from '../../sandbox/webhooks/webhook-store';
import { isFileThere } from '../../platform/files/files';
import { openExchangeStore, proxyFile } from '../proxy/exchange-store';
import { readHolder } from '../../platform/files/process-lock';
import type { StoredExchange } from '../proxy/stored-exchange';
import { createRecord } from '@shared/own-value';

/** A running sandbox writes its log once a second. */
const LOG_DELAY_MS = 1200;
/** As many as a sandbox keeps. */
const MOST_DELIVERIES = 5000;

/** What this app itself sent to the sandbox: no doing of the user's backend. */
export interface OwnCalls {
  /** Ids of requests, as the sandbox answered them. */
  readonly requestIds: readonly string[];
  /** Of payments that it sent. */
  readonly references: readonly string[];
  /** That it fetches tokens with; null: its vault, which keeps it, is sealed. */
  readonly consumerKey: string | null;
}

const NOBODY: OwnCalls = { requestIds: [], references: [], consumerKey: null };

/**
 * Reads what a backend did, from a sandbox's and a proxy's files of a data directory, also while they run.
 *
 * What passed a proxy to the sandbox of the same folder counts once: the answer names the sandbox's own id. What was answered a moment
 * ago is there after `settleRequestLog`.
 * @throws {AppError} `platform.*`
 */
export function readEvidence(directory: string, sinceMs: number, own: OwnCalls = NOBODY): Evidence {
  const proxied = readProxied(directory, sinceMs);
  const logged = readLogged(directory, sinceMs, proxied.sandboxIds, own);
  const calls = [...proxied.calls, ...logged.calls].sort((a, b) => a.at - b.at);
  return { calls, webhooks: readWebhooks(directory, sinceMs, own), isCut: proxied.isCut || logged.isCut };
}

/** Judges what a backend did by what a data directory keeps of it; commands that would show more name that folder. */
export function judgeFolder(
  directory: string,
  sinceMs: number,
  own: OwnCalls = NOBODY,
): { rules: RuleResult[]; isCut: boolean } {
  const evidence = readEvidence(directory, sinceMs, own);
  const folder = /^[\w./-]+$/.test(directory) ? directory : quoteForShell(directory, (name) => `{{${name}}}`);
  const { baseUrl } = readHolder(directory, 'sandbox');
  return { rules: judgeBackend(evidence, folder, baseUrl ?? null), isCut: evidence.isCut };
}

/** Waits until the log of a folder's sandbox has what was answered by now, where one runs. */
export async function settleRequestLog(directory: string): Promise<void> {
  if (readHolder(directory, 'sandbox')['baseUrl'] !== undefined) await wait(LOG_DELAY_MS);
}

function readProxied(
  directory: string,
  sinceMs: number,
): { calls: BackendCall[]; sandboxIds: ReadonlySet<string>; isCut: boolean } {
  if (!isFileThere(join(directory, proxyFile))) return { calls: [], sandboxIds: new Set(), isCut: false };
  const store = openExchangeStore(directory, null);
  try {
    const calls: BackendCall[] = [];
    const sandboxIds = new Set<string>();
    for (const exchange of store.readSince(sinceMs)) {
      calls.push(fromExchange(exchange));
      const id = findHeader(exchange.detail.answerHeaders, 'x-request-id');
      if (id !== null) sandboxIds.add(id);
    }
    return { calls, sandboxIds, isCut: store.isCut() };
  } finally {
    store.close();
  }
}

function readLogged(
  directory: string,
  sinceMs: number,
  proxiedIds: ReadonlySet<string>,
  own: OwnCalls,
): { calls: BackendCall[]; isCut: boolean } {
  if (!isFileThere(join(directory, 'sandbox-requests.db'))) return { calls: [], isCut: false };
  const store = openRequestStore(directory, null);
  try {
    // A token that was fetched before is used after.
    const all = Array.from(store.readSince(0), fromRequest);
    const ownIds = new Set(own.requestIds);
    const calls = dropOwnCalls(all, own.consumerKey ?? findOwnKey(all, ownIds)).filter(
      ({ id, at }) => at >= sinceMs && !proxiedIds.has(id) && !ownIds.has(id),
    );
    return { calls, isCut: store.isCut() };
  } finally {
    store.close();
  }
}

function readWebhooks(directory: string, sinceMs: number, own: OwnCalls): WebhookRecord[] {
  const file = join(directory, storeName);
  if (!isFileThere(file)) return [];
  const db = openDatabase({ file, migrations: listMigrations(), pragmas: { synchronous: 'NORMAL' } });
  try {
    const references = new Set<string | null>(own.references);
    return new WebhookStore(db)
      .list(MOST_DELIVERIES)
      .filter(({ transactionReference }) => !references.has(transactionReference))
      .filter(({ attempts }) => attempts.some(({ at }) => at >= sinceMs))
      .map(({ id, attempts }) => ({ id, attempts }))
      .reverse();
  } finally {
    db.close();
  }
}

function fromExchange(exchange: StoredExchange): BackendCall {
  const { id, at, durationMs, operation, path, httpStatus, detail } = exchange;
  const { signature } = detail;
  const judged = signature?.valid === true ? 'valid' : signature?.valid === false ? 'invalid' : null;
  return {
    id,
    at,
    durationMs,
    operation,
    ...readAddress(path, detail),
    httpStatus: detail.reason === null ? httpStatus : null,
    signature:
      signature !== null && findHeader(detail.requestHeaders, 'x-custom-signature') === null
        ? 'missing'
        : judged,
    token: findHeader(detail.requestHeaders, 'authorization'),
    body: readJson(exchange.requestBody),
    answer: readJson(exchange.answerBody),
    retryAfterSeconds: readRetryAfterSeconds(detail.answerHeaders, at + durationMs),
  };
}

/** What stands in the place of a secret once it is masked. */
const MASKED = /…|•{4}|\*{8}|%E2%80%A6/i;

function readAddress(
  path: string,
  { query, isAddressMasked }: Pick<StoredExchange['detail'], 'query' | 'isAddressMasked'>,
): Pick<BackendCall, 'url' | 'hasSecretInUrl'> {
  const url = query === '' ? path : `${path}?${query}`;
  return { url, hasSecretInUrl: isAddressMasked ?? MASKED.test(url) };
}

/** Verdicts that are only given once the signature was found right. */
const pastSignature = new Set(['accepted', 'duplicate', 'rules', 'outcome', 'fields']);

function fromRequest(request: StoredRequest): BackendCall {
  const { id, at, durationMs, operation, path, httpStatus, verdict, detail } = request;
  const isSigned = operation !== null && operations[operation].isSigned;
  const hasSignature = findHeader(detail.requestHeaders, 'x-custom-signature') !== null;
  const judged = verdict === 'signature' ? 'invalid' : pastSignature.has(verdict) ? 'valid' : null;
  return {
    id,
    at,
    durationMs,
    operation,
    ...readAddress(path, detail),
    httpStatus: detail.isDropped ? null : httpStatus,
    signature: !isSigned ? null : hasSignature ? judged : 'missing',
    token: findHeader(detail.requestHeaders, 'authorization'),
    body: readJson(request.requestBody),
    answer: readJson(request.answerBody),
    retryAfterSeconds: readRetryAfterSeconds(detail.answerHeaders, at + durationMs),
  };
}

/** The answer came somewhere in the second that `Date` names: a date may be reached up to a second sooner. */
function readRetryAfterSeconds(headers: HeaderList, at: number): number | null {
  const waitMs = readRetryAfterMs(headers, at);
  const isDate = /[a-z]/i.test(findHeader(headers, 'retry-after') ?? '');
  return waitMs === null ? null : Math.max(0, waitMs / 1000 - (isDate ? 1 : 0));
}

/** What the rules look at, by its place; of 50,000 bodies nothing else is held. */
const looked: Readonly<Record<string, readonly string[] | null>> = {
  transaction: ['reference', 'amount', 'currency', 'service_code', 'timestamp'],
  recipient: ['account'],
  data: ['payment_reference', 'payment_uuid'],
  transaction_reference: null,
  payment_uuid: null,
  request_uuid: null,
  product: null,
  consumer_key: null,
  access_token: null,
  status: null,
  code: null,
  expires_in: null,
};
const LONGEST_MEMBER = 500;

const readJson = (bytes: Buffer): unknown =>
  keepLooked(parseOrNothing(bytes.toString('utf8')) ?? null, looked);

function keepLooked(value: unknown, places: typeof looked): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kept = createRecord<unknown>();
  for (const [name, inner] of Object.entries(places)) {
    if (!Object.hasOwn(value, name)) continue;
    const member = (value as Record<string, unknown>)[name];
    const isObject = typeof member === 'object' && member !== null;
    if (inner !== null && isObject)
      kept[name] = keepLooked(member, Object.fromEntries(inner.map((one) => [one, null])));
    else if (isObject) kept[name] = NO_SCALAR;
    else kept[name] = typeof member === 'string' ? member.slice(0, LONGEST_MEMBER) : member;
  }
  return kept;
}

/** In the place of an object or a list where the interface has a text or a number. */
const NO_SCALAR = {};
