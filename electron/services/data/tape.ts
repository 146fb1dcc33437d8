import { createReadStream } from 'node:fs';
import { AppError } from '@shared/errors';

/** What a backup consists of: files one after the other, as `tar` writes them, so that `tar -tzf` lists them. */
export interface TapeEntry {
  readonly name: string;
  readonly sizeBytes: number;
}

const BLOCK = 512;
/** Eleven octal digits. */
const MOST_BYTES = 8 ** 11 - 1;

/** Writes one file of a tape: its head, its bytes, and what fills up the last block. */
export async function* writeEntry(
  name: string,
  source: Buffer | { file: string; sizeBytes: number },
): AsyncGenerator<Buffer> {
  const sizeBytes = Buffer.isBuffer(source) ? source.length : source.sizeBytes;
  yield writeHead({ name, sizeBytes });
  if (Buffer.isBuffer(source)) yield source;
  else for await (const chunk of createReadStream(source.file) as AsyncIterable<Buffer>) yield chunk;
  yield Buffer.alloc((BLOCK - (sizeBytes % BLOCK)) % BLOCK);
}

/** What ends a tape. */
export const tapeEnd = Buffer.alloc(2 * BLOCK);

function writeHead({ name, sizeBytes }: TapeEntry): Buffer {
  if (sizeBytes > MOST_BYTES) {
    throw new AppError(
      'data.bad_target',
      `${name} is larger than the 8 GiB that a file of a backup may have.`,
    );
  }
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0, 100, 'latin1');
  head.write('0000600\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  head.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124);
  head.write('00000000000\0', 136);
  head.write('0', 156);
  head.write('ustar\x0000', 257);
  head.write(`${sumOf(head).toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

/** The sum of all bytes, those of the sum itself counted as blanks. */
const sumOf = (head: Buffer): number =>
  head.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);

/**
 * Reads a tape in order, never more of it than is asked for: whoever reads says which file comes next.
 *
 * Links, folders and whatever else a tape can hold are refused: nothing but a plain file of the name asked for.
 */
export class TapeReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads the head of the next file. @throws {AppError} `data.bad_backup` where it is not the one asked for, or too large */
  async next(name: string, mostBytes: number): Promise<number> {
    const parts: Buffer[] = [];
    for await (const part of this.read(BLOCK)) parts.push(Buffer.from(part));
    const head = Buffer.concat(parts);
    const text = (from: number, to: number): string =>
      head.toString('latin1', from, to).replace(/[\0 ].*/s, '');
    const sizeBytes = parseInt(text(124, 136), 8);
    const isSound =
      parseInt(text(148, 156), 8) === sumOf(head) && Number.isSafeInteger(sizeBytes) && sizeBytes >= 0;
    if (!isSound || text(0, 100) !== name || head.toString('latin1', 156, 157) !== '0') {
      throw new AppError(
        'data.bad_backup',
        `This is no backup of Countersign, or a damaged one: ${name} is not where it belongs.`,
      );
    }
    if (sizeBytes > mostBytes)
      throw new AppError('data.bad_backup', `The backup is damaged: ${name} is larger than it says.`);
    return sizeBytes;
  }

  /** Gives so many bytes as they come. @throws {AppError} `data.bad_backup` where there are fewer */
  async *read(sizeBytes: number): AsyncGenerator<Buffer> {
    for (let left = sizeBytes; left > 0;) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next();
        if (done === true)
          throw new AppError('data.bad_backup', 'The backup is cut off. Take another copy of it.');
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  /** Passes over what fills up the last block of a file. */
  async skipFill(sizeBytes: number): Promise<void> {
    for await (const _part of this.read((BLOCK - (sizeBytes % BLOCK)) % BLOCK));
  }
}
