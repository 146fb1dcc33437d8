import type { Socket } from 'node:net';

/** A client that is gone answers what is written to it by a reset, well within this on any near network. */
const RESET_MS = 100;

/**
 * A client that has closed its side of the connection.
 *
 * Whether it only has no more to send, and takes its answer, or has gone, shows in one way alone: a client that has gone
 * refuses the bytes that come next. So the last byte of an answer is written a moment after the others.
 */
export class HalfClosedClient {
  #held: Buffer = Buffer.alloc(0);
  #isAsking = false;
  #isReleasing = false;

  constructor(private readonly socket: Socket) {}

  /** True while an answer has been written and it is not known yet whether it was taken. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Writes what was held and all of these bytes but the last. @returns as the socket's own `write` */
  write(bytes: Buffer): boolean {
    if (bytes.length === 0) return true;
    const held = this.#held;
    this.#held = bytes.subarray(-1);
    // A piece of an answer that goes on slowly is whole at the client a moment later.
    if (!this.#isReleasing) {
      this.#isReleasing = true;
      setTimeout(() => {
        this.#isReleasing = false;
        if (!this.#isAsking) this.release();
      }, RESET_MS).unref();
    }
    return this.socket.write(Buffer.concat([held, bytes.subarray(0, -1)]));
  }

  release(): void {
    const held = this.#held;
    this.#held = held.subarray(held.length);
    if (held.length > 0) this.socket.write(held);
  }

  /** Writes the rest a moment later. @param onTaken - not called where the client has gone: its socket is closed then */
  ask(onTaken: () => void): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    setTimeout(() => {
      if (this.socket.destroyed) return;
      const held = this.#held;
      this.#held = held.subarray(held.length);
      this.socket.write(held, (error) => {
        this.#isAsking = false;
        if (!error) onTaken();
      });
    }, RESET_MS).unref();
  }
}
