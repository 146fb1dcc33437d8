import type { HeaderList } from '@shared/contract/common';
import type { Exchange, SendInput } from '@shared/contract/sending';
import { readAnswerBody, summarizeReading, type ReceivedAnswer } from '@shared/expect/judge-answer';
import type { Fill } from '@shared/expect/verdict';
import { decodeAnswer } from '@shared/decode-answer';
import { AppError } from '@shared/errors';
import { listSecretValues } from '@shared/http-file/secret-values';
import { isNeverSent, isOutcomeUnknown } from '@shared/payments/payment-outcome';
import { listRetryHeaders, planWaitMs, readRetryAfterMs } from '@shared/payments/retry-after';
import { isProduct } from '@shared/payments/tables/products';
import { showSize } from '@shared/payments/unread-answer';
import type { RunRequest } from '@shared/run/plan-run';
import type { ExpectationResult } from '@shared/run/run-result';
import type { HttpAnswer } from '../../platform/ports';
import { judgeImmediate } from './judge-request';
import { pause } from './limiter';
import { listUsable } from './run-facts';
import type { Attempt } from './prepare-attempt';
import type { RunContext, RunTurn } from './run-context';

/** How a request came back. */
export interface Sent {
  /** Null: it could not even be sent. */
  readonly exchange: Exchange | null;
  /** Null: no answer came. */
  readonly answer: ReceivedAnswer | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Judged by the answer alone. */
  readonly immediate: ExpectationResult[];
  readonly attempts: number;
}

/** One attempt; `unsent`: what stood in its way before anything of it left. */
type Tried = Omit<Sent, 'attempts'> & { readonly unsent: AppError | null };

const firstRetryMs = 250;
const longestTitle = 300;

/** What is sent of a request. */
export function describeInput(
  request: RunRequest,
  { prepared, fileBody }: Attempt,
  { options }: RunContext,
): SendInput {
  const { operation, method, url, headers, body, variablesUsed } = prepared;
  return {
    environment: options.environment.id,
    identity: request.identity,
    operation,
    title: request.name.slice(0, longestTitle),
    method,
    url,
    headers,
    body: fileBody === null ? body : null,
    ...(fileBody && {
      bodyBase64: Buffer.from(fileBody.bytes).toString('base64'),
      bodyFiles: fileBody.files,
    }),
    secretValues: listSecretValues(variablesUsed),
    allowHosts: [...options.allowHosts],
    ...(options.production !== undefined && { production: options.production }),
  };
}

/** Reads the answer as it came: what is kept of it is masked, and what is masked cannot be compared. */
export function readAnswer(
  exchange: Exchange,
  raw: HttpAnswer | null,
  mostBytes?: number,
): ReceivedAnswer | null {
  if (raw === null || exchange.response === null) return null;
  const { reading } = exchange;
  return {
    operation: exchange.operation,
    httpStatus: raw.httpStatus,
    headers: raw.headers,
    ...readBody(raw, mostBytes),
    totalMs: raw.timings.totalMs,
    summary: summarizeReading(reading),
    outcome: reading?.outcome ?? null,
    signature: null,
  };
}

function readBody(raw: HttpAnswer, mostBytes = raw.body.length): ReturnType<typeof readAnswerBody> {
  const sizeBytes = raw.body.length;
  if (sizeBytes <= mostBytes) {
    return readAnswerBody(decodeAnswer([raw.body], raw.headers).text, { ...raw, sizeBytes });
  }
  const whyUnread = `too long to be judged in the app (${showSize(sizeBytes)}, and ${showSize(mostBytes)} are); countersign run judges it`;
  const { text: body } = decodeAnswer([raw.body.subarray(0, mostBytes)], raw.headers, { isCut: true });
  return { body, tree: null, whyUnread, isUnread: true };
}

async function verifySent(
  request: RunRequest,
  attempt: Attempt,
  exchange: Exchange,
  { deps, options }: RunContext,
) {
  if (!request.directives.expectations.some(({ expectation }) => expectation.kind === 'signature'))
    return null;
  const { signature } = exchange.request;
  if (signature === null) return null;
  try {
    return await deps.verify({ environment: options.environment.id, body: attempt.body ?? '', signature });
  } catch (error) {
    if (error instanceof AppError) return { valid: false, reason: error.message };
    throw error;
  }
}

async function sendOnce(
  request: RunRequest,
  attempt: Attempt,
  context: RunContext,
  turn: RunTurn,
  fill: Fill,
  ahead: Attempt['ready'],
): Promise<Tried> {
  let raw: HttpAnswer | null = null;
  let hasLeft = false;
  try {
    const makeReady = () => context.deps.makeReady(describeInput(request, attempt, context));
    const ready = (await ahead?.catch(() => null)) ?? (await makeReady());
    hasLeft = true;
    const exchange = await ready.leave((answer, secrets) => {
      raw = answer;
      const unknown = listUsable(secrets).filter((secret) => !context.secrets.includes(secret));
      for (const one of unknown) context.secrets.push(one);
    });
    const received = readAnswer(exchange, raw, context.options.mostJudgedBytes);
    if (received === null)
      return { exchange, answer: null, error: exchange.error, immediate: [], unsent: null };
    const answer = { ...received, signature: await verifySent(request, attempt, exchange, context) };
    return {
      exchange,
      answer,
      error: null,
      immediate: judgeImmediate(request, answer, fill, turn),
      unsent: null,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      exchange: null,
      answer: null,
      error: { code: error.code, message: error.message },
      immediate: [],
      unsent: hasLeft ? null : error,
    };
  }
}

/**
 * Tells whether the same bytes may leave once more.
 *
 * A payment that was taken, or may have been, must not: its status is asked first, and only one that nobody knows goes again.
 * What never left may, where a token may be had later.
 */
async function mayLeaveAgain(sent: Tried, attempt: Attempt, context: RunContext): Promise<boolean> {
  const { exchange, error } = sent;
  if (exchange === null) return sent.unsent?.retryable ?? false;
  if (!isProduct(exchange.operation)) return true;
  const outcome = exchange.reading?.outcome ?? null;
  if (outcome === 'accepted' || outcome === 'duplicate') return false;
  if (isNeverSent(error?.code ?? null) || !isOutcomeUnknown(outcome, error?.code ?? null)) return true;
  return (await isKnownPayment(attempt, context)) === false;
}

/** Asks for the status of a payment by its reference; what has none is not told. */
export async function askStatus({ product, reference }: Attempt, { deps, options, polls }: RunContext) {
  if (product === null || reference === null) return { isFound: null, state: null, exchange: null };
  const environment = options.environment.id;
  return polls.run(() =>
    deps.lookUp({ environment, product, by: 'transaction_reference', value: reference }),
  );
}

/** Asks for a payment by its reference. @returns null: the answer does not tell */
export async function isKnownPayment(attempt: Attempt, context: RunContext): Promise<boolean | null> {
  try {
    return (await askStatus(attempt, context)).isFound;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Sends a request, again as often as it may fail and may leave again. */
export async function sendAttempts(
  request: RunRequest,
  attempt: Attempt,
  context: RunContext,
  turn: RunTurn,
  fill: Fill,
): Promise<Sent> {
  const { retries, stop } = context.options;
  for (let attempts = 1; ; attempts += 1) {
    const { unsent, ...sent } = await sendOnce(
      request,
      attempt,
      context,
      turn,
      fill,
      attempts === 1 ? attempt.ready : null,
    );
    if (attempt.product !== null && sent.exchange !== null) context.usedProducts.add(attempt.product);
    const hasFailed = sent.answer === null || sent.immediate.some(({ outcome }) => outcome === 'failed');
    const isLast = !hasFailed || attempts > retries || stop.aborted;
    if (isLast || !(await mayLeaveAgain({ ...sent, unsent }, attempt, context))) return { ...sent, attempts };
    const waitMs = planPauseMs(readHeaders(sent.answer, unsent), attempts, context);
    if (waitMs === null) return { ...sent, attempts };
    await pause(waitMs, stop);
    if (stop.aborted) return { ...sent, attempts };
  }
}

/** Of what was answered, be it the call for a token. */
function readHeaders(answer: ReceivedAnswer | null, unsent: AppError | null): HeaderList {
  return answer?.headers ?? listRetryHeaders(unsent?.details ?? {});
}

/** Never shorter than the service asks for; null: longer than anybody waits. */
function planPauseMs(headers: HeaderList, attempts: number, { deps: { ports } }: RunContext): number | null {
  const asked = readRetryAfterMs(headers, ports.clock.now());
  return asked === null
    ? firstRetryMs * 2 ** Math.min(attempts - 1, 5)
    : planWaitMs(asked, attempts, ports.random.bytes(1)[0]! / 256);
}
