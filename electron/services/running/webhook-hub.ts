import type { HeaderList } from '@shared/contract/common';
import type { WebhookFacts } from '@shared/expect/judge-waits';
import { pause } from './limiter';

/** A webhook as it came, with what ties it to a payment. */
export interface ArrivedWebhook extends WebhookFacts {
  readonly reference: string | null;
  readonly paymentUuid: string | null;
  readonly headers: HeaderList;
}

/** What one request of a run waits for. */
export interface WebhookClaim {
  /** Those of this request so far, in the order in which they came. */
  readonly webhooks: readonly ArrivedWebhook[];
  /** Payment UUIDs of those that came with its reference and are another payment's. */
  readonly otherUuids: ReadonlySet<string>;
  /** Learnt from the answer; earlier webhooks count, too, and those of another payment with its reference do no longer. */
  identify(paymentUuid: string): void;
  /** Its webhooks after those kept before this run that may be of its payment, each once. */
  listAfter(kept: readonly ArrivedWebhook[]): ArrivedWebhook[];
  /** Resolves at the next webhook of this request, or at the end of the time. */
  whenChanged(timeoutMs: number, stop: AbortSignal): Promise<void>;
  close(): void;
}

/** So many that belong to nobody yet are kept: an answer may come after its webhook. */
const mostUnclaimed = 1000;

/** So many that came instead are named at most. */
const mostOthers = 10;

interface OpenClaim {
  reference: string | null;
  paymentUuid: string | null;
  webhooks: ArrivedWebhook[];
  otherUuids: Set<string>;
  wake: (() => void)[];
}

/** Gives each webhook to the request of the run that it belongs to. */
export class WebhookHub {
  private readonly claims = new Set<OpenClaim>();
  private readonly byReference = new Map<string, Set<OpenClaim>>();
  private unclaimed: ArrivedWebhook[] = [];
  /** Finds what was kept of a payment before this run began; null: nothing is kept where it receives. */
  findEarlier: ((reference: string) => Promise<ArrivedWebhook[]>) | null = null;

  /** Takes a webhook; one that carries no known reference goes to requests that have none. */
  receive(webhook: ArrivedWebhook): void {
    const named = this.findNamed(webhook);
    const owners = named.length > 0 ? named : this.findNameless(webhook);
    for (const owner of owners) deliver(owner, webhook);
    if (owners.length > 0) return;
    this.keepUnclaimed(webhook);
  }

  /** Begins to collect, before the request leaves. @param reference - null: it has none */
  claim(reference: string | null): WebhookClaim {
    const open: OpenClaim = { reference, paymentUuid: null, webhooks: [], otherUuids: new Set(), wake: [] };
    this.claims.add(open);
    if (reference !== null) {
      const others = this.byReference.get(reference) ?? new Set();
      this.byReference.set(reference, others.add(open));
    }
    return {
      webhooks: open.webhooks,
      otherUuids: open.otherUuids,
      identify: (paymentUuid) => this.identify(open, paymentUuid),
      listAfter: (kept) => {
        const known = new Set(open.webhooks.map(({ id }) => id));
        return [...kept.filter((one) => !known.has(one.id) && mayOwn(open, one)), ...open.webhooks];
      },
      whenChanged: (timeoutMs, stop) => pause(Math.max(0, timeoutMs), stop, (wake) => open.wake.push(wake)),
      close: () => this.forget(open),
    };
  }

  private identify(open: OpenClaim, paymentUuid: string): void {
    open.paymentUuid = paymentUuid;
    const strange = open.webhooks.filter((one) => !mayOwn(open, one));
    for (const webhook of strange) {
      open.webhooks.splice(open.webhooks.indexOf(webhook), 1);
      // The request that it belongs to may be still without its answer.
      this.keepUnclaimed(webhook);
    }
    const isOwn = (one: ArrivedWebhook): boolean => one.paymentUuid === paymentUuid;
    const isNew = (one: ArrivedWebhook): boolean => !open.webhooks.includes(one);
    for (const webhook of this.unclaimed.filter(isOwn).filter(isNew)) deliver(open, webhook);
    this.unclaimed = this.unclaimed.filter((one) => !isOwn(one));
  }

  private findNamed(webhook: ArrivedWebhook): OpenClaim[] {
    const { reference, paymentUuid } = webhook;
    const named = [...(reference === null ? [] : (this.byReference.get(reference) ?? []))];
    const owners = named.filter((claim) => mayOwn(claim, webhook));
    if (owners.length > 0 || paymentUuid === null) return owners;
    return [...this.claims].filter((claim) => claim.paymentUuid === paymentUuid);
  }

  private keepUnclaimed(webhook: ArrivedWebhook): void {
    this.unclaimed.push(webhook);
    if (this.unclaimed.length > mostUnclaimed) this.unclaimed.shift();
  }

  private findNameless({ reference, paymentUuid }: ArrivedWebhook): OpenClaim[] {
    if (reference !== null || paymentUuid !== null) return [];
    return [...this.claims].filter((claim) => claim.reference === null && claim.paymentUuid === null);
  }

  private forget(open: OpenClaim): void {
    this.claims.delete(open);
    if (open.reference === null) return;
    const others = this.byReference.get(open.reference);
    others?.delete(open);
    if (others?.size === 0) this.byReference.delete(open.reference);
  }
}

/** A reference is one payment only within one service: what names another UUID than the answer is another payment's. */
function mayOwn(claim: OpenClaim, { paymentUuid }: ArrivedWebhook): boolean {
  if (!paymentUuid || claim.paymentUuid === null || claim.paymentUuid === paymentUuid) return true;
  if (claim.otherUuids.size < mostOthers) claim.otherUuids.add(paymentUuid.slice(0, 100));
  return false;
}

function deliver(claim: OpenClaim, webhook: ArrivedWebhook): void {
  claim.webhooks.push(webhook);
  for (const wake of claim.wake.splice(0)) wake();
}
