import type { HttpRequest, Responder } from '../../platform/http1/connection';
import { createHttp1Server, type Http1Server } from '../../platform/http1/create-http1-server';
import type { OutgoingAnswer } from '../../platform/http1/write-answer';
import { answerErrorObject, JSON_TYPE } from './answers';
import { receiveRequest, type HttpParts } from './receive-request';
import { reportFailure } from './report-failure';
import { readServiceHeaders, type ServiceHeaders } from './service-headers';

/** The largest body that is read. */
const MAX_BODY_BYTES = 1024 * 1024;

/** A request for a path that is not of the service: admin or checkout page. */
export interface RouteRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: ServiceHeaders;
  readonly body: Buffer;
  /** The body is longer than 1 MiB, and `body` is empty. */
  readonly isTooLong: boolean;
}

export type AnswerRoute = (request: RouteRequest) => OutgoingAnswer | Promise<OutgoingAnswer>;

/** Paths below a prefix. What answers them is loaded when first asked for: it is no part of the first answer. */
export interface PrefixRoute {
  readonly prefix: string;
  load(): Promise<AnswerRoute>;
}

export interface AdapterParts {
  /** Tells whose a request is. */
  find(request: HttpRequest): HttpParts;
  /** Draws an id for a request that is nobody's. */
  drawId(): string;
  readonly routes: readonly PrefixRoute[];
  /** Certificate and private key, PEM; null: plain HTTP. */
  readonly tls: { key: string; cert: string } | null;
}

/** Makes the server of a sandbox: the operations of the service, and the routes beside them. */
export function createHttpAdapter({ find, drawId, routes, tls }: AdapterParts): Http1Server {
  const receive = gatherRequests((request, responder) => receiveRequest(find(request), request, responder));
  return createHttp1Server(
    {
      maxBodyBytes: MAX_BODY_BYTES,
      receive(request, responder) {
        const route = routes.find(({ prefix }) => request.target.startsWith(prefix));
        if (route === undefined) receive(request, responder);
        else void answerRoute(route, request, responder, drawId());
      },
      refuse: (httpStatus, reason) => refuseUnreadable(httpStatus, reason, drawId()),
    },
    tls,
  );
}

async function answerRoute(
  route: PrefixRoute,
  request: HttpRequest,
  responder: Responder,
  id: string,
): Promise<void> {
  const { method, target, headers, body, isTooLong } = request;
  const [path = '', query = ''] = target.split(/\?(.*)/s, 2);
  try {
    const answer = await route.load();
    const given = { id, method, path, query, headers: readServiceHeaders(headers), body, isTooLong };
    const { httpStatus, headers: more, body: text } = await answer(given);
    responder.answer(httpStatus, ['X-Request-Id', id, ...more], text);
  } catch (error) {
    reportFailure(error);
    responder.answer(500, ['X-Request-Id', id], '');
  }
}

/** Requests that are worth waiting for together, and turns of the event loop that are waited at most. */
const ENOUGH_REQUESTS = 16;
const MOST_TURNS = 3;

/**
 * Hands requests on in groups: as long as a turn of the event loop brings more of them, a few turns are waited for.
 *
 * Requests that go through the same code one right after the other take a third less time, and share a commit. One
 * that is alone waits for one look at the sockets, some microseconds.
 */
function gatherRequests(
  receive: (request: HttpRequest, responder: Responder) => void,
): (request: HttpRequest, responder: Responder) => void {
  let waiting: { request: HttpRequest; responder: Responder }[] = [];
  let seen = 0;
  let turns = 0;
  const endTurn = (): void => {
    const isGrowing = waiting.length > seen && waiting.length < ENOUGH_REQUESTS && turns < MOST_TURNS;
    seen = waiting.length;
    turns += 1;
    if (isGrowing) return void setImmediate(endTurn);
    const group = waiting;
    waiting = [];
    seen = 0;
    turns = 0;
    for (const { request, responder } of group) receive(request, responder);
  };
  return (request, responder) => {
    if (waiting.push({ request, responder }) === 1) setImmediate(endTurn);
  };
}

const unreadable: Readonly<Record<number, string>> = { 408: 'The request did not come in time.' };

/** Answers what is not HTTP, or has headers beyond all measure, with the error object. @source part 7.2 */
function refuseUnreadable(httpStatus: number, reason: string, id: string): OutgoingAnswer {
  const text = unreadable[httpStatus] ?? `This is not a readable HTTP request: ${reason}.`;
  const { body } = answerErrorObject(400, 'body', 'bad_request', text, id);
  return {
    httpStatus: httpStatus === 503 ? 503 : 400,
    headers: ['Content-Type', JSON_TYPE, 'X-Request-Id', id],
    body,
  };
}
