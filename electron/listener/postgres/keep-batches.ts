import { randomUUID } from 'node:crypto';
import type { PendingWebhook } from '../webhook-server';
import { isRefusedData } from './store-errors';

/** So much goes in one statement, and so much waits for the next: beyond it senders are asked to come again. */
const MAX_BATCH = 1000;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const MAX_WAITING = 20_000;
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
/** Senders wait about 15 seconds for an answer: by then it is said that they should come again. */
const PATIENCE_MS = 10_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

export interface KeepingOptions {
  /** Keeps webhooks under a receipt, or finds that they were kept under it. @returns id of the first */
  write(receipt: string, webhooks: readonly PendingWebhook[], isPlain: boolean): Promise<number>;
  /** Resolves when the store answers again. */
  ping(): Promise<void>;
  onKept(firstId: number, webhooks: readonly PendingWebhook[]): void;
  /** The store is away, or refuses; null: it keeps webhooks again. */
  onTrouble(error: unknown): void;
  /** It answers again: whether it keeps what comes next is seen then. */
  onAnswers(): void;
}

/** What waits to be kept, and keeps it: one batch at a time, in the order in which it came. */
export class BatchKeeper {
  #waiting: PendingWebhook[] = [];
  #waitingBytes = 0;
  #isWorking = false;
  #isAway = false;
  #isClosed = false;
  #whenIdle: (() => void)[] = [];

  constructor(private readonly options: KeepingOptions) {}

  /** Takes webhooks, to be kept soon; they are answered when they are, or when they cannot be. */
  accept(webhooks: readonly PendingWebhook[]): void {
    for (const webhook of webhooks) {
      const isFull = this.#waiting.length >= MAX_WAITING || this.#waitingBytes >= MAX_WAITING_BYTES;
      if (this.#isAway || this.#isClosed || isFull) {
        refuse(webhook, isFull ? 'too many webhooks wait for the store' : 'the store does not keep it now');
        continue;
      }
      this.#waiting.push(webhook);
      this.#waitingBytes += sizeOf(webhook);
    }
    void this.#work();
  }

  /** Resolves when nothing waits any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#isWorking) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    while (this.#waiting.length > 0) await this.#keepNext(this.#takeBatch());
    this.#isWorking = false;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  #takeBatch(): PendingWebhook[] {
    let count = 0;
    let bytes = 0;
    while (count < Math.min(MAX_BATCH, this.#waiting.length)) {
      bytes += sizeOf(this.#waiting[count]!);
      if (count > 0 && bytes > MAX_BATCH_BYTES) break;
      count++;
    }
    const batch = this.#waiting.splice(0, count);
    for (const webhook of batch) this.#waitingBytes -= sizeOf(webhook);
    return batch;
  }

  /** Whatever fails without an answer is asked again with the same receipt: it may have been kept. */
  async #keepNext(batch: readonly PendingWebhook[], isPlain = false): Promise<void> {
    const receipt = randomUUID();
    const isAnswered = { value: false };
    const giveUp = setTimeout(() => {
      isAnswered.value = true;
      this.#goAway();
      for (const webhook of batch) refuse(webhook, 'the store does not keep it now');
    }, PATIENCE_MS);
    const until = performance.now() + PATIENCE_MS;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const firstId = await this.options.write(receipt, batch, isPlain);
        clearTimeout(giveUp);
        if (!isAnswered.value) this.options.onKept(firstId, batch);
        this.options.onTrouble(null);
        this.#isAway = false;
        return;
      } catch (error) {
        if (isRefusedData(error)) {
          clearTimeout(giveUp);
          this.#isAway = false;
          return isAnswered.value ? undefined : this.#keepApart(batch, isPlain, error);
        }
        this.options.onTrouble(error);
        if (performance.now() + pause > until) {
          clearTimeout(giveUp);
          if (!isAnswered.value)
            for (const webhook of batch) refuse(webhook, 'the store does not keep it now');
          return this.#waitForStore();
        }
        await sleep(pause);
      }
    }
  }

  /** One of them is what the store does not take: each by itself, and that one with nothing read out of it. */
  async #keepApart(batch: readonly PendingWebhook[], isPlain: boolean, error: unknown): Promise<void> {
    if (batch.length > 1) {
      const middle = batch.length >> 1;
      await this.#keepNext(batch.slice(0, middle), isPlain);
      return this.#keepNext(batch.slice(middle), isPlain);
    }
    if (!isPlain) return this.#keepNext(batch, true);
    this.options.onTrouble(error);
    refuse(batch[0]!, 'the store does not take this webhook');
  }

  /** Nothing is taken while the store is away: a sender that is told so comes again, and memory stays bounded. */
  #goAway(): void {
    this.#isAway = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const webhook of waiting) refuse(webhook, 'the store does not keep it now');
  }

  async #waitForStore(): Promise<void> {
    this.#goAway();
    while (!this.#isClosed) {
      try {
        await this.options.ping();
        this.#isAway = false;
        return this.options.onAnswers();
      } catch (error) {
        this.options.onTrouble(error);
        await sleep(LONGEST_PAUSE_MS);
      }
    }
  }
}

const sizeOf = ({ head, body }: PendingWebhook): number => head.length + body.length;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function refuse(webhook: PendingWebhook, why: string): void {
  webhook.refuse(503, `This webhook is not kept: ${why}. Send it again later.\n`);
}
