import { GrowingBytes } from './growing-bytes';

/** What a message head says about the message; or the status with which it is refused. */
export type HeadReading =
  | {
      readonly kind: 'head';
      readonly method: string;
      readonly path: string;
      /** Bytes of the body; -1: chunked. */
      readonly contentLength: number;
      readonly isKeepAlive: boolean;
      readonly expectsContinue: boolean;
    }
  | { readonly kind: 'refused'; readonly httpStatus: number; readonly reason: string };

/** The target may hold bytes above ASCII as they are (paths in UTF-8), never a space or a control character. */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) ([!-~\x80-\xff]{1,16384}) HTTP\/1\.([01])$/;
/** Every line: a token, a colon, a value without control characters. Folded lines are obsolete and refused. */
// eslint-disable-next-line no-control-regex -- RFC 9110 §5.5 forbids exactly these
const HEADER_LINES = /^(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\x00-\x08\x0a-\x1f\x7f]*)*$/;
const FRAMING = /\r\n(content-length|transfer-encoding|connection|expect):[ \t]*([^\r]*)/gi;

/**
 * Reads the head of a request, strictly.
 *
 * What two servers could read in two ways (both lengths, several lengths, folded lines) is refused.
 * @param head - bytes up to, without, the empty line; as Latin-1 text
 * @source RFC 9112 §2 to §6
 */
export function readHead(head: string): HeadReading {
  const lineEnd = head.indexOf('\r\n');
  const line = REQUEST_LINE.exec(lineEnd === -1 ? head : head.slice(0, lineEnd));
  if (line === null) return refuseLine(head);
  const lines = lineEnd === -1 ? '' : head.slice(lineEnd);
  if (!HEADER_LINES.test(lines)) return refuse(400, 'a header line cannot be read');
  const isVersion11 = line[3] === '1';
  let length: string | null = null;
  let coding: string | null = null;
  let isKeepAlive = isVersion11;
  let expectsContinue = false;
  FRAMING.lastIndex = 0;
  for (let match = FRAMING.exec(lines); match !== null; match = FRAMING.exec(lines)) {
    // Not trim(): what it takes away beyond spaces and tabs, another server would take as part of the value.
    const value = match[2]!.replace(/[ \t]+$/, '');
    switch (match[1]!.length) {
      case 14: // content-length
        if (length !== null && length !== value) return refuse(400, 'two values of Content-Length');
        length = value;
        break;
      case 17: // transfer-encoding
        coding = coding === null ? value.toLowerCase() : `${coding}, ${value.toLowerCase()}`;
        break;
      case 10: // connection
        if (/\bclose\b/i.test(value)) isKeepAlive = false;
        break;
      default: // expect
        expectsContinue = value.toLowerCase() === '100-continue';
    }
  }
  const contentLength = readLength(length, coding, isVersion11);
  if (typeof contentLength !== 'number') return contentLength;
  return { kind: 'head', method: line[1]!, path: line[2]!, contentLength, isKeepAlive, expectsContinue };
}

function readLength(
  length: string | null,
  coding: string | null,
  isVersion11: boolean,
): number | HeadReading {
  if (coding !== null) {
    if (length !== null || !isVersion11) return refuse(400, 'Transfer-Encoding cannot stand here');
    return coding === 'chunked'
      ? -1
      : refuse(501, `the transfer coding '${coding.slice(0, 40)}' is not known`);
  }
  if (length === null) return 0;
  return /^\d{1,15}$/.test(length) ? Number(length) : refuse(400, 'Content-Length is not a number');
}

function refuseLine(head: string): HeadReading {
  if (/^\S+ \S+ HTTP\/\d/.test(head) && !/^\S+ \S+ HTTP\/1\.[01](?:\r|$)/.test(head)) {
    return refuse(505, 'only HTTP/1.0 and HTTP/1.1 are understood');
  }
  return refuse(400, 'the request line cannot be read');
}

function refuse(httpStatus: number, reason: string): HeadReading {
  return { kind: 'refused', httpStatus, reason };
}

/** Longest chunk-size line and longest trailer section. */
const MAX_CHUNK_LINE = 1024;
const MAX_TRAILER = 16 * 1024;

export type ChunkedReading =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'complete'; readonly rest: Buffer }
  | { readonly kind: 'refused'; readonly httpStatus: number; readonly reason: string };

/** Reads a body in the chunked coding, piece by piece as it arrives. @source RFC 9112 §7.1 */
export class ChunkedBody {
  readonly body = new GrowingBytes();
  sizeBytes = 0;
  #trailerBytes = 0;
  #left = 0;
  #state: 'size' | 'data' | 'data_end' | 'trailer' = 'size';
  #pending: Buffer = Buffer.alloc(0);

  constructor(readonly maxBytes: number) {}

  push(bytes: Buffer): ChunkedReading {
    let data = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    this.#pending = Buffer.alloc(0);
    for (;;) {
      if (this.#state === 'data') {
        if (data.length === 0) return { kind: 'incomplete' };
        const piece = data.subarray(0, this.#left);
        this.body.append(piece);
        this.#left -= piece.length;
        data = data.subarray(piece.length);
        if (this.#left > 0) return { kind: 'incomplete' };
        this.#state = 'data_end';
      }
      const end = data.indexOf('\r\n');
      if (end === -1) {
        const limit = this.#state === 'trailer' ? MAX_TRAILER : MAX_CHUNK_LINE;
        if (data.length > limit)
          return { kind: 'refused', httpStatus: 400, reason: 'a chunk line is too long' };
        this.#pending = Buffer.from(data);
        return { kind: 'incomplete' };
      }
      const line = data.toString('latin1', 0, end);
      data = data.subarray(end + 2);
      if (this.#state === 'trailer') {
        if (line === '') return { kind: 'complete', rest: data };
        this.#trailerBytes += line.length;
        if (this.#trailerBytes > MAX_TRAILER)
          return { kind: 'refused', httpStatus: 431, reason: 'the trailer is too long' };
      } else if (this.#state === 'data_end') {
        if (line !== '')
          return { kind: 'refused', httpStatus: 400, reason: 'a chunk is longer than it says' };
        this.#state = 'size';
      } else {
        const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line);
        if (size === null) return { kind: 'refused', httpStatus: 400, reason: 'a chunk size cannot be read' };
        this.#left = Number.parseInt(size[1]!, 16);
        this.sizeBytes += this.#left;
        if (this.sizeBytes > this.maxBytes)
          return { kind: 'refused', httpStatus: 413, reason: 'the body is too long' };
        this.#state = this.#left === 0 ? 'trailer' : 'data';
      }
    }
  }
}
