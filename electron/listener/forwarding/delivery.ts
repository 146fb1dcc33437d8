import type { LogRow } from '../inbox-log';

/** How an attempt to deliver one webhook ended. */
export interface ForwardOutcome {
  readonly isDelivered: boolean;
  readonly httpStatus: number | null;
  /** Why it was not delivered, in a sentence; null where it was. */
  readonly reason: string | null;
  /** Nobody was there at all: the others need not try before it is back. */
  readonly isUnreachable: boolean;
  /** What was answered, for the sender; left out: nothing. */
  readonly answer?: RelayedAnswer;
  /** What a command printed, cut. */
  readonly output?: string;
}

/** An answer of the backend as it goes back to the sender. */
export interface RelayedAnswer {
  readonly httpStatus: number;
  /** Name, value, name, value …: Latin-1, without those of the connection. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** A webhook on its way out: its row of the log, and which attempt this is. */
export interface OutgoingForward {
  readonly row: LogRow;
  /** As the inbox shows it. */
  readonly id: string;
  /** From 1. */
  readonly attempt: number;
}

/** Carries webhooks to one place. */
export interface Carrier {
  /** So many at a time. */
  readonly concurrency: number;
  deliver(webhook: OutgoingForward): Promise<ForwardOutcome>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
