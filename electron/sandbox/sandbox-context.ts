import type { AccessTokens } from './tokens/access-tokens';
import type { Answer } from './http/answers';
import type { BackendCredentials } from './tokens/backend-credentials';
import type { GroupCommit } from './store/group-commit';
import type { Initiation } from './payments/initiation';
import type { PaymentStore } from './store/payment-store';
import type { PublicKeys } from './admission/public-keys';
import type { RefusalCounter } from './payments/refusal-counter';
import type { RequestNumbers } from './http/request-numbers';
import type { SandboxClock } from './sandbox-clock';
import type { SandboxFaults, SandboxSettings } from '@shared/contract/sandbox';
import type { SandboxRandom } from './sandbox-random';
import type { Settlement } from './payments/settlement';
import type { Wallets } from './money/wallets';
import type { WebhookQueue } from './webhooks/webhook-queue';

/** What the operations of the service work on. */
export interface SandboxContext {
  readonly clock: SandboxClock;
  readonly random: SandboxRandom;
  readonly commit: GroupCommit;
  readonly payments: PaymentStore;
  readonly wallets: Wallets;
  readonly keys: PublicKeys;
  readonly tokens: AccessTokens;
  readonly webhooks: WebhookQueue;
  readonly settlement: Settlement;
  /** Decides an initiation together with all that came at the same time. */
  readonly initiations: (initiation: Initiation) => Promise<Answer>;
  readonly numbers: RequestNumbers;
  readonly refusals: RefusalCounter;
  readonly credentials: { readonly consumerKey: string; readonly consumerSecret: string };
  readonly backendCredentials: BackendCredentials;
  /** Webhooks may go over plain http to this machine and to hosts that were allowed by name. */
  readonly allowsPlainHttp: (hostname: string) => boolean;
  /** What its own addresses begin with. */
  readonly scheme: 'http' | 'https';
  /** Others than this machine reach it. */
  readonly isExposed: boolean;
  settings: SandboxSettings;
  faults: SandboxFaults;
  /** Host of the app's own tunnel: webhooks may go there. Null: there is none. */
  ownHost: string | null;
  /** Known once the sandbox listens. */
  baseUrl: string;
}
