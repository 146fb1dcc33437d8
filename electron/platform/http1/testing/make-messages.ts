import { METHODS } from 'node:http';

/** A repeatable source of whole numbers below a limit. */
export type Draw = (limit: number) => number;

export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  return (limit) => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Bytes of one connection, as Latin-1 text, in the pieces in which they arrive. */
export interface MessageStream {
  readonly pieces: readonly string[];
  /** How many messages it was made of. */
  readonly messageCount: number;
  /** Nothing was damaged: every message is to be taken. */
  readonly isValid: boolean;
}

const pick = <T>(draw: Draw, list: readonly T[]): T => list[draw(list.length)]!;
const methods = METHODS.filter((method) => method !== 'CONNECT');
const targets = [
  '/', '/a', '/hooks/payments?b=c&d=%20', '/%00/..//x;y=1', '*', 'http://example.com/x?y',
  'https://127.0.0.1:4010/', 'HTTP://[::1]:80/a', 'http://host', 'http://host?q', '/a?b?c', "/~!$&'()*+,;=:@[]{}|^`\\\"<>",
  `/${'long'.repeat(60)}`, '//', '/#a',
]; // prettier-ignore
const names = [
  'Host', 'host', 'X-Test', 'x-TEST', 'Authorization', 'Content-Type', 'X-Custom-Signature', '!#$%&\'*+.^_`|~0', 'a', 'Cookie',
  'Set-Cookie', 'Trailer', 'TE', 'Keep-Alive', 'Accept', 'X-Content-Length', 'Content-Lengths', 'Connections', 'Age',
]; // prettier-ignore
const values = [
  '', ' ', '\t', 'x', ' x', ' x ', '\tx\t \t', ' a, b', '  a:b:c', ' \xfc\xff\x80', ' "quoted \\" text"', ' chunked', ' 5', ' close',
  ' =?utf-8?q?x?=', ` ${'v'.repeat(300)}`, '\xa0x\xa0', ' x\ty', ' ;', ' GET / HTTP/1.1',
]; // prettier-ignore
const bodies = [
  '',
  'x',
  '{"a":1}',
  '\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  '0\r\n\r\n',
  '\x00\xff\r',
  'b'.repeat(700),
];
const extensions = ['', '', '', ';a', ';a=b', ';a="b c"', ';a=b;c="d"', ';ieof', `;${'e'.repeat(50)}`];

function makeFields(draw: Draw, count: number): string {
  let fields = '';
  for (let left = count; left > 0; left--) fields += `${pick(draw, names)}:${pick(draw, values)}\r\n`;
  return fields;
}

function makeChunks(draw: Draw, body: string): string {
  let chunks = '';
  for (let at = 0; at < body.length;) {
    const size = 1 + draw(body.length - at);
    const digits = draw(2) === 0 ? size.toString(16) : size.toString(16).toUpperCase().padStart(4, '0');
    chunks += `${digits}${pick(draw, extensions)}\r\n${body.slice(at, at + size)}\r\n`;
    at += size;
  }
  const trailers = draw(4) === 0 ? makeFields(draw, 1 + draw(3)) : '';
  return `${chunks}${draw(3) === 0 ? '000' : '0'}${pick(draw, extensions)}\r\n${trailers}\r\n`;
}

/** Writes a message that every server takes. */
function makeMessage(draw: Draw, isLast: boolean): string {
  const body = draw(3) === 0 ? '' : pick(draw, bodies);
  const isChunked = draw(3) === 0;
  const isVersion10 = !isChunked && draw(12) === 0;
  const blank = pick(draw, ['', ' ', '\t ', '  ']);
  const own: string[] = [];
  if (isChunked) own.push(`${pick(draw, ['Transfer-Encoding', 'transfer-encoding'])}:${blank}${pick(draw, ['chunked', 'Chunked'])}`);
  else if (body !== '' || draw(2) === 0) own.push(`${pick(draw, ['Content-Length', 'CONTENT-length'])}:${blank}${draw(8) === 0 ? '00' : ''}${body.length}${draw(4) === 0 ? '  ' : ''}`);
  if (isVersion10 && !isLast) own.push('Connection: keep-alive');
  else if (draw(10) === 0) own.push(`Connection: ${pick(draw, isLast ? ['close', 'Close, x', 'keep-alive'] : ['keep-alive', 'TE', 'x-close', 'Keep-Alive, foo'])}`);
  if (draw(20) === 0) own.push(`Expect: ${pick(draw, ['100-continue', '100-Continue', 'something'])}`);
  let head = `${pick(draw, methods)} ${pick(draw, targets)} HTTP/1.${isVersion10 ? 0 : 1}\r\n${makeFields(draw, draw(5))}`;
  for (const line of own) head += `${line}\r\n${makeFields(draw, draw(2))}`;
  return `${draw(15) === 0 ? '\r\n' : ''}${head}\r\n${isChunked ? makeChunks(draw, body) : body}`;
} // prettier-ignore

/** What does harm, wherever it stands. */
const hostile = [
  '\n', '\r', '\r\n', '\r\n\r\n', '\n\n', '\0', ' ', '\t', '\v', '\f', '\x7f', '\x1b', '\x85', '\xa0', '\xff', ':', ' :', ': ', ';', ',', '#', '?', '@',
  '\r\n ', '\r\n\t', '\n ', ' \r\n', '\t\r\n', '\r\r\n', 'x\r\n', '\r\n:x\r\n', '\r\nabc\r\n', '\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n',
  '\r\nContent-Length: 3\r\n', '\r\nContent-Length:\r\n', '\r\nContent-Length: -1\r\n', '\r\nContent-Length: +1\r\n', '\r\nContent-Length: 1, 1\r\n',
  '\r\nContent-Length: 0x5\r\n', '\r\nContent-Length: 99999999999999999999999\r\n', '\r\nContent-Length: 9007199254740993\r\n', '\r\nContent-Length : 3\r\n',
  '\r\nContent-Length: 1e1\r\n', '\r\nContent-Length: 3\t3\r\n', '\r\nContent-Length: 3 \t\r\n', '\r\nContent-Length: 3\t \r\n', '\r\nContent-Length: \x0b3\r\n', '\r\nContent-Length: \xa03\r\n',
  '\r\nTransfer-Encoding: chunked\r\n', '\r\nTransfer-Encoding: gzip, chunked\r\n', '\r\nTransfer-Encoding: chunked, gzip\r\n',
  '\r\nTransfer-Encoding: identity\r\n', '\r\nTransfer-Encoding:\r\n', '\r\nTransfer-Encoding: \x0bchunked\r\n', '\r\nTransfer-Encoding:chunked;x\r\n',
  '\r\nTransfer-Encoding: xchunked\r\n', '\r\nTransfer-Encoding: chunkedx\r\n', '\r\nTransfer-Encoding : chunked\r\n', '\r\nTransfer-Encoding: "chunked"\r\n',
  '\r\nTransfer-Encoding: chunked,\r\n', '\r\nTransfer-Encoding: , chunked\r\n', '\r\nTransfer-Encoding:\tchunked\t\r\n', '\r\nTransfer\xadEncoding: chunked\r\n',
  '\r\nConnection: close\r\n', '\r\nConnection: close, keep-alive\r\n', '\r\nConnection: keep-alive\r\n', '\r\nConnection: upgrade\r\nUpgrade: h2c\r\n',
  '\r\nUpgrade: websocket\r\n', '\r\nConnection: \r\n', '\r\nConnection: ,close\r\n', '\r\nConnection: clos\r\n', '\r\nConnection: "close"\r\n', '\r\nProxy-Connection: close\r\n',
  '\r\nExpect: 100-continue\r\n', '\r\nExpect: 200-ok\r\n', '\r\nHost: a\r\nHost: b\r\n', '\r\n: empty\r\n', '\r\n(bad): x\r\n', '\r\nx y: z\r\n', '\r\n"x": z\r\n',
  'ffffffff', 'ffffffffffffffff', '10000000000000000', '-1', '0x', '+', '5 ', '5\t', '5;', '5;=', '5;a=', '5;a="', '5;a="\\""', '5 ;a', '5; a', ';a b', '\r\n0\r\n\r\n',
  'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.10', 'HTTP/01.1', 'HTTP/1.1 ', 'HTTP/1,1', 'HTTPS/1.1', 'RTSP/1.0', 'ICE/1.0', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET ', 'CONNECT a:1 HTTP/1.1\r\n\r\n', 'BREW / HTTP/1.1\r\n\r\n', 'get / HTTP/1.1\r\n\r\n', 'G(T / HTTP/1.1\r\n\r\n', 'DESCRIBE / HTTP/1.1\r\n\r\n', 'SOURCE / ICE/1.0\r\n\r\n',
  'GET  / HTTP/1.1\r\n\r\n', 'GET /\r\n\r\n', 'GET http:// HTTP/1.1\r\n\r\n', 'GET http:/x HTTP/1.1\r\n\r\n', 'GET http://a@b@c/ HTTP/1.1\r\n\r\n', 'GET a HTTP/1.1\r\n\r\n',
  'GET ?a HTTP/1.1\r\n\r\n', 'GET *a HTTP/1.1\r\n\r\n', 'GET /\xc3\xa0 HTTP/1.1\r\n\r\n', 'GET /a b HTTP/1.1\r\n\r\n', 'GET /\t HTTP/1.1\r\n\r\n', 'GET h2://a:b/ HTTP/1.1\r\n\r\n', 'GET http://a\xff/ HTTP/1.1\r\n\r\n',
]; // prettier-ignore

function damage(draw: Draw, text: string): string {
  const snippet = pick(draw, hostile);
  const at = draw(3) === 0 ? findPlace(draw, text) : draw(text.length + 1);
  switch (draw(6)) {
    case 0:
      return text.slice(0, at) + String.fromCharCode(draw(256)) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + draw(4));
    case 2:
      return text.replaceAll('\r\n', (found) => (draw(6) === 0 ? pick(draw, ['\n', '\r', '\r\r\n', '\r\n ']) : found));
    default:
      return text.slice(0, at) + snippet + text.slice(at + (draw(3) === 0 ? snippet.length : 0));
  }
} // prettier-ignore

/** Line breaks, colons and blanks: where damage means something. */
function findPlace(draw: Draw, text: string): number {
  const places = [...text.slice(0, 4000).matchAll(/\r\n|[: ;]/g)].map(({ index }) => index);
  return places.length === 0 ? 0 : pick(draw, places);
}

/** Makes the bytes of one connection: one to four messages, sound or damaged, cut at random places. */
export function makeStream(draw: Draw): MessageStream {
  const messageCount = 1 + draw(4);
  const isValid = draw(4) === 0;
  const messages = Array.from({ length: messageCount }, (_, index) => makeMessage(draw, index === messageCount - 1));
  if (!isValid) {
    for (let rounds = 1 + draw(2); rounds > 0; rounds--) {
      const at = draw(messageCount);
      // A head beyond all measure is slow to make: seldom.
      const isLong = draw(400) === 0;
      messages[at] = isLong ? `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(11_000)}\r\n` : damage(draw, messages[at]!);
    }
  }
  return { pieces: cut(draw, messages.join('')), messageCount, isValid };
} // prettier-ignore

function cut(draw: Draw, text: string): string[] {
  const most = pick(draw, [1, 3, 40, 100_000, 100_000, 100_000]);
  const pieces: string[] = [];
  // Byte by byte for a while, then whatever is left.
  for (let at = 0; at < text.length;) {
    const size = pieces.length > 300 ? text.length - at : 1 + draw(most);
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}
