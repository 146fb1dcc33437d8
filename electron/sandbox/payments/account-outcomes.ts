import type { PaymentState } from '@shared/payments/tables/states';

/** What happens to a payment, by the last four digits of the recipient's account. */
export interface AccountOutcome {
  /** Last four digits of `recipient.account`; null: all others. */
  readonly ending: string | null;
  /** What `X-Sandbox-Outcome` calls it. */
  readonly name: string;
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
  { ...accepted, ending: '0001', name: 'failed', meaning: 'fails', finalState: 'failed' },
  { ...accepted, ending: '0002', name: 'canceled', meaning: 'is canceled', finalState: 'canceled' },
  { ...accepted, ending: '0003', name: 'processing', meaning: 'stays processing', finalState: null },
  {
    ...accepted,
    ending: '0004',
    name: 'field_error',
    meaning: 'is refused with a field error on recipient.account',
    answer: 'field_error',
  },
  { ...accepted, ending: '0005', name: 'late', meaning: 'settles after 30 seconds', settleMs: 30_000 },
  {
    ...accepted,
    ending: '0006',
    name: 'duplicate',
    meaning: 'succeeds, its webhook is delivered twice',
    copies: 2,
  },
  {
    ...accepted,
    ending: '0007',
    name: 'internal_error',
    meaning: 'is answered HTTP 500 400.500',
    answer: 'internal_error',
  },
  {
    ...accepted,
    ending: '0008',
    name: 'rate_limited',
    meaning: 'is answered 429 twice, then accepted',
    answer: 'too_many_requests',
  },
  { ...accepted, ending: null, name: 'succeeded', meaning: 'succeeds' },
];

const byEnding = new Map(accountOutcomes.map((outcome) => [outcome.ending, outcome]));
const otherwise = byEnding.get(null)!;

const byName = new Map(accountOutcomes.map((outcome) => [outcome.name, outcome]));

export const outcomeNames: readonly string[] = accountOutcomes.map(({ name }) => name);

/**
 * Finds what becomes of a payment: what the header names, else what the account stands for. Anything but digits in an
 * account does not count.
 *
 * @param named - `X-Sandbox-Outcome`: a name or the four digits; left out: the account decides
 * @returns undefined where the header names none
 */
export function findOutcome(account: string, named: string | undefined): AccountOutcome | undefined {
  if (named !== undefined) return byName.get(named) ?? (named === '' ? undefined : byEnding.get(named));
  const plain = byEnding.get(account.slice(-4));
  if (plain !== undefined) return plain;
  return byEnding.get(account.replace(/\D/g, '').slice(-4)) ?? otherwise;
}
