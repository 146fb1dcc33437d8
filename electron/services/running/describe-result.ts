import type { HeaderList } from '@shared/contract/common';
import { cutMasked } from '@shared/cut-masked';
import type { Exchange } from '@shared/contract/sending';
import { memberOf, type JsonNode } from '@shared/json/json-tree';
import { maskHeaders } from '@shared/mask-secrets';
import { findWhyUnread } from '@shared/payments/unread-answer';
import { describeLater } from '@shared/run/describe-later';
import type { RunRequest } from '@shared/run/plan-run';
import type {
  ExpectationResult,
  ReportedExchange,
  ReportedWebhook,
  RequestOutcome,
  RequestResult,
} from '@shared/run/run-result';
import { isSecretName } from '@shared/secrets';
import { createSecretMask } from '../../platform/mask-known-secrets';
import { listCookies } from '../../platform/own-secrets';
import type { RunTurn } from './run-context';
import type { Sent } from './send-attempts';
import type { ArrivedWebhook } from './webhook-hub';

/** Longer bodies are cut in reports; history and inbox have them whole. */
const longestBody = 64 * 1024;
/** Longer lines of a verdict are cut. */
const longestLine = 600;
/** A shorter value would be found by chance in other texts. */
const shortestSecret = 6;

/** What a result is made of; everything in it is masked on the way. */
export interface ResultParts {
  readonly request: RunRequest;
  readonly turn: RunTurn;
  readonly title: string;
  readonly outcome: RequestOutcome;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly sent: Sent | null;
  readonly error?: { readonly code: string; readonly message: string } | null;
  /** Why it was not sent, where that is no error. */
  readonly reason?: string | undefined;
  readonly reference?: string | null;
  readonly expectations: readonly ExpectationResult[];
  readonly webhooks?: readonly ArrivedWebhook[];
}

/** Values of an answer or webhook that are secret by their names: they may come back in a verdict. */
function listSecretValues(root: JsonNode | null): string[] {
  // The same one may stand in an answer half a million times.
  const found = new Set<string>();
  const open: JsonNode[] = root === null ? [] : [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'array') for (const item of node.items) open.push(item);
    if (node.kind !== 'object') continue;
    for (const [name, value] of node.members) {
      if (value.kind === 'array' || value.kind === 'object') open.push(value);
      else if (value.text.length >= shortestSecret && isSecretName(name)) found.add(value.text);
    }
  }
  return [...found];
}

/** What is masked at length is masked where a report asks for it: most of a terminal's lines do not. */
function reportExchange(exchange: Exchange | null, mask: (text: string) => string): ReportedExchange | null {
  if (exchange === null) return null;
  const { request, response, reading, timings, error } = exchange;
  const showHeaders = (headers: HeaderList): HeaderList =>
    headers.map(([name, value]) => [name, mask(value)]);
  return {
    id: exchange.id,
    method: request.method,
    get url() {
      return mask(request.url);
    },
    get requestHeaders() {
      return showHeaders(request.headers);
    },
    get requestBody() {
      return request.body === null ? null : cutMasked(request.body, mask, longestBody);
    },
    get stringToSign() {
      return request.stringToSign === null ? null : mask(request.stringToSign);
    },
    httpStatus: response?.httpStatus ?? null,
    summary: mask(reading?.title ?? error?.message ?? ''),
    get responseHeaders() {
      return showHeaders(response?.headers ?? []);
    },
    get responseBody() {
      if (response === null) return '';
      const whole = response.isCut ? findWhyUnread(response) : null;
      return cutMasked(response.body, mask, longestBody, whole);
    },
    timings,
  };
}

/**
 * Writes down how a request ended.
 *
 * Expectations are judged by the answer as it came; what of it is secret is masked here, whatever line repeats it.
 */
export function describeResult(parts: ResultParts, known: readonly string[]): RequestResult {
  const { request, turn, sent, webhooks = [], error = null } = parts;
  const secrets = [...known, ...listSecrets(sent, webhooks)];
  const mask = createSecretMask(secrets);
  const line = (text: string): string => cutMasked(text, mask, longestLine);
  const reason = error?.message ?? parts.reason;
  const sentAt = sent?.exchange?.sentAt ?? parts.startedAt;
  return {
    title: mask(parts.title),
    name: request.name,
    folder: request.folder,
    file: request.file,
    line: request.block.line,
    operation: request.block.operation,
    iteration: turn.iteration,
    row: turn.row === null ? null : { number: turn.row.number, name: mask(turn.row.name) },
    outcome: parts.outcome,
    reason: reason === undefined ? null : mask(reason),
    errorCode: error?.code ?? null,
    attempts: sent?.attempts ?? 0,
    reference: parts.reference ?? sent?.exchange?.reference ?? null,
    startedAt: parts.startedAt,
    durationMs: parts.durationMs,
    expectations: parts.expectations.map((one) => ({
      ...one,
      text: maskCapture(one.text, line),
      expected: maskCapture(one.expected, line),
      received: line(one.received),
      advice: one.advice === null ? null : line(one.advice),
    })),
    exchange: reportExchange(sent?.exchange ?? null, mask),
    webhooks: webhooks.map((webhook) => reportWebhook(webhook, sentAt, mask)),
    later: describeOwnLater(parts, line),
  };
}

/** What the payment came to after its answer, by the state that was asked for and by its webhooks. */
function describeOwnLater(
  { request, expectations, webhooks = [], sent }: ResultParts,
  mask: (text: string) => string,
): string | null {
  if (sent === null) return null;
  // Of what it is, the webhook says nothing: no payment came to anything.
  if (request.block.operation === 'send_test') return webhooks.length > 0 ? 'received' : null;
  const { expectations: placed } = request.directives;
  const asked = new Set(
    placed.filter(({ expectation: { kind } }) => kind === 'state').map(({ line }) => line),
  );
  const states = expectations.filter(({ line }) => asked.has(line)).map(({ received }) => received);
  const later = describeLater(states, webhooks.map(readWebhookStatus));
  return later === null ? null : mask(later);
}

/** Where a value is captured from is no secret, whatever it is captured as: masked for its name, the line would say nothing. */
function maskCapture(text: string, mask: (text: string) => string): string {
  const start = /^capture [\w-]{1,100} = /.exec(text)?.[0] ?? '';
  return start + mask(text.slice(start.length));
}

function listSecrets(sent: Sent | null, webhooks: readonly ArrivedWebhook[]): string[] {
  const trees = [sent?.answer?.tree ?? null, ...webhooks.map(({ tree }) => tree)];
  const headers = sent?.answer?.headers ?? [];
  return [...trees.flatMap(listSecretValues), ...listHeaderSecrets(headers), ...listCookies(headers)];
}

function reportWebhook(
  webhook: ArrivedWebhook,
  sentAt: number,
  mask: (text: string) => string,
): ReportedWebhook {
  return {
    id: webhook.id,
    afterMs: Math.max(0, webhook.receivedAt - sentAt),
    headers: maskHeaders(webhook.headers).map(([name, value]) => [name, mask(value)]),
    body: cutMasked(webhook.body, mask, longestBody),
  };
}

function listHeaderSecrets(headers: HeaderList): string[] {
  return headers
    .filter(([name, value]) => isSecretName(name) && value.length >= shortestSecret)
    .map(([, value]) => value);
}

/** Reads the status that a webhook tells. */
export function readWebhookStatus({ tree }: Pick<ArrivedWebhook, 'tree'>): string | null {
  const status = memberOf(tree, 'status');
  return status?.kind === 'string' ? status.text : null;
}
