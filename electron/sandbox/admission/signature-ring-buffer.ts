/** Signatures that the ring buffer has room for; a power of two. */
export const MOST_SIGNATURES = 128;
/** Longest signature that has room: that of a key of 4096 bits. */
export const LONGEST_SIGNATURE = 512;

const DIGEST_BYTES = 64;
const SLOT_BYTES = DIGEST_BYTES + LONGEST_SIGNATURE;
/** Numbers at the start of the memory; then a length and a result for each slot. */
const NEXT = 0;
const ENDED = 1;
const TAKEN_FROM = 2;
const TAKEN_TO = 3;
const IS_ASLEEP = 4;
const LENGTHS = 5;
const RESULTS = LENGTHS + MOST_SIGNATURES;
const NUMBERS = RESULTS + MOST_SIGNATURES;
/** Signatures are counted up to here, and then from 0 again. */
const COUNT_MASK = 0x3fff_ffff;
const HALF = 0x2000_0000;
/** Not 0, which is what the memory of results begins with. */
const FIRST = 1;
const STOPPED = -1;
/** How long the helper naps at a time, and how often, before it sleeps until it is woken. */
const NAP_MS = 0.1;
const MOST_NAPS = 200;

/** A signature to be verified. `digest`: 64 hex digits. */
export interface SignedDigest {
  readonly digest: string;
  readonly signature: Buffer;
}

/** Signatures that were put up together: number of the first, and how many. */
export interface Round {
  readonly start: number;
  readonly count: number;
}

/**
 * A ring buffer in memory that two threads share: one puts up signatures, the other verifies them as it finds the time.
 *
 * Nobody waits for the other. The helper goes from the oldest signature to the newest; the owner takes the oldest round
 * from its end to its beginning, and verifies itself what has no result. A result carries the number of its
 * signature, so that one that comes late, or from a slot that was being written, counts for nothing.
 */
export class SignatureRingBuffer {
  private readonly numbers: Int32Array;
  private readonly slots: Buffer[];
  private next = FIRST;
  private ended = FIRST;

  /** @param memory - of another thread's ring buffer; left out for a new one */
  constructor(readonly memory: SharedArrayBuffer = makeMemory()) {
    this.numbers = new Int32Array(memory, 0, NUMBERS);
    this.slots = Array.from({ length: MOST_SIGNATURES }, (_, index) =>
      Buffer.from(memory, NUMBERS * 4 + index * SLOT_BYTES, SLOT_BYTES),
    );
  }

  /** Puts up a round behind those that are there. @returns null, and puts up nothing, where there is no room */
  publish(items: readonly SignedDigest[]): Round | null {
    const { numbers, slots } = this;
    if (wrap(this.next - this.ended) + items.length > MOST_SIGNATURES) return null;
    if (items.some(({ signature }) => signature.length > LONGEST_SIGNATURE)) return null;
    const round = { start: this.next, count: items.length };
    for (const { digest, signature } of items) {
      const place = this.next % MOST_SIGNATURES;
      const slot = slots[place]!;
      slot.write(digest, 0, 'latin1');
      slot.set(signature, DIGEST_BYTES);
      numbers[LENGTHS + place] = signature.length;
      this.next = wrap(this.next + 1);
    }
    Atomics.store(numbers, NEXT, this.next);
    if (Atomics.load(numbers, IS_ASLEEP) === 1) Atomics.notify(numbers, NEXT);
    return round;
  }

  /** Tells whether the helper has come through the first so many signatures of a round. */
  isDone({ start }: Round, count: number): boolean {
    return this.readResult(wrap(start + count - 1)) !== null;
  }

  /** Takes a signature of the oldest round from the helper, those behind it with it. @returns null where it has not come to it */
  take({ start, count }: Round, index: number): boolean | null {
    const number = wrap(start + index);
    Atomics.store(this.numbers, TAKEN_TO, wrap(start + count));
    Atomics.store(this.numbers, TAKEN_FROM, number);
    return this.readResult(number);
  }

  /** Makes room again of the oldest round's. */
  end({ start, count }: Round): void {
    this.ended = wrap(start + count);
    Atomics.store(this.numbers, ENDED, this.ended);
  }

  /** Ends `serve`. */
  stop(): void {
    Atomics.store(this.numbers, NEXT, STOPPED);
    Atomics.notify(this.numbers, NEXT);
  }

  /**
   * The helper's side: waits for signatures and verifies them, until it is stopped or nothing comes for a while.
   *
   * @param isValid - gets a digest and a signature
   */
  serve(isValid: (digest: string, signature: Buffer) => boolean, idleMs: number): void {
    const { numbers } = this;
    let number = FIRST;
    for (;;) {
      const next = Atomics.load(numbers, NEXT);
      if (next === STOPPED) return;
      number = this.passEnded(number);
      if (number !== next) {
        this.serveOne(number, isValid);
        number = wrap(number + 1);
      } else if (!this.waitForMore(next, idleMs)) {
        return;
      }
    }
  }

  /**
   * Waits until something else is next: in naps first, and then asleep.
   *
   * To wake a thread takes its waker as long as to verify three signatures; one that wakes by itself costs it nothing.
   * @returns false where nothing came
   */
  private waitForMore(next: number, idleMs: number): boolean {
    const { numbers } = this;
    for (let nap = 0; nap < MOST_NAPS; nap += 1) {
      if (Atomics.wait(numbers, NEXT, next, NAP_MS) !== 'timed-out') return true;
    }
    Atomics.store(numbers, IS_ASLEEP, 1);
    const result = Atomics.wait(numbers, NEXT, next, idleMs);
    Atomics.store(numbers, IS_ASLEEP, 0);
    return result !== 'timed-out';
  }

  /** Passes over what the owner has verified meanwhile, and what it has come to from the end of its round. */
  private passEnded(number: number): number {
    const ended = Atomics.load(this.numbers, ENDED);
    const behind = wrap(ended - number);
    const current = behind > 0 && behind < HALF ? ended : number;
    const from = Atomics.load(this.numbers, TAKEN_FROM);
    const to = Atomics.load(this.numbers, TAKEN_TO);
    return wrap(current - from) < wrap(to - from) ? to : current;
  }

  private serveOne(number: number, isValid: (digest: string, signature: Buffer) => boolean): void {
    const place = number % MOST_SIGNATURES;
    const slot = this.slots[place]!;
    const end = DIGEST_BYTES + Math.min(this.numbers[LENGTHS + place]!, LONGEST_SIGNATURE);
    const digest = slot.toString('latin1', 0, DIGEST_BYTES);
    // A copy of its own: the owner may use the slot again while it is read.
    const signature = Buffer.from(slot.subarray(DIGEST_BYTES, end));
    Atomics.store(this.numbers, RESULTS + place, number * 2 + (isValid(digest, signature) ? 1 : 0));
  }

  private readResult(number: number): boolean | null {
    const result = Atomics.load(this.numbers, RESULTS + (number % MOST_SIGNATURES));
    return result >> 1 === number ? (result & 1) === 1 : null;
  }
}

function makeMemory(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(NUMBERS * 4 + MOST_SIGNATURES * SLOT_BYTES);
  const numbers = new Int32Array(memory, 0, NUMBERS);
  numbers[NEXT] = numbers[ENDED] = FIRST;
  return memory;
}

function wrap(number: number): number {
  return number & COUNT_MASK;
}
