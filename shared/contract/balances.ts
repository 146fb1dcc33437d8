import { z } from 'zod';
import { environmentId, instant, product, wallet } from './common';
import { methodsOf } from './define';

const walletAmounts = wallet.omit({ alertLimit: true, status: true });

/** Wallets of one product as they stood at a time. */
export const balanceReading = z.object({ product, at: instant, wallets: z.array(walletAmounts) });

const readAmount = z.object({ at: instant, available: z.string() });

export const balanceAround = z.object({
  reference: z.string(),
  product,
  currency: z.string(),
  sentAt: instant,
  /** False: it was refused or never left, and nobody tells of it. */
  mayBeTaken: z.boolean(),
  /** What became of it; null: nobody knows. */
  state: z.string().nullable(),
  /** True where it will change no more. */
  isFinal: z.boolean(),
  /** The last reading before it was sent; null: there is none. */
  before: readAmount.nullable(),
  /** The first reading once its outcome, else its acceptance, was known; null: there is none. */
  after: readAmount.nullable(),
  amount: z.string().nullable(),
  /** Amount and charges, as a status query told them; null: none did. */
  totalAmount: z.string().nullable(),
  /** Payments of the same wallet that were sent from here between the two readings. */
  otherCount: z.number().int(),
});
export type BalanceAround = z.infer<typeof balanceAround>;

const { read } = methodsOf('environments.unknown');

export const balanceMethods = {
  'balances.readings': read({
    input: z.object({ environment: environmentId }),
    /** Where amounts changed, oldest first; they were read of the address that the environment has now. */
    output: z.object({ readings: z.array(balanceReading) }),
  }),
  'balances.around': read({
    input: z.object({
      reference: z.string().min(1).max(500),
      /** The payment with this reference that its service has: another one has a payment of its own. Left out: the first. */
      environment: environmentId.optional(),
    }),
    /** null: it names no wallet, having no product or currency. */
    output: z.object({ around: balanceAround.nullable() }),
    errors: ['journey.unknown', 'environments.unknown'],
  }),
};
