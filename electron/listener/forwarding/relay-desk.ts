import type { PendingWebhook } from '../webhook-server';
import type { ForwardOutcome, RelayedAnswer } from './delivery';

/** Senders give up after fifteen seconds: they hear something before that. */
const PATIENCE_MS = 10_000;
const PLAIN_TEXT = ['Content-Type', 'text/plain; charset=utf-8'];

/** What the sender is told, and after how long. */
export type NoteRelayed = (id: number, httpStatus: number, answeredMs: number) => void;

/**
 * Holds the senders of webhooks that are kept, until the backend has answered; for a bounded time.
 *
 * Where no answer comes they hear 502 or 504, as from any gateway. The webhook is kept all the same, and goes on being
 * forwarded.
 */
export class RelayDesk {
  readonly #waiting = new Map<number, { webhook: PendingWebhook; timer: NodeJS.Timeout }>();

  constructor(
    private readonly note: NoteRelayed,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  hold(id: number, webhook: PendingWebhook): void {
    const timer = setTimeout(() => {
      // Whether it was sent meanwhile, nobody here knows: a reference keeps its order.
      const why = `The webhook is kept. Within ${this.patienceMs / 1000} s the backend gave no answer to it: it is slow, or has yet to take an earlier webhook of the same reference.\n`;
      this.#answer(id, { httpStatus: 504, headers: PLAIN_TEXT, body: Buffer.from(why) });
    }, this.patienceMs);
    this.#waiting.set(id, { webhook, timer });
  }

  /** The first attempt has ended: its sender hears how. */
  settle(id: number, { answer, httpStatus, reason }: ForwardOutcome): void {
    if (!this.#waiting.has(id)) return;
    const why = `The webhook is kept. ${reason ?? 'The answer of the backend could not be read.'}\n`;
    // One that goes on (101), or is none (000), ends no request.
    const isLast = httpStatus !== null && httpStatus >= 200;
    const missing = { httpStatus: isLast ? httpStatus : 502, headers: PLAIN_TEXT, body: Buffer.from(why) };
    this.#answer(id, isLast && answer !== undefined ? answer : missing);
  }

  /** It is not forwarded: its sender hears what the listener itself answers. */
  release(id: number): void {
    const held = this.#take(id);
    if (held === null) return;
    const { webhook } = held;
    webhook.keep();
    this.note(id, webhook.respondedStatus, performance.now() - webhook.startedAtMs + webhook.delayMs);
  }

  close(): void {
    for (const id of [...this.#waiting.keys()]) this.release(id);
  }

  #answer(id: number, answer: RelayedAnswer): void {
    const held = this.#take(id);
    if (held === null) return;
    held.webhook.relay(answer);
    this.note(id, answer.httpStatus, performance.now() - held.webhook.startedAtMs);
  }

  #take(id: number): { webhook: PendingWebhook } | null {
    const held = this.#waiting.get(id);
    if (held === undefined) return null;
    clearTimeout(held.timer);
    this.#waiting.delete(id);
    return held;
  }
}
