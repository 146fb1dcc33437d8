import type { PaymentState } from '@shared/payments/tables/states';

/** What happens to a payment, by the last four digits of the recipient's account. */
export interface AccountOutcome {
  /** Last four digits of `recipient.account`; null: all others. */
  readonly ending: string | null;
  readonly meaning: string;
  /** How the request itself is answered. */
  readonly answer: 'accept' | 'field_error' | 'internal_error' | 'too_many_requests';
  /** What an accepted payment becomes; null: it stays as it is until someone changes it. */
  readonly finalState: Exclude<PaymentState, 'processing'> | null;
  /** Milliseconds to the final state; null: as set for the sandbox. */
  readonly settleMs: number | null;
  /** How often the webhook is sent. */
  readonly copies: number;
}

const accepted = { answer: 'accept', finalState: 'succeeded', settleMs: null, copies: 1 } as const;

/** The outcome table. @source design 5 */
export const accountOutcomes: readonly AccountOutcome[] = [
  { ...accepted, ending: '0001', meaning: 'fails', finalState: 'failed' },
  { ...accepted, ending: '0002', meaning: 'is canceled', finalState: 'canceled' },
  { ...accepted, ending: '0003', meaning: 'stays processing', finalState: null },
  {
    ...accepted,
    ending: '0004',
    meaning: 'is refused with a field error on recipient.account',
    answer: 'field_error',
  },
  { ...accepted, ending: '0005', meaning: 'settles after 30 seconds', settleMs: 30_000 },
  { ...accepted, ending: '0006', meaning: 'succeeds, its webhook is delivered twice', copies: 2 },
  { ...accepted, ending: '0007', meaning: 'is answered HTTP 500 400.500', answer: 'internal_error' },
  {
    ...accepted,
    ending: '0008',
    meaning: 'is answered 429 twice, then accepted',
    answer: 'too_many_requests',
  },
  { ...accepted, ending: null, meaning: 'succeeds' },
];

const byEnding = new Map(accountOutcomes.map((outcome) => [outcome.ending, outcome]));
const otherwise = byEnding.get(null)!;

/** Finds what an account stands for. Anything but digits in it does not count. */
export function findAccountOutcome(account: string): AccountOutcome {
  const plain = byEnding.get(account.slice(-4));
  if (plain !== undefined) return plain;
  return byEnding.get(account.replace(/\D/g, '').slice(-4)) ?? otherwise;
}
