/** One message as it passed: its head, and as much of its body as is kept. */
export interface CapturedMessage {
  /** Name, value, name, value …: in order, names as sent. */
  readonly headers: readonly string[];
  /** Without the framing of chunks. */
  readonly body: Buffer;
  readonly bodyBytes: number;
}

/** A request that passed through, and what became of it. */
export interface CapturedExchange {
  /** Epoch milliseconds at its first byte. */
  readonly at: number;
  readonly durationMs: number;
  readonly method: string;
  /** As the client sent it. */
  readonly target: string;
  readonly request: CapturedMessage;
  /** Null: the target gave none. */
  readonly answer: (CapturedMessage & { readonly httpStatus: number }) | null;
  /** HTTP status that the proxy answered in the target's place. */
  readonly ownStatus: number | null;
  /** What went wrong between the two: a sentence. */
  readonly fault: string | null;
  /** Nothing of it reached the target; left out: that is not known. */
  readonly isUnsent?: boolean;
}
