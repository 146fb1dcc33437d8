import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { createHttp1Server } from '../create-http1-server';
import { limits } from '../limits';
import { createDraw, makeStream } from './make-messages';

/** A message as a reader took it: all texts Latin-1. */
export interface ReadMessage {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly trailers: readonly string[];
}

/** Reads the bytes of one connection; gives the messages that were taken whole. */
export type Reader = (pieces: readonly string[]) => Promise<readonly ReadMessage[]>;

/** A connection whose bytes are given, and whose answers are passed over. */
class GivenSocket extends Duplex {
  override _read(): void {
    // All bytes are pushed at once.
  }

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

/** Lets a server read the bytes of one connection until it is closed, or nothing has come of it for many turns. */
async function feed(server: NodeJS.EventEmitter, pieces: readonly string[]): Promise<void> {
  const socket = new GivenSocket();
  server.emit('connection', socket);
  for (const piece of pieces) socket.push(Buffer.from(piece, 'latin1'));
  socket.push(null);
  const mostTurns = 200 + pieces.length;
  for (let turn = 0; turn < mostTurns && !socket.closed; turn++) {
    await new Promise((done) => setImmediate(done));
  }
  socket.destroy();
}

/** Makes a reader of ours, which answers everything at once. */
export function createOwnReader(): Reader {
  let messages: ReadMessage[] = [];
  const { server } = createHttp1Server({
    maxBodyBytes: 1024 * 1024,
    receive({ method, target, headers, body, trailers, isTooLong }, responder) {
      if (!isTooLong) messages.push({ method, target, headers, body: body.toString('latin1'), trailers });
      responder.answer(200, [], 'ok');
    },
    refuse: (httpStatus, reason) => ({ httpStatus, headers: [], body: reason }),
  });
  return async (pieces) => {
    messages = [];
    await feed(server, pieces);
    return messages;
  };
}

/** Makes a reader of Node's own parser, as strict as it gets, with limits as wide as ours. */
export function createNodeReader(): Reader {
  let messages: ReadMessage[] = [];
  const server = createServer({
    insecureHTTPParser: false,
    requireHostHeader: false,
    maxHeaderSize: limits.headBytes,
  });
  server.maxHeadersCount = 0;
  // A client that has closed its side is still read to the end.
  Object.assign(server, { httpAllowHalfOpen: true });
  const take = (message: IncomingMessage, response: ServerResponse): void => {
    const taken = messages;
    let body = '';
    message.setEncoding('latin1');
    message.on('data', (text: string) => (body += text));
    message.on('end', () => {
      const { method = '', url: target = '', rawHeaders: headers, rawTrailers: trailers } = message;
      taken.push({ method, target, headers, body, trailers });
    });
    message.on('error', () => undefined);
    response.end('ok');
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, take);
  // Not at once: what came whole before the fault is still to be told.
  server.on('clientError', (_error, socket) => setImmediate(() => socket.destroy()));
  return async (pieces) => {
    messages = [];
    await feed(server, pieces);
    return messages;
  };
}

/**
 * Reads so many made messages with both readers.
 *
 * @returns how many each took, and the first streams that we took and Node did not, or read in another way
 */
export async function compareReaders(seed: number, messageCount: number) {
  const [readOwn, readNode, draw] = [createOwnReader(), createNodeReader(), createDraw(seed)];
  const counts = { made: 0, own: 0, node: 0, validLost: 0 };
  const differences: {
    pieces: readonly string[];
    own: readonly ReadMessage[];
    node: readonly ReadMessage[];
  }[] = [];
  while (counts.made < messageCount && differences.length < 5) {
    const { pieces, messageCount: made, isValid } = makeStream(draw);
    const own = await readOwn(pieces);
    const node = await readNode(pieces);
    counts.made += made;
    counts.own += own.length;
    counts.node += node.length;
    if (isValid) counts.validLost += made - own.length;
    if (!isReadAlike(own, node)) differences.push({ pieces, own, node });
  }
  return { counts, differences };
}

/** All that we took is what Node took; it may have taken more. */
export function isReadAlike(own: readonly ReadMessage[], node: readonly ReadMessage[]): boolean {
  return JSON.stringify(own) === JSON.stringify(node.slice(0, own.length));
}
