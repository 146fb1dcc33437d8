import type { z } from 'zod';
import type { WebhookSummary } from '@shared/contract/inbox';
import type { journeyEvent } from '@shared/contract/journey';
import type { PaymentState } from '@shared/payments/tables/states';
import type { SentTo } from '../environments/find-service';
import type { BalanceReadingRow } from '../history/balance-readings';
import type { ExchangeRow } from '../history/history-store';
import type { MovedWallet } from '../history/read-wallet';

export type JourneyEvent = z.output<typeof journeyEvent>;

/** All that is known of one reference, each list oldest first. */
export interface JourneyParts {
  reference: string;
  exchanges: readonly ExchangeRow[];
  webhooks: readonly WebhookSummary[];
  /** Of each service that may have taken a payment. */
  wallets: readonly JourneyWallet[];
  /** States that webhooks of an environment report beside those that are known everywhere. */
  moreStatesOf(environment: string): Readonly<Record<string, PaymentState>>;
  placeOf(sent: SentTo): Place;
}

/** What was read of the wallet that a payment moved. */
export interface JourneyWallet {
  readonly moved: MovedWallet;
  /** The last reading before the payment, and those after it. */
  readonly balances: readonly BalanceReadingRow[];
  /** Other payments of the same wallet: what it did while they were under way may be theirs. Null: too many to tell. */
  readonly others: readonly UnderWay[] | null;
}

/** What is known of where something was sent. */
export interface Place {
  /** Of the environment. */
  readonly label: string;
  /** Origin of the address; null: there is none that can be read. */
  readonly service: string | null;
}

/** How long a payment could move its wallet. */
export interface UnderWay {
  readonly from: number;
  /** Null: its end is not known. */
  readonly to: number | null;
}
