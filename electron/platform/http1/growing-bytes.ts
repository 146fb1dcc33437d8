const FIRST_BYTES = 16 * 1024;

/**
 * Bytes that come in pieces, kept in one buffer.
 *
 * A list of pieces would cost a hundred bytes for each, so that a sender of one-byte pieces could fill the memory.
 * @param mostBytes - how many will come at most, where that is known: no room is made for more
 */
export class GrowingBytes {
  #bytes: Buffer = Buffer.alloc(0);
  #size = 0;

  constructor(private readonly mostBytes = Infinity) {}

  append(bytes: Buffer, from = 0, to = bytes.length): void {
    const size = this.#size + to - from;
    if (size > this.#bytes.length) {
      const room = Math.max(size, Math.min(this.mostBytes, Math.max(FIRST_BYTES, this.#bytes.length * 2)));
      const grown = Buffer.allocUnsafeSlow(room);
      this.#bytes.copy(grown, 0, 0, this.#size);
      this.#bytes = grown;
    }
    bytes.copy(this.#bytes, this.#size, from, to);
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** What has come so far; without a copy: more pieces may write behind it, never into it. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }
}
