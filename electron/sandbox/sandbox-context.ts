import type { AccessTokens } from './tokens/access-tokens';
import type { Admissions } from './payments/initiation-batch';
import type { Answer } from './http/answers';
import type { GroupCommit } from './store/group-commit';
import type { PaymentStore } from './store/payment-store';
import type { PublicKeys } from './admission/public-keys';
import type { SandboxClock } from './sandbox-clock';
import type { SandboxFaults, SandboxSettings } from './sandbox-options';
import type { SandboxRandom } from './sandbox-random';
import type { Wallets } from './money/wallets';
import type { WebhookQueue } from './webhooks/webhook-queue';

/** What the operations of the service work on. */
export interface SandboxContext {
  readonly clock: SandboxClock;
  readonly random: SandboxRandom;
  readonly commit: GroupCommit;
  readonly payments: PaymentStore;
  readonly admissions: Admissions;
  readonly wallets: Wallets;
  readonly keys: PublicKeys;
  readonly tokens: AccessTokens;
  readonly webhooks: WebhookQueue;
  readonly credentials: { readonly consumerKey: string; readonly consumerSecret: string };
  /** Callbacks may go over plain http to this machine and to hosts that were allowed by name. */
  readonly allowsPlainHttp: (hostname: string) => boolean;
  settings: SandboxSettings;
  faults: SandboxFaults;
  /** Numbers of requests go up one by one from the first, which is random; a payment has that of its request. */
  nextNumber(): number;
  /** How often a reference was answered 429 by the outcome table. */
  countRefusal(reference: string): number;
  forgetRefusals(): void;
  /** Looks for the next payment that is due; called after one was added. */
  wakeSettlement(dueAt: number): void;
}

/** One request of which the body has been read. */
export interface ServiceRequest {
  /** Also what `X-Request-Id` and `request_uuid` are. */
  readonly id: string;
  /** What `payment_uuid` becomes. */
  readonly number: number;
  readonly host: string | undefined;
  readonly query: string;
  readonly authorization: string | undefined;
  readonly signature: string | undefined;
  /** The body as received, decoded. */
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Goes on with a request that was left unanswered: runs a step, and sends its answer unless that is null again. */
  resume(step: () => Answer | null): void;
}
