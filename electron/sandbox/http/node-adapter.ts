import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerErrorObject, JSON_TYPE } from './answers';
import { sendSlowly } from '../faults/faults';
import { receiveRequest, type Arrival, type HttpFrontParts } from './receive-request';
import { MOST_BODY_BYTES, readBody } from './read-body';

/** Paths of the sandbox that are not of the service: admin and checkout page. Loaded when first asked for. */
export type SideDoor = (
  message: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
  requestId: string,
) => void;

export interface SideDoorEntry {
  readonly prefix: string;
  readonly open: SideDoor;
}

/** Lets requests in that `node:http` has read: every one that the quick entry does not take. */
export function attachNodeEntry(
  server: Server,
  parts: HttpFrontParts,
  doors: readonly SideDoorEntry[],
): void {
  const receive = (message: IncomingMessage, response: ServerResponse): void => {
    const url = message.url ?? '/';
    const door = doors.find(({ prefix }) => url.startsWith(prefix));
    if (door === undefined) return receiveRequest(parts, toArrival(message, response));
    const [path = '', query = ''] = url.split(/\?(.*)/s, 2);
    door.open(message, response, path, query, parts.context.numbers.drawId());
  };
  server.on('request', receive);
  server.on('checkContinue', (message: IncomingMessage, response: ServerResponse) => {
    // A body that will be refused need not be sent at all.
    if (Number(message.headers['content-length'] ?? 0) <= MOST_BODY_BYTES) response.writeContinue();
    receive(message, response);
  });
  // Node would answer 417 without a request id; an expectation that nobody knows may be passed over.
  server.on('checkExpectation', receive);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuseUnreadable(error, socket, parts.context.numbers.drawId());
  });
}

function toArrival(message: IncomingMessage, response: ServerResponse): Arrival {
  const writeHead = (httpStatus: number, headers: readonly string[], body: string): void => {
    const length = String(Buffer.byteLength(body));
    response.writeHead(httpStatus, [...headers, 'Content-Length', length]);
  };
  return {
    method: message.method ?? '',
    url: message.url ?? '/',
    headers: message.headers,
    readBody: (done) => readBody(message, done),
    send(httpStatus, headers, body) {
      writeHead(httpStatus, headers, body);
      response.end(body);
    },
    sendSlowly(httpStatus, headers, body, durationMs) {
      writeHead(httpStatus, headers, body);
      sendSlowly(response, body, durationMs);
    },
    drop: () => void message.socket.destroy(),
  };
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
