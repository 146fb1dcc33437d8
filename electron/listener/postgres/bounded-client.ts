import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { AppError } from '@shared/errors';

/** The longest body that is read, as the server writes it, is half of this; so are the rows of the longest list. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 5;

/** What of the library's own connection is used: it is the one place that sees bytes before they are gathered. */
interface Connection extends EventEmitter {
  attachListeners(stream: Duplex): void;
}

/**
 * A connection to a store that ends where an answer is longer than any that is asked for, or is none of PostgreSQL's.
 *
 * The library gathers all rows of an answer, and any one message, however long; what it cannot read it throws where nobody
 * catches it, and an error without an end it reads for ever.
 */
export class BoundedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: Connection };
    const attach = connection.attachListeners.bind(connection);
    let bytes = 0;
    connection.on('readyForQuery', () => (bytes = 0));
    // Called for the stream that is read in the end: the one within TLS, where there is TLS.
    connection.attachListeners = (stream) => {
      const frames = new Frames();
      attach(stream);
      const readers = stream.listeners('data') as ((chunk: Buffer) => void)[];
      stream.removeAllListeners('data');
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_ANSWER_BYTES) return void stream.destroy(refuse(TOO_LONG));
        try {
          if (!frames.take(chunk)) return void stream.destroy(refuse(BROKEN));
          for (const read of readers) read(chunk);
        } catch {
          stream.destroy(refuse(BROKEN));
        }
      });
    };
  }
}

const TOO_LONG = `more than ${MOST_ANSWER_BYTES / 1024 / 1024} MiB, which no inbox does`;
const BROKEN = 'what is no message of PostgreSQL';

export const refuseAnswer = (): AppError => refuse(BROKEN);

function refuse(what: string): AppError {
  return new AppError(
    'store.failed',
    `The store answers with ${what}: the connection was ended. Check that the address is that of your PostgreSQL.`,
  );
}

/** Walks over the messages of a connection, and holds each error and notice to its end. */
class Frames {
  #head = Buffer.alloc(0);
  #left = 0;
  #isText = false;
  #tail: readonly number[] = [];

  /** @returns whether all of it can be read */
  take(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.length;) {
      if (this.#left > 0) {
        const to = Math.min(chunk.length, at + this.#left);
        if (this.#isText) this.#tail = [...this.#tail, ...chunk.subarray(Math.max(at, to - 2), to)].slice(-2);
        this.#left -= to - at;
        at = to;
      } else {
        const part = chunk.subarray(at, at + HEAD_BYTES - this.#head.length);
        this.#head = Buffer.concat([this.#head, part]);
        at += part.length;
        if (this.#head.length < HEAD_BYTES) return true;
        if (!this.#begin()) return false;
      }
      if (this.#left === 0 && !this.#endsWell()) return false;
    }
    return true;
  }

  #begin(): boolean {
    const length = this.#head.readUInt32BE(1);
    this.#isText = this.#head[0] === 0x45 || this.#head[0] === 0x4e;
    this.#tail = [0];
    this.#left = length - 4;
    this.#head = Buffer.alloc(0);
    return length >= 4;
  }

  /** Its last text has an end, and so has the list of texts. */
  #endsWell(): boolean {
    if (!this.#isText) return true;
    this.#isText = false;
    return this.#tail.length === 2 && this.#tail.every((byte) => byte === 0);
  }
}
