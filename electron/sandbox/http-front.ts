import type { OperationRow } from '@shared/payments/tables/operations';
import { answerBalanceError, answerEnvelope, answerErrorObject, answerTooMany, type Answer } from './answers';
import { drawFault, type DrawnFault } from './faults';
import { writeRequestId } from './payment-store';
import type { RateLimiter } from './rate-limiter';
import { reportFailure } from './report-failure';
import { readJsonObject, type BodyReading } from './read-body';
import type { RequestLog } from './request-log';
import type { SandboxContext } from './sandbox-context';
import { answerUnknownPath, answerWrongMethod, findServiceRoute, runOperation } from './service-routes';

/** Headers that the service looks at. Node's own object has this shape. */
export interface ServiceHeaders {
  readonly host?: string | undefined;
  readonly authorization?: string | undefined;
  readonly 'content-type'?: string | undefined;
  readonly 'content-encoding'?: string | undefined;
  readonly 'x-custom-signature'?: string | string[] | undefined;
}

/** One request, however it came in, and the way to answer it. */
export interface Arrival {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: ServiceHeaders;
  /** Calls back once; not at all where the client went away. */
  readBody(done: (reading: BodyReading) => void): void;
  send(httpStatus: number, headers: readonly string[], body: string): void;
  /** Spreads the body over so many milliseconds. */
  sendSlowly(httpStatus: number, headers: readonly string[], body: string, durationMs: number): void;
  /** Closes the connection without an answer. */
  drop(): void;
}

export interface HttpFrontParts {
  readonly context: SandboxContext;
  readonly limiter: RateLimiter;
  readonly log: RequestLog;
  onChange(reason: string): void;
}

interface Exchange {
  readonly id: string;
  readonly number: number;
  readonly at: number;
  readonly startedAt: number;
  readonly path: string;
  readonly query: string;
  readonly arrival: Arrival;
  readonly fault: DrawnFault;
}

const EMPTY: Readonly<Record<string, unknown>> = {};

/** Draws the id of a request, with the number in it that its payment will have. */
export function drawRequestId(context: SandboxContext, number = context.nextNumber()): string {
  return writeRequestId(context.random.uuid(), number);
}

/**
 * Takes a request of the service: finds the operation, runs the checks in their order, answers once it is durable.
 *
 * @source design 5
 */
export function receiveRequest(parts: HttpFrontParts, arrival: Arrival): void {
  const { context } = parts;
  const number = context.nextNumber();
  const id = drawRequestId(context, number);
  const { url, method } = arrival;
  const mark = url.indexOf('?');
  const exchange: Exchange = {
    id,
    number,
    at: context.clock.now(),
    startedAt: performance.now(),
    path: mark === -1 ? url : url.slice(0, mark),
    query: mark === -1 ? '' : url.slice(mark + 1),
    arrival,
    fault: drawFault(context.faults, context.random),
  };
  const wait = parts.limiter.take();
  if (wait !== null) {
    return answer(parts, exchange, answerTooMany(id, 'Too many requests. Slow down and try again.', wait));
  }
  const operation = findServiceRoute(exchange.path, context.settings.pathForm);
  if (operation === undefined) return answer(parts, exchange, answerUnknownPath());
  if (method !== operation.method) return answer(parts, exchange, answerWrongMethod(operation, id));
  if (exchange.fault.isError) return answer(parts, exchange, answerFault(operation));
  if (operation.method === 'GET') return run(parts, exchange, operation, '', EMPTY);
  arrival.readBody((reading) => takeBody(parts, exchange, operation, reading));
}

function answerFault(operation: OperationRow): Answer {
  const description = 'Internal server error (a fault that this sandbox was told to show)';
  if (operation.operation === 'balances') return answerBalanceError(500, 'fault', description);
  return answerEnvelope('internal', 'fault', description);
}

function takeBody(
  parts: HttpFrontParts,
  exchange: Exchange,
  operation: OperationRow,
  reading: BodyReading,
): void {
  if (!reading.ok) {
    const text = 'The body is larger than 1 MiB.';
    return answer(parts, exchange, answerErrorObject(400, 'body', 'body_too_large', text, exchange.id));
  }
  const { headers } = exchange.arrival;
  const json = readJsonObject(reading.bytes, headers['content-type'], headers['content-encoding']);
  if (!json.ok) {
    const refusal = answerErrorObject(400, 'body', json.error, json.message, exchange.id);
    return answer(parts, exchange, refusal, json.text);
  }
  run(parts, exchange, operation, json.text, json.value);
}

function run(
  parts: HttpFrontParts,
  exchange: Exchange,
  operation: OperationRow,
  text: string,
  value: Readonly<Record<string, unknown>>,
): void {
  const { headers } = exchange.arrival;
  const signature = headers['x-custom-signature'];
  const finish = (result: Answer): void => answer(parts, exchange, result, text, readReference(value));
  const fail = (error: unknown): void => {
    reportFailure(error);
    finish(answerEnvelope('internal', 'error', 'Internal server error'));
  };
  try {
    const result = runOperation(parts.context, operation, {
      id: exchange.id,
      number: exchange.number,
      host: headers.host,
      query: exchange.query,
      authorization: headers.authorization,
      signature: typeof signature === 'string' ? signature : undefined,
      text,
      value,
    });
    if (result instanceof Promise) result.then(finish).catch(fail);
    else finish(result);
  } catch (error) {
    fail(error);
  }
}

function readReference(value: Readonly<Record<string, unknown>>): string | null {
  const { transaction, transaction_reference: queried } = value;
  const { reference } = (transaction ?? {}) as { reference?: unknown };
  if (typeof reference === 'string') return reference.slice(0, 200);
  return typeof queried === 'string' ? queried.slice(0, 200) : null;
}

/** Sends an answer after the commit of everything that it may rest on. */
function answer(
  parts: HttpFrontParts,
  exchange: Exchange,
  result: Answer,
  text = '',
  reference: string | null = null,
): void {
  if (result.isDurable) {
    logAnswer(parts, exchange, result, text, reference);
    return deliver(parts, exchange, result);
  }
  parts.context.commit.afterCommit((failure) => {
    if (failure !== null) reportFailure(failure);
    const sent =
      failure === null || result.verdict === 'error'
        ? result
        : answerEnvelope('internal', 'error', 'Internal server error: nothing was kept. Send it again.');
    logAnswer(parts, exchange, sent, text, reference);
    deliver(parts, exchange, sent);
  });
}

function deliver({ context }: HttpFrontParts, { id, arrival, fault }: Exchange, result: Answer): void {
  if (fault.isDropped) return arrival.drop();
  const { httpStatus, body, contentType } = result;
  const headers = ['Content-Type', contentType, 'X-Request-Id', id, ...result.headers];
  if (fault.latencyMs === 0 && fault.slowBodyMs === 0) return arrival.send(httpStatus, headers, body);
  const timer = setTimeout(() => {
    if (fault.slowBodyMs === 0) arrival.send(httpStatus, headers, body);
    else arrival.sendSlowly(httpStatus, headers, body, context.faults.slowBodyMs);
  }, fault.latencyMs);
  timer.unref();
}

function logAnswer(
  { log, onChange }: HttpFrontParts,
  exchange: Exchange,
  result: Answer,
  text: string,
  reference: string | null,
): void {
  const { arrival, id, at, path } = exchange;
  const signature = arrival.headers['x-custom-signature'];
  const isRefused = result.httpStatus >= 400 && result.verdict !== 'token' && text !== '';
  log.add({
    id,
    at,
    method: arrival.method.slice(0, 20),
    path: path.slice(0, 300),
    httpStatus: result.httpStatus,
    verdict: result.verdict,
    reference,
    durationMs: performance.now() - exchange.startedAt,
    reason: result.reason,
    fieldErrors: result.fieldErrors,
    refused: isRefused ? { body: text, signature: typeof signature === 'string' ? signature : null } : null,
  });
  onChange('request');
}
