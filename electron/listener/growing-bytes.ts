const FIRST_BYTES = 16 * 1024;

/**
 * Bytes that come in pieces, kept in one buffer.
 *
 * A list of pieces would cost a hundred bytes for each, so that a sender of one-byte pieces could fill the memory.
 */
export class GrowingBytes {
  #bytes: Buffer = Buffer.alloc(0);
  #size = 0;

  append(piece: Buffer): void {
    const size = this.#size + piece.length;
    if (size > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(size, FIRST_BYTES, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, this.#size);
      this.#bytes = grown;
    }
    piece.copy(this.#bytes, this.#size);
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** What has come so far; without a copy, so it is to be called once, at the end. */
  take(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }
}
