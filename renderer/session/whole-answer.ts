import type { Exchange } from '@shared/contract/sending';
import { decodeAnswer } from '@shared/decode-answer';
import { readBase64 } from './base64-bytes';
import { call } from '../transport/client';

/** Each piece costs the window a few milliseconds, whatever the length of the whole. */
const pieceBytes = 256 * 1024;

/** The body of an answer, all of it: a screen has the beginning of a long one. */
export async function readWholeAnswer(exchange: Exchange): Promise<string> {
  if (!exchange.response?.isBodyShortened) return exchange.response?.body ?? '';
  return decodeAnswer(await readAnswerBytes(exchange), exchange.response.headers).text;
}

/** The bytes of an answer as kept: as received, with secrets masked. */
export async function readAnswerBytes({ id }: Pick<Exchange, 'id'>): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const ask = (offset: number) => call('history.readBody', { id, offset, length: pieceBytes });
  for (let offset = 0, next: ReturnType<typeof ask> | null = ask(0); next !== null;) {
    const part: Awaited<ReturnType<typeof ask>> = await next;
    offset += pieceBytes;
    // The next one is on its way while this one is read.
    next = offset < part.sizeBytes ? ask(offset) : null;
    pieces.push(readBase64(part.base64));
  }
  return pieces;
}
