import type { WebhookSummary } from '../contract/inbox';
import { showControls } from '../show-controls';

/** What the desktop says of webhooks that came in. */
export interface WebhookNotice {
  readonly title: string;
  readonly body: string;
  /** The newest of them. */
  readonly webhookId: string;
}

/** A burst is one notice: those that come this soon after it are told together, once it is over. */
const QUIET_MS = 3000;

/** Makes notices of webhooks, no more than one in three seconds. */
export class NoticeGatherer {
  #lastAt = -Infinity;
  #waiting = 0;
  #newest: WebhookSummary | null = null;

  /** @returns null: too soon after the last one, or nothing came; what came then waits */
  take(webhooks: readonly WebhookSummary[], count: number, now: number): WebhookNotice | null {
    const newest = webhooks.at(-1);
    if (newest === undefined) return null;
    this.#waiting += count;
    this.#newest = newest;
    return now - this.#lastAt < QUIET_MS ? null : this.takeWaiting(now);
  }

  /** How long what waits is not told yet; null: nothing waits. */
  waitMs(now: number): number | null {
    return this.#newest === null ? null : Math.max(0, this.#lastAt + QUIET_MS - now);
  }

  /** What waits, told now; null: nothing does. */
  takeWaiting(now: number): WebhookNotice | null {
    const [newest, total] = [this.#newest, this.#waiting];
    if (newest === null) return null;
    this.#newest = null;
    this.#waiting = 0;
    this.#lastAt = now;
    const told = [newest.status, newest.amount, newest.clientReference].filter((one) => one !== null);
    return {
      title: total === 1 ? 'A webhook came in' : `${total.toLocaleString('en')} webhooks came in`,
      body: showControls(told.length === 0 ? `${newest.method} ${newest.path}` : told.join(' · ')).slice(
        0,
        200,
      ),
      webhookId: newest.id,
    };
  }
}
