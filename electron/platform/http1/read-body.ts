import { GrowingBytes } from './growing-bytes';
import { limits } from './limits';
import { readFieldLines, refuse, type Refusal } from './read-head';

const TRAILER_TOO_LONG = `the trailer is longer than ${limits.trailerBytes / 1024} KiB`;

/** Where in the pushed bytes the body ends; null: not yet. */
export type BodyProgress = number | null | Refusal;

export interface IncomingBody {
  readonly trailers: readonly string[];
  /** How long it is, as far as that is known. */
  readonly sizeBytes: number;
  /** Takes the bytes from an index on. */
  push(chunk: Buffer, from: number): BodyProgress;
  /** The body so far, without a copy. */
  view(): Buffer;
}

const noTrailers: readonly string[] = [];

/** A body of a length that the head told. @param keptBytes - of it so much is kept, the rest is only counted */
export class SizedBody implements IncomingBody {
  readonly trailers = noTrailers;
  readonly #bytes: GrowingBytes;
  #left: number;

  constructor(
    readonly sizeBytes: number,
    private readonly keptBytes = sizeBytes,
  ) {
    this.#bytes = new GrowingBytes(Math.min(sizeBytes, keptBytes));
    this.#left = sizeBytes;
  }

  push(chunk: Buffer, from: number): BodyProgress {
    const to = Math.min(chunk.length, from + this.#left);
    this.#left -= to - from;
    this.#bytes.append(chunk, from, Math.min(to, from + this.keptBytes - this.#bytes.size));
    return this.#left === 0 ? to : null;
  }

  view(): Buffer {
    return this.#bytes.view();
  }
}

/** A body that ends where its connection does. */
export class EndlessBody implements IncomingBody {
  readonly trailers = noTrailers;
  readonly #bytes = new GrowingBytes();
  sizeBytes = 0;

  constructor(private readonly keptBytes: number) {}

  push(chunk: Buffer, from: number): BodyProgress {
    this.sizeBytes += chunk.length - from;
    this.#bytes.append(chunk, from, Math.min(chunk.length, from + this.keptBytes - this.#bytes.size));
    return null;
  }

  view(): Buffer {
    return this.#bytes.view();
  }
}

const LF = 0x0a;
/** Size, then extensions: names, with a token or a quoted text. */
const CHUNK_LINE =
  /^([0-9A-Fa-f]{1,8})((?:;[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"[\t\x20-\x21\x23-\x5b\x5d-\x7e]*"))?)*)\r$/;
/** Fields that would change where the message ends or what becomes of the connection: too late in a trailer. */
const FRAMING_FIELD = /^(?:content-length|transfer-encoding|(?:proxy-)?connection|upgrade)$/i;

type Place = 'size' | 'data' | 'data_end' | 'trailer';
/** Longest line at each place, its line feed not counted. */
const MOST_LINE_BYTES: Readonly<Record<Place, number>> = {
  size: limits.chunkLineBytes,
  data: 0,
  data_end: 1,
  trailer: limits.trailerBytes,
};

/** A body in the chunked coding. @param keptBytes - of it so much is kept, the rest is only counted. @source RFC 9112 §7.1 */
export class ChunkedBody implements IncomingBody {
  trailers = noTrailers;
  readonly #bytes = new GrowingBytes();
  #place: Place = 'size';
  /** Bytes that the chunk still has. */
  #left = 0;
  #sizeBytes = 0;
  #extensionBytes = 0;
  #trailer = '';
  /** The part of a line that has come. */
  #line = '';

  constructor(
    private readonly mostBytes: number,
    private readonly keptBytes = mostBytes,
  ) {}

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  push(chunk: Buffer, from: number): BodyProgress {
    let at = from;
    while (at < chunk.length) {
      if (this.#place === 'data') {
        at = this.#takeData(chunk, at);
        continue;
      }
      const end = chunk.indexOf(LF, at);
      const to = end === -1 ? chunk.length : end;
      if (this.#line.length + to - at > MOST_LINE_BYTES[this.#place]) return this.#refuseLength();
      const line = this.#line + chunk.toString('latin1', at, to);
      this.#line = end === -1 ? line : '';
      if (end === -1) return null;
      at = end + 1;
      const refusal = this.#takeLine(line);
      if (refusal !== null) return refusal;
      if (this.#sizeBytes > this.mostBytes) {
        // Whoever keeps the beginning of what is too long gets what has come of it.
        this.#takeData(chunk, at);
        return refuse(413, 'the body is too long');
      }
      if (this.#place === 'trailer' && line === '\r') return this.#endTrailer() ?? at;
    }
    return null;
  }

  view(): Buffer {
    return this.#bytes.view();
  }

  #takeData(chunk: Buffer, at: number): number {
    const to = Math.min(chunk.length, at + this.#left);
    this.#bytes.append(chunk, at, Math.min(to, at + this.keptBytes - this.#bytes.size));
    this.#left -= to - at;
    if (this.#left === 0) this.#place = 'data_end';
    return to;
  }

  /** @param line - with its carriage return */
  #takeLine(line: string): Refusal | null {
    if (this.#place === 'size') return this.#takeSize(line);
    if (!line.endsWith('\r')) return refuse(400, 'a line of a chunk ends without a carriage return');
    if (this.#place === 'data_end') this.#place = 'size';
    else {
      if (line !== '\r') this.#trailer += `\r\n${line.slice(0, -1)}`;
      if (this.#trailer.length > limits.trailerBytes) return refuse(431, TRAILER_TOO_LONG);
    }
    return null;
  }

  #takeSize(line: string): Refusal | null {
    const [, size, extensions] = CHUNK_LINE.exec(line) ?? [];
    if (size === undefined || extensions === undefined) return refuse(400, 'a chunk size cannot be read');
    this.#extensionBytes += extensions.length;
    if (this.#extensionBytes > limits.chunkExtensionBytes) {
      return refuse(400, 'the extensions of the chunks are too long');
    }
    this.#left = Number.parseInt(size, 16);
    this.#sizeBytes += this.#left;
    this.#place = this.#left === 0 ? 'trailer' : 'data';
    return null;
  }

  #refuseLength(): Refusal {
    if (this.#place === 'data_end') return refuse(400, 'a chunk is longer than it says');
    return this.#place === 'trailer'
      ? refuse(431, TRAILER_TOO_LONG)
      : refuse(400, 'a chunk line is too long');
  }

  #endTrailer(): Refusal | null {
    const trailers = readFieldLines(this.#trailer);
    if (trailers === null) return refuse(400, 'a trailer line cannot be read');
    if (trailers.some((name, index) => index % 2 === 0 && FRAMING_FIELD.test(name))) {
      return refuse(400, 'a trailer cannot tell how the message or the connection ends');
    }
    this.trailers = trailers;
    return null;
  }
}
