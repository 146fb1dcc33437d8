import { statusTexts } from './registered-names';

/** An answer with its whole body. */
export interface OutgoingAnswer {
  readonly httpStatus: number;
  /** Name, value, name, value …; without length, date and connection, which are written by us. */
  readonly headers: readonly string[];
  readonly body: string;
}

let date = '';
let dateSecond = 0;

/** The `Date` header, written once a second. It is the machine's time, as HTTP has it. */
function readDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(second * 1000).toUTCString();
  }
  return date;
}

/** Tells whether an answer of this status has a body at all. @source RFC 9110 §6.4.1 */
export function hasBody(httpStatus: number): boolean {
  return httpStatus >= 200 && httpStatus !== 204 && httpStatus !== 304;
}

/** Writes the head of an answer, its empty line included. */
export function writeAnswerHead(
  httpStatus: number,
  headers: readonly string[],
  bodyBytes: number,
  isKeepAlive: boolean,
): string {
  let head = `HTTP/1.1 ${httpStatus} ${statusTexts[httpStatus] ?? 'Status'}\r\n`;
  for (let index = 0; index < headers.length; index += 2) {
    head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  }
  if (hasBody(httpStatus)) head += `Content-Length: ${bodyBytes}\r\n`;
  return `${head}Date: ${readDate()}\r\nConnection: ${isKeepAlive ? 'keep-alive' : 'close'}\r\n\r\n`;
}
