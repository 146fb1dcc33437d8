import type { WebhookSummary } from '../contract/inbox';
import { readWebhookState } from '../payments/tables/states';
import { showControls } from '../show-controls';

/** What the desktop says of webhooks that came in. */
export interface WebhookNotice {
  readonly title: string;
  readonly body: string;
  /** The newest of those that are told one by one. */
  readonly webhookId: string;
}

/** A burst is one notice: those that come this soon after it are told together, once it is over. */
const QUIET_MS = 3000;

/** So many are told one by one. */
const MOST_TOLD = 3;
const LONGEST_LINE = 100;

/**
 * Makes notices of webhooks, no more than one in three seconds. Each stands in the place of the one before and tells of all that
 * nobody has seen yet: of the desktop's notices only the last one stays.
 */
export class NoticeGatherer {
  #lastAt = -Infinity;
  #unseen = 0;
  /** Of those that nobody has seen: what is told one by one, newest last. */
  #told: readonly WebhookSummary[] = [];
  #isWaiting = false;

  /** @returns null: too soon after the last one, or nothing came; what came then waits */
  take(webhooks: readonly WebhookSummary[], count: number, now: number): WebhookNotice | null {
    if (webhooks.length === 0) return null;
    this.#unseen += count;
    this.#told = chooseTold([...this.#told, ...webhooks]);
    this.#isWaiting = true;
    return now - this.#lastAt < QUIET_MS ? null : this.takeWaiting(now);
  }

  /** How long what waits is not told yet; null: nothing waits. */
  waitMs(now: number): number | null {
    return this.#isWaiting ? Math.max(0, this.#lastAt + QUIET_MS - now) : null;
  }

  /** All so far is seen: the next notice begins anew. */
  markSeen(): void {
    this.#unseen = 0;
    this.#told = [];
    this.#isWaiting = false;
  }

  /** What waits, told now with what was told before and not seen; null: nothing waits. */
  takeWaiting(now: number): WebhookNotice | null {
    const newest = this.#told.at(-1);
    if (newest === undefined || !this.#isWaiting) return null;
    this.#isWaiting = false;
    this.#lastAt = now;
    const more = this.#unseen - this.#told.length;
    const lines = this.#told.toReversed().map(describe);
    return {
      title:
        this.#unseen === 1 ? 'A webhook came in' : `${this.#unseen.toLocaleString('en')} webhooks came in`,
      body: [...lines, ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])].join('\n'),
      webhookId: newest.id,
    };
  }
}

/** Those of payments that did not succeed are not lost among the others: they are chosen before newer ones. */
function chooseTold(webhooks: readonly WebhookSummary[]): readonly WebhookSummary[] {
  const inTurn = [...webhooks.filter((one) => !isOfFailure(one)), ...webhooks.filter(isOfFailure)];
  const told = new Set(inTurn.slice(-MOST_TOLD));
  return webhooks.filter((one) => told.has(one));
}

const isOfFailure = ({ status }: WebhookSummary): boolean =>
  ['failed', 'canceled'].includes(readWebhookState(status) ?? '');

/** Its path stays out: a part of that may be secret, and the desktop shows notices where it is locked, too. */
function describe({ status, amount, clientReference, method }: WebhookSummary): string {
  const told = [status, amount, clientReference].filter((one) => one !== null);
  const line = showControls(
    told.length === 0 ? `${method} without status, amount or reference` : told.join(' · '),
  );
  return line
    .slice(0, LONGEST_LINE)
    .replaceAll(/\s/g, ' ')
    .replace(/[\ud800-\udbff]$/, '');
}
