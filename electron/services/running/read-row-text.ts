import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { describeReadFault } from '../../platform/files/read-faults';

const lineFeed = 0x0a;
/** A character has at most four bytes: so much of one may stand at the end of a chunk. */
const longestCharacter = 4;

/** Reads a file chunk by chunk. @param refuse - makes the error of one that the system does not read */
export async function* readChunks(file: string, refuse: (why: string) => Error): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw refuse(`${describeReadFault((error as NodeJS.ErrnoException).code)}.`);
  }
}

/**
 * Reads the text of a file chunk by chunk: UTF-8, or UTF-16 where a byte order mark says so.
 *
 * Nothing is guessed and nothing replaced: a name or an amount that came out otherwise would be paid.
 * @param refuse - makes the error of a file that is no such text
 * @param onChunk - told of the bytes before their text is
 */
export async function* readRowText(
  file: string,
  refuse: (why: string) => Error,
  onChunk: (chunk: Buffer) => void = () => undefined,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let before: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of readChunks(file, refuse)) {
    onChunk(chunk);
    decoder ??= new TextDecoder(findEncoding(chunk), { fatal: true });
    const text = tryDecode(decoder, chunk);
    if (text === null) throw refuse(describeBadBytes(decoder.encoding, before, chunk, line));
    if (text.includes('\0')) throw refuse(`it holds a NUL character. ${advice}`);
    yield text;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) line += 1;
    before = chunk.subarray(-longestCharacter);
  }
  const isCut = decoder !== null && tryDecode(decoder, null) === null;
  if (isCut) throw refuse(`it ends in the middle of a character. ${advice}`);
}

const advice = 'Save it as UTF-8.';

function tryDecode(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer | null): string | null {
  try {
    return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    return null;
  }
}

function findEncoding(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** @param line - where the chunk begins */
function describeBadBytes(encoding: string, before: Buffer, chunk: Buffer, line: number): string {
  if (encoding !== 'utf-8')
    return `it is no text in ${encoding.toUpperCase()}, as its first bytes say. ${advice}`;
  // A character that began in the chunk before is read with it.
  const start = before.findIndex((byte) => (byte & 0xc0) !== 0x80);
  let rest = Buffer.concat([before.subarray(Math.max(0, start)), chunk]);
  let number = line - rest.subarray(0, rest.length - chunk.length).filter((byte) => byte === lineFeed).length;
  for (; ; number += 1) {
    const end = rest.indexOf(lineFeed);
    if (end === -1 || !isUtf8(rest.subarray(0, end)))
      return `line ${number}: its bytes are no UTF-8. ${advice}`;
    rest = rest.subarray(end + 1);
  }
}
