import { readFieldLines, readFraming } from '../../platform/http1/read-head';

export interface AnswerHead {
  readonly httpStatus: number;
  readonly headers: readonly string[];
  /** `none`: it has no body; a number: of so many bytes; `closing`: it ends with the connection. */
  readonly body: 'none' | 'chunked' | 'closing' | number;
}

export const noAnswerHead = 'it is no HTTP/1.1';

const BEGINNING = Buffer.from('HTTP/');

/** Tells whether bytes that came from a server can be the beginning of an answer, as far as they reach. */
export function mayBeginAnswer(chunk: Buffer, from: number): boolean {
  const length = Math.min(BEGINNING.length, chunk.length - from);
  return chunk.compare(BEGINNING, 0, length, from, from + length) === 0;
}

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: [^\r\n]*)?$/;

/**
 * Reads the head of an answer.
 *
 * @param head - up to, without, its empty line; Latin-1
 * @param method - of the request: the answer to HEAD has no body
 * @returns half a sentence that says why it cannot be read
 * @source RFC 9112 §6.3
 */
export function readAnswerHead(head: string, method: string): AnswerHead | string {
  const lineEnd = head.indexOf('\r\n');
  const status = STATUS_LINE.exec(lineEnd === -1 ? head : head.slice(0, lineEnd));
  const headers = readFieldLines(lineEnd === -1 ? '' : head.slice(lineEnd));
  if (status === null) return noAnswerHead;
  if (headers === null) return 'a header line cannot be read';
  const httpStatus = Number(status[2]);
  const isBare = method === 'HEAD' || httpStatus < 200 || httpStatus === 204 || httpStatus === 304;
  if (isBare) return { httpStatus, headers, body: 'none' };
  const framing = readFraming(headers, true);
  if (framing.kind === 'refused') return framing.reason;
  if (framing.contentLength === null) return { httpStatus, headers, body: 'chunked' };
  const isSized = headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-length');
  return { httpStatus, headers, body: isSized ? framing.contentLength : 'closing' };
}
