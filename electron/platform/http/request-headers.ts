import { AppError } from '@shared/errors';
import type { HttpCall } from '../ports';

/** What a message is framed by is placed here alone: a second word about it could be read in two ways. */
const ownHeaders: ReadonlySet<string> = new Set(['transfer-encoding', 'keep-alive', 'upgrade', 'expect']);
/** Say nothing of a body that is none. That of any other method Node would send in chunks, were it not for a length of 0. */
const bareMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** @param what - why a request cannot leave as it is written */
export function refuseHeaders(what: string, cause?: unknown): AppError {
  return new AppError(
    'sending.bad_header',
    `The request cannot be sent as it is written (${what}). Correct its headers; Content-Length, Transfer-Encoding and Expect are set by Countersign.`,
    { details: { reason: what }, cause },
  );
}

/**
 * The headers of a call as they leave, name and value by turns: `host` and `connection`, the call's own in their order, the length.
 *
 * @throws {AppError} `sending.bad_header`
 */
export function placeHeaders({ method, headers, body, received }: HttpCall, host: string): string[] {
  const sizeBytes = body?.byteLength ?? 0;
  const given = { host: null as string | null, length: null as string | null, connection: 'keep-alive' };
  const own: string[] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (ownHeaders.has(lower)) throw refuseHeaders(`it has a ${name} header`);
    refuseControls(name, value);
    if (lower === 'host') given.host = placeOnce(name, given.host, value);
    else if (lower === 'content-length') given.length = placeOnce(name, given.length, value);
    else if (lower === 'connection') given.connection = readConnection(value) ?? given.connection;
    else own.push(name, received === undefined ? toWire(value) : value);
  }
  if (given.length !== null && given.length !== String(sizeBytes)) {
    throw refuseHeaders(`its Content-Length is not the ${sizeBytes} bytes of its body`);
  }
  const hasLength = sizeBytes > 0 || !bareMethods.has(method);
  return [
    ...['host', toWire(given.host ?? host), 'connection', given.connection],
    ...own,
    ...(hasLength ? ['content-length', String(sizeBytes)] : []),
  ];
}

/** A value of a variable or of a row may hold what no line of a file can. */
function refuseControls(name: string, value: string): void {
  // eslint-disable-next-line no-control-regex
  const [found] = /[\x00-\x08\x0a-\x1f\x7f]/.exec(value) ?? [];
  if (found === undefined) return;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const what = found === '\n' || found === '\r' ? 'a line break' : `the control character U+${code}`;
  throw refuseHeaders(`the value of ${name.slice(0, 100)} holds ${what}, which no header can`);
}

function placeOnce(name: string, before: string | null, value: string): string {
  if (before !== null) throw refuseHeaders(`it has two ${name} headers`);
  return value.trim();
}

/** @returns null: it asks for what is done anyway, or for what is not for this side to say */
function readConnection(value: string): 'close' | null {
  const tokens = value.split(',').map((token) => token.trim());
  if (tokens.some((token) => !/^[\w!#$%&'*+.^`|~-]+$/.test(token)))
    throw refuseHeaders('its Connection header');
  return tokens.some((token) => token.toLowerCase() === 'close') ? 'close' : null;
}

/** Header text leaves as UTF-8, as curl does it; Node writes one byte a character. */
function toWire(value: string): string {
  // eslint-disable-next-line no-control-regex
  return /[^\x00-\x7f]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}
