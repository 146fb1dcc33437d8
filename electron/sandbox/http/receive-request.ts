import type { OperationRow } from '@shared/payments/tables/operations';
import {
  answerBalanceError,
  answerEnvelope,
  answerErrorObject,
  answerNothingKept,
  answerTooMany,
  type Answer,
} from './answers';
import type { HttpRequest, Responder } from '../../platform/http1/connection';
import { drawFault, sendSlowly, type DrawnFault } from '../faults/faults';
import type { RateLimiter } from '../admission/rate-limiter';
import { reportFailure } from './report-failure';
import { readJsonObject } from './read-json-body';
import type { RequestLog } from '../requests/request-log';
import type { SandboxContext } from '../sandbox-context';
import { describeNoSignature, readOrigin, readServiceHeaders, type ServiceHeaders } from './service-headers';
import type { ServiceRequest } from './service-request';
import { answerUnknownPath, answerWrongMethod, findServiceRoute, runOperation } from './service-routes';

export interface HttpParts {
  readonly context: SandboxContext;
  readonly limiter: RateLimiter;
  readonly log: RequestLog;
  /** Requests that have no answer yet. */
  underWay: number;
  onChange(reason: string): void;
}

const EMPTY: Readonly<Record<string, unknown>> = {};

/**
 * Takes a request of the service: finds the operation, runs the checks in their order, answers once it is durable.
 *
 * @source design 5
 */
export function receiveRequest(parts: HttpParts, request: HttpRequest, responder: Responder): void {
  new Exchange(parts, request, responder).receive();
}

/** One request on its way through the sandbox. */
class Exchange implements ServiceRequest {
  readonly number: number;
  readonly id: string;
  readonly path: string;
  readonly query: string;
  readonly authorization: string | undefined;
  readonly signature: string | undefined;
  readonly outcome: string | undefined;
  readonly webhookWish: string | undefined;
  text = '';
  value = EMPTY;

  private operation: OperationRow | null = null;
  private readonly headers: ServiceHeaders;
  private readonly at: number;
  private readonly startedAt = performance.now();
  private readonly fault: DrawnFault;

  constructor(
    private readonly parts: HttpParts,
    private readonly request: HttpRequest,
    private readonly responder: Responder,
  ) {
    const { context } = parts;
    const target = request.target.startsWith('/') ? request.target : stripOrigin(request.target);
    parts.underWay += 1;
    this.headers = readServiceHeaders(request.headers);
    this.number = context.numbers.next();
    this.id = context.numbers.drawId(this.number);
    this.at = context.clock.now();
    this.fault = drawFault(context.faults, context.random);
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
    this.authorization = this.headers.authorization;
    this.signature = this.headers['x-custom-signature'];
    this.outcome = this.headers['x-sandbox-outcome'];
    this.webhookWish = this.headers['x-sandbox-webhook'];
  }

  readOrigin(): string {
    return readOrigin(this.headers, this.parts.context.scheme);
  }

  describeNoSignature(): string {
    return describeNoSignature(this.request.headers);
  }

  receive(): void {
    const { context, limiter } = this.parts;
    const wait = limiter.take();
    if (wait !== null) {
      return void this.answer(answerTooMany(this.id, 'Too many requests. Slow down and try again.', wait));
    }
    const operation = findServiceRoute(this.path, context.settings.pathForm);
    if (operation === undefined)
      return void this.answer(answerUnknownPath(this.path, context.settings.pathForm));
    this.operation = operation;
    if (this.request.method !== operation.method) {
      return void this.answer(answerWrongMethod(operation, this.id));
    }
    if (this.fault.isError) return void this.answer(answerFault(operation));
    if (operation.method === 'GET') void this.run(operation);
    else this.takeBody(operation);
  }

  private takeBody(operation: OperationRow): void {
    const { body, isTooLong } = this.request;
    if (isTooLong) {
      const text = 'The body is larger than 1 MiB.';
      return void this.answer(answerErrorObject(400, 'body', 'body_too_large', text, this.id));
    }
    const { headers } = this;
    const json = readJsonObject(body, headers['content-type'], headers['content-encoding']);
    this.text = json.text;
    if (!json.ok) return void this.answer(answerErrorObject(400, 'body', json.error, json.message, this.id));
    this.value = json.value;
    void this.run(operation);
  }

  /** Runs an operation; what it throws is answered 500. */
  private async run(operation: OperationRow): Promise<void> {
    let answer: Answer;
    try {
      answer = await runOperation(this.parts.context, operation, this);
    } catch (error) {
      reportFailure(error);
      answer = answerEnvelope('internal', 'error', 'Internal server error');
    }
    void this.answer(answer);
  }

  /** Sends an answer after the commit of everything that it may rest on. */
  private async answer(answer: Answer): Promise<void> {
    if (answer.isDurable) return this.send(answer);
    const failure = await this.parts.context.commit.afterCommit();
    if (failure !== null) reportFailure(failure);
    this.send(failure === null || answer.verdict === 'error' ? answer : answerNothingKept());
  }

  private send(answer: Answer): void {
    this.parts.underWay -= 1;
    this.log(answer);
    const { responder, fault, id } = this;
    if (fault.isDropped) return responder.drop();
    const { httpStatus, body, contentType } = answer;
    const headers = ['Content-Type', contentType, 'X-Request-Id', id, ...answer.headers];
    if (fault.latencyMs === 0 && fault.slowBodyMs === 0) return responder.answer(httpStatus, headers, body);
    const timer = setTimeout(() => {
      if (fault.slowBodyMs === 0) responder.answer(httpStatus, headers, body);
      else sendSlowly(responder, httpStatus, headers, body, this.parts.context.faults.slowBodyMs);
    }, fault.latencyMs);
    timer.unref();
  }

  private log(answer: Answer): void {
    this.parts.log.add({
      id: this.id,
      at: this.at,
      durationMs: Math.round((performance.now() - this.startedAt) * 10) / 10,
      operation: this.operation?.operation ?? null,
      reference: readReference(this.value),
      request: this.request,
      answer,
      isDropped: this.fault.isDropped,
    });
    this.parts.onChange('request');
  }
}

/** A client that takes us for its proxy names the whole address. @source RFC 9112 §3.2.2 */
function stripOrigin(target: string): string {
  const path = /^https?:\/\/[^/?]*(.*)/is.exec(target)?.[1];
  return path === undefined ? target : path.startsWith('/') ? path : `/${path}`;
}

function answerFault(operation: OperationRow): Answer {
  const description = 'Internal server error (a fault that this sandbox was told to show)';
  if (operation.operation === 'balances') return answerBalanceError(500, 'fault', description);
  return answerEnvelope('internal', 'fault', description);
}

/** The client's reference, by the name that each operation has for it. */
function readReference(value: Readonly<Record<string, unknown>>): string | null {
  const { transaction, transaction_reference: queried, client_reference: reported } = value;
  const { reference } = (transaction ?? {}) as { reference?: unknown };
  const found = [reference, queried, reported].find((one) => typeof one === 'string');
  return found === undefined ? null : (found as string).slice(0, 200);
}
