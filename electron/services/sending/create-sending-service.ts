import { setTimeout as delay } from 'node:timers/promises';
import type { HandlersOf } from '@shared/contract/contract';
import type { Exchange, ExchangeTrace, SendInput } from '@shared/contract/sending';
import { toErrorReply, type AppError } from '@shared/errors';
import { joinErrors } from '@shared/joined-errors';
import { operations } from '@shared/payments/tables/operations';
import { isProduct, type Product } from '@shared/payments/tables/products';
import { createSecretMask } from '../../platform/mask-known-secrets';
import type { HttpAnswer, HttpCall, HttpTrace, Ports } from '../../platform/ports';
import type { ExchangeRecorder } from '../history/create-history-service';
import { readExchangeFacts } from '../history/exchange-facts';
import { noWallets, type WalletList } from '@shared/payments/read-wallets';
import { requireSandbox } from '../environments/base-url';
import { listNamedSecret } from '../tokens/find-field';
import { createLongWork, type LongWork } from '../../platform/workers/long-work';
import { sendingWork, type SendingWork } from './sending-work';
import { fillSecrets, type Outgoing } from './fill-secrets';
import { fillHeaders, type FilledHeaders, type FillDeps } from './fill-headers';
import { findMissingSetUp, isMissingSetUp, type AskingRequest, type SetUpDeps } from './find-missing-setup';
import { countTraceBytes } from './mask-wire';
import { readSecret } from './read-secret';
import { requireWord, type ProductionDeps } from './require-word';
import { shortenExchange } from './shorten-exchange';
import { readText, writeDown } from './write-down';

/** Answers longer than this are cut, and say so. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

export interface SendingDeps {
  ports: Pick<Ports, 'clock' | 'http'>;
  keys: FillDeps['keys'];
  tokens: Pick<FillDeps, 'getBearer' | 'listKnownSecrets'> & SetUpDeps['tokens'];
  environments: {
    rememberReference?(id: string, product: Product, reference: string): void;
  } & SetUpDeps['environments'] &
    ProductionDeps['environments'];
  history: ExchangeRecorder;
  /** Left out: this thread masks and reads all. */
  longWork?: LongWork<SendingWork>;
  /** Of the settings. */
  requestTimeoutMs(): number;
}

type ReadyDeps = SendingDeps & { longWork: LongWork<SendingWork> };

export interface SendingService {
  handlers: HandlersOf<'sending'>;
  /**
   * Signs and sends a question of ours, which pays nothing: production is asked without the user's word for it.
   *
   * An answer that did not come is an exchange with `error`; what could not even be sent throws.
   * @throws {AppError} `signing.*`, `keys.*`, `tokens.*`, `vault.*`, `environments.*`, `sending.bad_url`,
   *   `sending.bad_header`, `sending.unresolved`, `sending.foreign_host`, `sending.secret_field`
   */
  send(input: SendInput, onWallets?: OnWallets): Promise<Exchange>;
  /**
   * Signs a request and fills in its token, and sends nothing of it yet: a run does so while the service works on another.
   *
   * @throws {AppError} as `send`, for what is wrong before anything leaves; `sending.not_confirmed`
   */
  makeReady(input: SendInput): Promise<ReadyRequest>;
  /** Lists what requests ask of the vault and it does not have: all at once, and before anything is sent. */
  findMissingSetUp(environment: string, requests: readonly AskingRequest[]): Promise<AppError[]>;
  /** What a request proves itself with, as it was typed: of a long one it takes a second. */
  listOwnSecrets(request: Pick<SendInput, 'url' | 'headers' | 'body'>): Promise<string[]>;
  /** Ends what waits for its answer, as canceled; resolves when that is kept. Nothing leaves after it. */
  breakOff(): Promise<void>;
  close(): Promise<void>;
}

/** A request as it will leave. */
export interface ReadyRequest {
  leave(onAnswer?: OnAnswer, onWallets?: OnWallets): Promise<Exchange>;
}

/**
 * Given each answer as it came, before what is secret in it is masked: for whoever compares, never for what is kept.
 *
 * With what the request was given of tokens and the vault: whoever tells of the answer masks that.
 */
type OnAnswer = (answer: HttpAnswer, secrets: readonly string[]) => void;

/** Given the wallets of each answer to a question for balances. */
type OnWallets = (read: WalletList) => void;

/** Takes out what a request was given of tokens and the vault. */
type Mask = (text: string) => string;

/** What answers at once has answered within it, and what was broken off has ended, but where it waits for another token. */
const MOMENT_MS = 500;

/** Faults of the request itself, or of what opens its connection: it never left, so there is nothing to keep. */
const NEVER_SENT = /^(?:sending\.bad_(?:url|header)|(?:vault|environments)\..+)$/;

/**
 * Makes the service that sends requests.
 *
 * The body's UTF-8 bytes are signed, sent and kept unchanged. A cached token that the service refuses as invalid
 * or expired (`400.001.100`, or 401 to a request that is not signed) is replaced and the request sent once more, with
 * the same body and signature: it was refused before anything was done. Both exchanges stay in the history.
 */
export function createSendingService(given: SendingDeps): SendingService {
  const deps = { longWork: createLongWork(null, sendingWork), ...given };
  const stops = new Map<string, AbortController>();
  const underWay = new Map<AbortController, Promise<unknown>>();
  /** What gets ready only now does not leave any more. */
  let isEnding = false;
  const prepare = async (input: SendInput, stop: AbortController, isOurs = false): Promise<ReadyRequest> => {
    const look = isOurs ? () => undefined : () => requireWord(deps, input);
    const { leave } = await makeReady(deps, input, look, stop.signal, () => isEnding).catch(
      async (error: unknown) => {
        if (!isMissingSetUp(error)) throw error;
        throw joinErrors([error, ...(await findMissingSetUp(deps, input.environment, [asAsking(input)]))]);
      },
    );
    return {
      leave(...told) {
        if (isEnding) stop.abort();
        const leaving = leave(...told).finally(() => underWay.delete(stop));
        underWay.set(stop, leaving);
        return leaving;
      },
    };
  };
  const send = async (input: SendInput, isOurs: boolean, onWallets?: OnWallets): Promise<Exchange> => {
    const stop = new AbortController();
    if (input.sendId !== undefined) stops.set(input.sendId, stop);
    try {
      return await (await prepare(input, stop, isOurs)).leave(undefined, onWallets);
    } finally {
      if (input.sendId !== undefined) stops.delete(input.sendId);
    }
  };
  const whenKept = async (): Promise<void> => {
    const kept = Promise.allSettled(underWay.values());
    await Promise.race([kept, delay(MOMENT_MS, null, { ref: false })]);
  };
  const breakOff = async (): Promise<void> => {
    isEnding = true;
    for (const stop of underWay.keys()) stop.abort();
    await whenKept();
  };
  return {
    send: (input, onWallets) => send(input, true, onWallets),
    makeReady: (input) => prepare(input, new AbortController()),
    listOwnSecrets: (request) => listOwnSecrets(deps, request),
    findMissingSetUp: (...of) => findMissingSetUp(deps, ...of),
    breakOff,
    close() {
      isEnding = true;
      // Nobody was asked about what had left within a moment: it has one for its answer.
      return whenKept()
        .then(breakOff)
        .finally(() => deps.longWork.close());
    },
    handlers: {
      'sending.send': async (input) => shortenExchange(await send(input, false), input.isForScreen),
      'sending.cancel': ({ sendId }) => {
        stops.get(sendId)?.abort();
        return {};
      },
    },
  };
}

async function makeReady(
  deps: ReadyDeps,
  given: SendInput,
  look: () => Promise<void> | undefined,
  signal: AbortSignal,
  isEnding: () => boolean,
): Promise<ReadyRequest> {
  const environment = await deps.environments.requireBound(given.environment);
  if (given.url.startsWith('/')) requireSandbox(environment);
  await look();
  const unfilled = readOutgoing(given);
  const { input, secrets } = await fillSecrets(unfilled, environment, (name) =>
    readSecret(deps, unfilled, environment, name),
  );
  const fillDeps: FillDeps = {
    keys: deps.keys,
    getBearer: (...of) => deps.tokens.getBearer(...of),
    listKnownSecrets: (environment) => deps.tokens.listKnownSecrets(environment),
    // As it was found a moment ago: its file may be another by now.
    getEnvironment: () => environment,
    ownSecrets: await listOwnSecrets(deps, input),
  };
  const { answerNames, requestNames } = environment.setup.profile;
  const hidden = [...secrets, ...listNamedSecret(input.body ?? '', requestNames.consumerSecret)];
  const fill = async (isForced: boolean): Promise<FilledHeaders> =>
    hideSecrets(await fillHeaders(input, fillDeps, isForced), hidden);
  const ports = { ...deps.ports, http: (call: HttpCall) => deps.ports.http({ ...call, environment }) };
  const first = await fill(false);
  const describe = (filled: FilledHeaders): Promise<MaskedOutgoing> =>
    describeOutgoing(deps, input, filled, answerNames.accessToken);
  const outgoing = await describe(first);
  return {
    async leave(onAnswer, onWallets) {
      const told = { onAnswer, onWallets };
      const exchange = await sendOnce({ ...deps, ports }, input, outgoing, signal, told);
      if (!isTokenRefused(exchange, first)) return exchange;
      const second = await fill(true);
      // The same token again (one that was given from outside): the answer would be the same.
      if (second.secrets.join() === first.secrets.join()) return exchange;
      const again = await describe(second);
      return isEnding() ? exchange : sendOnce({ ...deps, ports }, input, again, signal, told);
    },
  };
}

function listOwnSecrets(
  { longWork }: Pick<ReadyDeps, 'longWork'>,
  { url, headers, body }: Pick<SendInput, 'url' | 'headers' | 'body'>,
): Promise<string[]> {
  return longWork.call('listOwnSecrets', { url, headers, body }, countChars([url, body]));
}

/** Adds values of the vault to what must not appear in anything kept. */
function hideSecrets(filled: FilledHeaders, secrets: readonly string[]): FilledHeaders {
  if (secrets.length === 0) return filled;
  return { ...filled, secrets: [...filled.secrets, ...secrets] };
}

/** Its body as a text, whatever holds it. */
const asAsking = (input: SendInput): AskingRequest => ({ ...input, body: readOutgoing(input).body });

function readOutgoing(input: SendInput): Outgoing {
  const { body, bodyBase64 } = input;
  const bytes =
    bodyBase64 !== undefined
      ? Buffer.from(bodyBase64, 'base64')
      : body === null
        ? null
        : Buffer.from(body, 'utf8');
  return { ...input, given: input, bytes, body: bytes?.toString('utf8') ?? null };
}

function isTokenRefused({ response, reading }: Exchange, { products, signature }: FilledHeaders): boolean {
  if (response?.httpStatus !== 401 || products.length === 0) return false;
  return reading?.code === '400.001.100' || signature === null;
}

interface Told {
  readonly onAnswer: OnAnswer | undefined;
  readonly onWallets: OnWallets | undefined;
}

async function sendOnce(
  deps: ReadyDeps,
  input: Outgoing,
  outgoing: MaskedOutgoing,
  signal: AbortSignal,
  { onAnswer, onWallets }: Told,
): Promise<Exchange> {
  const { history, environments, ports } = deps;
  const started = { ...outgoing.described, id: history.nextId(), sentAt: ports.clock.now() };
  const product = chooseProduct(input, outgoing.filled);
  history.begin(started, product);
  const { exchange, bytes, walletList } = await askService(deps, input, outgoing, started, signal, onAnswer);
  history.finish(exchange, product, bytes);
  // One that had to be masked is no reference that anybody could use again.
  const { reference } = exchange;
  if (isProduct(input.operation) && reference !== null && reference === outgoing.sentReference) {
    environments.rememberReference?.(input.environment, input.operation, reference);
  }
  const { wallets } = walletList;
  if (product !== null && wallets.length > 0) history.recordBalances(exchange, product, wallets);
  onWallets?.(walletList);
  return exchange;
}

/** Lookups and what is only read leave nothing behind; of a path that is not of the interface nobody knows. */
function findAftermath({ operation, method }: Outgoing): Pick<HttpCall, 'aftermath'> {
  if (isProduct(operation)) return { aftermath: 'payment' };
  const isReading = (operation !== null && operation !== 'other') || /^(?:GET|HEAD|OPTIONS)$/i.test(method);
  return isReading ? { aftermath: 'none' } : {};
}

/** Reads by POST, at a path that is known for it: what a file says of itself does not make a payment one that may go twice. */
function isRead({ operation, url }: Outgoing): boolean {
  if (operation !== 'status' && operation !== 'token') return false;
  const address = url.replace(/[?#].*/s, '');
  return operations[operation].paths.some((path) => address.endsWith(path));
}

async function askService(
  { ports, history, longWork, requestTimeoutMs }: ReadyDeps,
  input: Outgoing,
  { filled, mask, tokenName }: MaskedOutgoing,
  started: Exchange,
  signal: AbortSignal,
  onAnswer?: OnAnswer,
): Promise<{ exchange: Exchange; bytes: Uint8Array | null; walletList: WalletList }> {
  let trace: HttpTrace | undefined;
  let timings: HttpAnswer['timings'] | null = null;
  const traced = {
    mostBytes: countTraceBytes(filled.secrets),
    onEnd: (one: HttpTrace) => (trace = one),
  };
  const showTrace = async (secrets: readonly string[]): Promise<{ trace?: ExchangeTrace }> => {
    if (trace === undefined) return {};
    const sizeBytes = trace.sent.bytes.length + trace.received.bytes.length;
    return { trace: await longWork.call('maskWire', { trace, secrets }, sizeBytes) };
  };
  try {
    const answer = await ports.http({
      method: started.request.method,
      url: input.url,
      headers: filled.headers,
      body: input.bytes,
      timeoutMs: requestTimeoutMs(),
      ...findAftermath(input),
      ...(isRead(input) && { isRepeatable: true }),
      maxResponseBytes: MAX_RESPONSE_BYTES,
      signal,
      ...(input.isForScreen && { trace: traced }),
      onFailure: (failed) => (timings = failed),
    });
    const { httpStatus, headers, body, isCut } = answer;
    const requestBody = started.reference === null ? started.request.body : null;
    const { maskedBytes, issued, cookies, walletList, ...read } = await longWork.call(
      'readReceived',
      {
        operation: started.operation,
        answer: { httpStatus, headers, body, isCut },
        reference: started.reference,
        requestBody,
        secrets: filled.secrets,
        tokenName,
      },
      body.length + countChars([requestBody, ...filled.secrets]),
    );
    const secrets = [...filled.secrets, ...issued];
    onAnswer?.(answer, secrets);
    const shownTrace = await showTrace([...secrets, ...cookies]);
    const exchange = { ...started, ...read, timings: answer.timings, ...shownTrace };
    return { exchange, bytes: maskedBytes ?? answer.body, walletList };
  } catch (error) {
    const { code, message } = toErrorReply(error);
    const failure = { code, message: mask(message) };
    const exchange = { ...started, timings, error: failure, ...(await showTrace(filled.secrets)) };
    if (!NEVER_SENT.test(code)) return { exchange, bytes: null, walletList: noWallets };
    history.finish(exchange, null, null);
    throw error;
  }
}

/** A request that is ready to leave, and the exchange that it becomes: but for its id, and the moment. */
interface MaskedOutgoing {
  readonly filled: FilledHeaders;
  readonly mask: Mask;
  readonly described: Omit<Exchange, 'id' | 'sentAt'>;
  /** As it leaves, masked or not. */
  readonly sentReference: string | null;
  /** What the environment's service calls a token in its answers. */
  readonly tokenName: string;
}

async function describeOutgoing(
  { history: { isKept }, longWork }: Pick<ReadyDeps, 'history' | 'longWork'>,
  input: Outgoing,
  filled: FilledHeaders,
  tokenName: string,
): Promise<MaskedOutgoing> {
  const { environment, operation, identity, title } = input;
  const signed = filled.stringToSign?.text ?? null;
  const sentReference = readExchangeFacts(operation, input.body, null, null).reference;
  const long = [input.body, readText(input.given), signed, sentReference, input.url, input.given.url];
  const mask = await createMask(filled.secrets, isKept ? long : [], longWork);
  // Long texts: who keeps an exchange asks for them, most runs do not.
  const body = once(() => (input.body === null ? null : mask(input.body)));
  const stringToSign = once(() => (signed === null ? null : mask(signed)));
  const headers = once(() => filled.shown.map(([name, value]): [string, string] => [name, mask(value)]));
  const described = {
    environment,
    operation,
    identity,
    title,
    reference: sentReference === null ? null : mask(sentReference),
    request: {
      method: input.method.toUpperCase(),
      url: mask(input.url),
      get headers() {
        return headers();
      },
      get body() {
        return body();
      },
      get stringToSign() {
        return stringToSign();
      },
      signature: filled.signature,
      keyFingerprint: filled.keyFingerprint,
      get spans() {
        return stringToSign() === signed ? (filled.stringToSign?.spans ?? []) : [];
      },
      ...(isKept && { written: writeDown(input.given, body(), mask) }),
    },
    response: null,
    timings: null,
    reading: null,
    error: null,
  };
  return { filled, mask, described, sentReference, tokenName };
}

/** @param texts - those that it will be asked for, and that may be long: masked already, and each once */
async function createMask(
  secrets: readonly string[],
  texts: readonly (string | null)[],
  longWork: LongWork<SendingWork>,
): Promise<Mask> {
  const mask = createSecretMask(secrets);
  const known = [...new Set(texts.filter((text) => text !== null))];
  const made = await longWork.call('maskTexts', { texts: known, secrets }, countChars(known));
  const masked = new Map(known.map((text, index) => [text, made[index]!]));
  return (text) => masked.get(text) ?? mask(text);
}

const countChars = (texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);

/** Works something out where it is first asked for, and once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The product of a request: its token's, else that of its operation. */
function chooseProduct({ operation }: SendInput, { products }: FilledHeaders): Product | null {
  return products[0] ?? (isProduct(operation) ? operation : null);
}
