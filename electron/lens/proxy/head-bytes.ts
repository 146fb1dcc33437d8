import { GrowingBytes } from '../../platform/http1/growing-bytes';
import { limits } from '../../platform/http1/limits';

const HEAD_END = '\r\n\r\n';

/** Bytes of a head until its empty line has come. */
export class HeadBytes {
  #bytes: GrowingBytes | null = null;
  #scanned = 0;

  get isEmpty(): boolean {
    return this.#bytes === null;
  }

  /** @returns the head with its empty line, and where in the chunk it ends (null: it is too long); null: not yet */
  take(chunk: Buffer, from: number): { head: Buffer; to: number | null } | null {
    const before = this.#bytes?.size ?? 0;
    this.#bytes?.append(chunk, from);
    const data = this.#bytes?.view() ?? chunk.subarray(from);
    const end = data.indexOf(HEAD_END, Math.max(0, this.#scanned - 3), 'latin1');
    if ((end === -1 ? data.length : end) > limits.headBytes) return { head: data, to: null };
    if (end !== -1) {
      this.#bytes = null;
      this.#scanned = 0;
      return { head: data.subarray(0, end + 4), to: from + end + 4 - before };
    }
    if (this.#bytes === null) {
      this.#bytes = new GrowingBytes();
      this.#bytes.append(chunk, from);
    }
    this.#scanned = data.length;
    return null;
  }
}
