import type { Handlers } from '@shared/contract/contract';
import type { Exchange, SendInput } from '@shared/contract/sending';
import { toErrorReply } from '@shared/errors';
import { readJsonTree, textOf } from '@shared/json/json-tree';
import { maskHeaders } from '@shared/mask-secrets';
import { readAnswer } from '@shared/payments/read-answer';
import { isProduct, type Product } from '@shared/payments/tables/products';
import { maskKnownSecrets } from '../../platform/mask-known-secrets';
import type { HttpAnswer, Ports } from '../../platform/ports';
import type { ExchangeRecorder } from '../history/create-history-service';
import { readExchangeFacts } from '../history/exchange-facts';
import { readBody } from '../history/history-store';
import { readWallets } from '@shared/payments/read-wallets';
import { fillSecrets, type Outgoing } from './fill-secrets';
import { fillHeaders, type FilledHeaders, type FillDeps } from './fill-headers';
import { shortenExchange } from './shorten-exchange';

/** Answers longer than this are cut, and say so. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

export interface SendingDeps {
  ports: Pick<Ports, 'clock' | 'http'>;
  keys: FillDeps['keys'];
  tokens: { getBearer: FillDeps['getBearer'] };
  environments: {
    /** @throws {AppError} `environments.unknown`, `.address_changed`, `.insecure` */
    requireBound(id: string): Promise<{ name: string; baseUrl: string }>;
    /** @throws {AppError} `environments.no_secret`, `vault.*` */
    readSecret(id: string, name: string): Promise<string>;
    rememberReference?(id: string, reference: string): void;
  };
  history: ExchangeRecorder;
  /** Of the settings. */
  requestTimeoutMs(): number;
}

export interface SendingService {
  handlers: Pick<Handlers, 'sending.send' | 'sending.cancel'>;
  /**
   * Signs and sends a request.
   *
   * An answer that did not come is an exchange with `error`; what could not even be sent throws.
   * @throws {AppError} `signing.*`, `keys.*`, `tokens.*`, `vault.*`, `environments.*`, `sending.bad_url`,
   *   `sending.bad_header`, `sending.unresolved`, `sending.foreign_host`, `sending.secret_field`
   */
  send(input: SendInput, onAnswer?: OnAnswer): Promise<Exchange>;
}

/** Given each answer as it came, before what is secret in it is masked: for whoever compares, never for what is kept. */
type OnAnswer = (answer: HttpAnswer) => void;

/** Faults of the request itself: it never left, so there is nothing to keep. */
const NEVER_SENT = new Set(['sending.bad_url', 'sending.bad_header']);

/**
 * Makes the service that sends requests.
 *
 * The body's UTF-8 bytes are signed, sent and kept unchanged. A cached token that the service refuses as invalid
 * or expired (`400.001.100`, or 401 to a request that is not signed) is replaced and the request sent once more, with
 * the same body and signature: it was refused before anything was done. Both exchanges stay in the history.
 */
export function createSendingService(deps: SendingDeps): SendingService {
  const stops = new Map<string, AbortController>();

  const send = async (given: SendInput, onAnswer?: OnAnswer): Promise<Exchange> => {
    const environment = await deps.environments.requireBound(given.environment);
    const { input, secrets } = await fillSecrets(readOutgoing(given), environment, (name) =>
      deps.environments.readSecret(given.environment, name),
    );
    const hide = (filled: FilledHeaders): FilledHeaders => hideSecrets(filled, secrets);
    const fillDeps: FillDeps = {
      keys: deps.keys,
      getBearer: (...of) => deps.tokens.getBearer(...of),
      // As it was found a moment ago: its file may be another by now.
      getEnvironment: () => environment,
    };
    const stop = new AbortController();
    if (input.sendId !== undefined) stops.set(input.sendId, stop);
    try {
      const first = hide(await fillHeaders(input, fillDeps, false));
      const exchange = await sendOnce(deps, input, first, stop.signal, onAnswer);
      if (!isTokenRefused(exchange, first)) return exchange;
      const second = hide(await fillHeaders(input, fillDeps, true));
      // The same token again (one that was given from outside): the answer would be the same.
      if (second.secrets.join() === first.secrets.join()) return exchange;
      return await sendOnce(deps, input, second, stop.signal, onAnswer);
    } finally {
      if (input.sendId !== undefined) stops.delete(input.sendId);
    }
  };

  return {
    send,
    handlers: {
      'sending.send': async (input) => shortenExchange(await send(input), input.isForScreen),
      'sending.cancel': ({ sendId }) => {
        stops.get(sendId)?.abort();
        return {};
      },
    },
  };
}

/** Adds values of the vault to what must not appear in anything kept. */
function hideSecrets(filled: FilledHeaders, secrets: readonly string[]): FilledHeaders {
  if (secrets.length === 0) return filled;
  return {
    ...filled,
    shown: filled.shown.map(([name, value]) => [name, maskKnownSecrets(value, secrets)]),
    secrets: [...filled.secrets, ...secrets],
  };
}

function readOutgoing(input: SendInput): Outgoing {
  const { body, bodyBase64 } = input;
  if (bodyBase64 === undefined) return { ...input, bytes: body === null ? null : Buffer.from(body, 'utf8') };
  const bytes = Buffer.from(bodyBase64, 'base64');
  return { ...input, bytes, body: bytes.toString('utf8') };
}

function isTokenRefused({ response, reading }: Exchange, { products, signature }: FilledHeaders): boolean {
  if (response?.httpStatus !== 401 || products.length === 0) return false;
  return reading?.code === '400.001.100' || signature === null;
}

async function sendOnce(
  deps: SendingDeps,
  input: Outgoing,
  filled: FilledHeaders,
  signal: AbortSignal,
  onAnswer?: OnAnswer,
): Promise<Exchange> {
  const { history, environments } = deps;
  const started = startExchange(deps, input, filled);
  const product = chooseProduct(input, filled);
  history.begin(started, product);
  const { exchange, bytes } = await askService(deps, input, filled, started, signal, onAnswer);
  history.finish(exchange, product, bytes);
  // One that had to be masked is no reference that anybody could use again.
  const sentReference = readExchangeFacts(input.operation, input.body, null, null).reference;
  if (isProduct(input.operation) && exchange.reference !== null && exchange.reference === sentReference) {
    environments.rememberReference?.(input.environment, exchange.reference);
  }
  const wallets = input.operation === 'balances' ? readWallets(exchange.response?.body ?? '') : [];
  if (product !== null && wallets.length > 0) history.recordBalances(exchange, product, wallets);
  return exchange;
}

async function askService(
  { ports, history, requestTimeoutMs }: SendingDeps,
  input: Outgoing,
  filled: FilledHeaders,
  started: Exchange,
  signal: AbortSignal,
  onAnswer?: OnAnswer,
): Promise<{ exchange: Exchange; bytes: Uint8Array | null }> {
  try {
    const answer = await ports.http({
      method: started.request.method,
      url: input.url,
      headers: filled.headers,
      body: input.bytes,
      timeoutMs: requestTimeoutMs(),
      maxResponseBytes: MAX_RESPONSE_BYTES,
      signal,
    });
    onAnswer?.(answer);
    return completeExchange(started, answer, filled.secrets);
  } catch (error) {
    const { code, message } = toErrorReply(error);
    const exchange = { ...started, error: { code, message: maskKnownSecrets(message, filled.secrets) } };
    if (!NEVER_SENT.has(code)) return { exchange, bytes: null };
    history.finish(exchange, null, null);
    throw error;
  }
}

function startExchange({ history, ports }: SendingDeps, input: SendInput, filled: FilledHeaders): Exchange {
  const { environment, operation, identity, title } = input;
  const body = input.body === null ? null : maskKnownSecrets(input.body, filled.secrets);
  const signed = filled.stringToSign?.text ?? null;
  const stringToSign = signed === null ? null : maskKnownSecrets(signed, filled.secrets);
  return {
    id: history.nextId(),
    environment,
    operation,
    identity,
    title,
    sentAt: ports.clock.now(),
    reference: readExchangeFacts(operation, body, null, null).reference,
    request: {
      method: input.method.toUpperCase(),
      url: maskKnownSecrets(input.url, filled.secrets),
      headers: filled.shown,
      body,
      stringToSign,
      signature: filled.signature,
      keyFingerprint: filled.keyFingerprint,
      spans: stringToSign === signed ? (filled.stringToSign?.spans ?? []) : [],
    },
    response: null,
    timings: null,
    reading: null,
    error: null,
  };
}

function completeExchange(
  started: Exchange,
  answer: HttpAnswer,
  secrets: readonly string[],
): { exchange: Exchange; bytes: Uint8Array } {
  const received = readBody(answer.body);
  const masked = maskKnownSecrets(received.body, secrets);
  const reading = readAnswer(started.operation, answer.httpStatus, masked);
  const isMasked = masked !== received.body;
  const shown = isMasked ? { body: masked, bodyBase64: null } : received;
  const requestId = answer.headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];
  const exchange: Exchange = {
    ...started,
    reference:
      started.reference ??
      readExchangeFacts(started.operation, started.request.body, masked, reading).reference,
    response: {
      httpStatus: answer.httpStatus,
      headers: maskHeaders(answer.headers).map(([name, value]) => [name, maskKnownSecrets(value, secrets)]),
      ...shown,
      sizeBytes: answer.body.length,
      isCut: answer.isCut,
      requestId: requestId ?? textOf(readJsonTree(masked), 'request_id'),
    },
    timings: answer.timings,
    reading,
  };
  return { exchange, bytes: isMasked ? Buffer.from(masked, 'utf8') : answer.body };
}

/** The product of a request: its token's, else that of its operation. */
function chooseProduct({ operation }: SendInput, { products }: FilledHeaders): Product | null {
  return products[0] ?? (isProduct(operation) ? operation : null);
}
