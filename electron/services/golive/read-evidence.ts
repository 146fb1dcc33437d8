import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BackendCall, Evidence, WebhookRecord } from '@shared/golive/evidence';
import { operations } from '@shared/payments/tables/operations';
import { openDatabase } from '../../platform/database/database';
import { openRequestStore } from '../../sandbox/requests/request-store';
import type { StoredRequest } from '../../sandbox/requests/stored-request';
import { listMigrations } from '../../sandbox/store/sandbox-store';
import { WebhookStore } from '../../sandbox/webhooks/webhook-store';
import { openExchangeStore, proxyFile } from '../proxy/exchange-store';
import type { StoredExchange } from '../proxy/stored-exchange';

/** A running sandbox writes its log once a second. */
const LOG_DELAY_MS = 1200;
/** As many as a sandbox keeps. */
const MOST_DELIVERIES = 5000;

/**
 * Reads what a backend did, from a sandbox's and a proxy's files of a data directory, also while they run.
 *
 * What passed a proxy to the sandbox of the same folder counts once: the answer names the sandbox's own id.
 * @throws {AppError} `platform.*`
 */
export async function readEvidence(directory: string, sinceMs: number): Promise<Evidence> {
  if (existsSync(join(directory, 'sandbox.holder.json'))) await wait(LOG_DELAY_MS);
  const proxied = readProxied(directory, sinceMs);
  const logged = readLogged(directory, sinceMs, proxied.sandboxIds);
  const calls = [...proxied.calls, ...logged.calls].sort((a, b) => a.at - b.at);
  return { calls, webhooks: readWebhooks(directory, sinceMs), isCut: proxied.isCut || logged.isCut };
}

function readProxied(
  directory: string,
  sinceMs: number,
): { calls: BackendCall[]; sandboxIds: ReadonlySet<string>; isCut: boolean } {
  if (!existsSync(join(directory, proxyFile))) return { calls: [], sandboxIds: new Set(), isCut: false };
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
  known: ReadonlySet<string>,
): { calls: BackendCall[]; isCut: boolean } {
  if (!existsSync(join(directory, 'sandbox-requests.db'))) return { calls: [], isCut: false };
  const store = openRequestStore(directory, null);
  try {
    const requests = store.listWhole(sinceMs).filter(({ id }) => !known.has(id));
    return { calls: requests.map(fromRequest), isCut: store.isCut() };
  } finally {
    store.close();
  }
}

function readWebhooks(directory: string, sinceMs: number): WebhookRecord[] {
  const file = join(directory, 'sandbox.db');
  if (!existsSync(file)) return [];
  const db = openDatabase({ file, migrations: listMigrations(), pragmas: { synchronous: 'NORMAL' } });
  try {
    return new WebhookStore(db)
      .list(MOST_DELIVERIES)
      .filter(({ attempts }) => attempts.some(({ at }) => at >= sinceMs))
      .map(({ id, attempts }) => ({ id, attempts }))
      .reverse();
  } finally {
    db.close();
  }
}

function fromExchange(exchange: StoredExchange): BackendCall {
  const { id, at, operation, path, httpStatus, detail } = exchange;
  const { signature } = detail;
  const judged = signature?.valid === true ? 'valid' : signature?.valid === false ? 'invalid' : null;
  return {
    id,
    at,
    operation,
    url: detail.query === '' ? path : `${path}?${detail.query}`,
    httpStatus: detail.reason === null ? httpStatus : null,
    signature:
      signature !== null && findHeader(detail.requestHeaders, 'x-custom-signature') === null
        ? 'missing'
        : judged,
    hasToken: detail.token !== null,
    body: readJson(exchange.requestBody),
    answer: readJson(exchange.answerBody),
    retryAfterSeconds: readSeconds(findHeader(detail.answerHeaders, 'retry-after')),
  };
}

/** Verdicts that are only given once the signature was found right. */
const pastSignature = new Set(['accepted', 'duplicate', 'rules', 'outcome', 'fields']);

function fromRequest(request: StoredRequest): BackendCall {
  const { id, at, operation, path, httpStatus, verdict, detail } = request;
  const isSigned = operation !== null && operations[operation].isSigned;
  const hasSignature = findHeader(detail.requestHeaders, 'x-custom-signature') !== null;
  const judged = verdict === 'signature' ? 'invalid' : pastSignature.has(verdict) ? 'valid' : null;
  return {
    id,
    at,
    operation,
    url: detail.query === '' ? path : `${path}?${detail.query}`,
    httpStatus: detail.isDropped ? null : httpStatus,
    signature: !isSigned ? null : hasSignature ? judged : 'missing',
    hasToken: findHeader(detail.requestHeaders, 'authorization') !== null,
    body: readJson(request.requestBody),
    answer: readJson(request.answerBody),
    retryAfterSeconds: readSeconds(findHeader(detail.answerHeaders, 'retry-after')),
  };
}

function findHeader(headers: readonly (readonly [string, string])[], wanted: string): string | null {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;
}

function readSeconds(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
