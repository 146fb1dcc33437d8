import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { OperationRow } from '@shared/payments/tables/operations';
import {
  answerBalanceError,
  answerEnvelope,
  answerErrorObject,
  answerTooMany,
  JSON_TYPE,
  type Answer,
} from './answers';
import { drawFault, sendSlowly, type DrawnFault } from './faults';
import { writeRequestId } from './payment-store';
import type { RateLimiter } from './rate-limiter';
import { reportFailure } from './report-failure';
import { readBody, readJsonObject, type BodyReading } from './read-body';
import type { RequestLog } from './request-log';
import type { SandboxContext } from './sandbox-context';
import { answerUnknownPath, answerWrongMethod, findServiceRoute, runOperation } from './service-routes';

/** Paths of the sandbox that are not of the service: admin and checkout page. Loaded when first asked for. */
export type SideDoor = (
  message: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
  requestId: string,
) => void;

export interface HttpFrontParts {
  readonly context: SandboxContext;
  readonly limiter: RateLimiter;
  readonly log: RequestLog;
  readonly sideDoors: readonly { readonly prefix: string; readonly open: SideDoor }[];
  onChange(reason: string): void;
}

interface Exchange {
  readonly id: string;
  readonly number: number;
  readonly at: number;
  readonly startedAt: number;
  readonly path: string;
  readonly query: string;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly fault: DrawnFault;
}

const EMPTY: Readonly<Record<string, unknown>> = {};

/**
 * Answers HTTP requests: finds who is asked, runs the checks in their order, sends the answer once it is durable.
 *
 * @source design 5
 */
export function attachHttpFront(server: Server, parts: HttpFrontParts): void {
  server.on('request', (message: IncomingMessage, response: ServerResponse) =>
    receive(parts, message, response),
  );
  server.on('checkContinue', (message: IncomingMessage, response: ServerResponse) => {
    // A body that will be refused need not be sent at all.
    if (Number(message.headers['content-length'] ?? 0) <= 1024 * 1024) response.writeContinue();
    receive(parts, message, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuseUnreadable(error, socket, parts.context.random.uuid());
  });
}

function receive(parts: HttpFrontParts, message: IncomingMessage, response: ServerResponse): void {
  const { context } = parts;
  const number = context.nextNumber();
  const id = writeRequestId(context.random.uuid(), number);
  const url = message.url ?? '/';
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? '' : url.slice(mark + 1);
  for (const { prefix, open } of parts.sideDoors) {
    if (path.startsWith(prefix)) return open(message, response, path, query, id);
  }
  const fault = drawFault(context.faults, context.random);
  const exchange: Exchange = {
    id,
    number,
    at: context.clock.now(),
    startedAt: performance.now(),
    path,
    query,
    message,
    response,
    fault,
  };
  const wait = parts.limiter.take();
  if (wait !== null) {
    return answer(parts, exchange, answerTooMany(id, 'Too many requests. Slow down and try again.', wait));
  }
  const operation = findServiceRoute(path, context.settings.pathForm);
  if (operation === undefined) return answer(parts, exchange, answerUnknownPath());
  if (message.method !== operation.method) return answer(parts, exchange, answerWrongMethod(operation, id));
  if (fault.isError) return answer(parts, exchange, answerFault(operation));
  if (operation.method === 'GET') return run(parts, exchange, operation, '', EMPTY);
  readBody(message, (reading) => takeBody(parts, exchange, operation, reading));
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
  const { headers } = exchange.message;
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
  const { headers } = exchange.message;
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

function deliver({ context }: HttpFrontParts, exchange: Exchange, result: Answer): void {
  const { response, fault } = exchange;
  if (fault.isDropped) return void exchange.message.socket.destroy();
  if (fault.latencyMs === 0 && fault.slowBodyMs === 0) return send(exchange, result);
  const timer = setTimeout(() => {
    if (fault.slowBodyMs === 0) return send(exchange, result);
    writeHead(exchange, result);
    sendSlowly(response, result.body, context.faults.slowBodyMs);
  }, fault.latencyMs);
  response.once('close', () => clearTimeout(timer));
}

function send(exchange: Exchange, result: Answer): void {
  writeHead(exchange, result);
  exchange.response.end(result.body);
}

function writeHead({ id, response }: Exchange, { httpStatus, body, contentType, headers }: Answer): void {
  const length = Buffer.byteLength(body);
  response.writeHead(httpStatus, [
    'Content-Type',
    contentType,
    'Content-Length',
    String(length),
    'X-Request-Id',
    id,
    ...headers,
  ]);
}

function logAnswer(
  { log, onChange }: HttpFrontParts,
  exchange: Exchange,
  result: Answer,
  text: string,
  reference: string | null,
): void {
  const { message, id, at, path } = exchange;
  const signature = message.headers['x-custom-signature'];
  const isRefused = result.httpStatus >= 400 && result.verdict !== 'token' && text !== '';
  log.add({
    id,
    at,
    method: message.method ?? '',
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

/** Answers what is not HTTP, or has headers beyond all measure, with the error object; then closes. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket, id: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const isTimeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const text = isTimeout
    ? 'The request did not come in time.'
    : isTooLong
      ? 'The headers are longer than 16 KiB.'
      : 'This is not a readable HTTP request.';
  const { body } = answerErrorObject(400, 'body', 'bad_request', text, id);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
  );
}
