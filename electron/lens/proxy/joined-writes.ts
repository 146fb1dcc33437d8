/**
 * Gathers bytes for a socket, those that stand side by side as one piece: each piece costs a call of the system.
 *
 * Nothing is copied; what was added leaves with `flush`.
 */
export class JoinedWrites {
  #waiting: Buffer | null = null;

  /**
   * @param write - of the socket: false where it takes no more for now
   * @param onFull - told of that
   */
  constructor(
    private readonly write: (bytes: Buffer) => boolean,
    private readonly onFull: () => void,
  ) {}

  add(bytes: Buffer): void {
    const before = this.#waiting;
    if (before?.buffer === bytes.buffer && before.byteOffset + before.length === bytes.byteOffset) {
      this.#waiting = Buffer.from(before.buffer, before.byteOffset, before.length + bytes.length);
    } else {
      this.flush();
      this.#waiting = bytes;
    }
  }

  flush(): void {
    const bytes = this.#waiting;
    if (bytes === null) return;
    this.#waiting = null;
    if (!this.write(bytes)) this.onFull();
  }
}
