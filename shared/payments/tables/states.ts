/** `data.state` of a payment. @source payments-service-interface, part 3 */
export const paymentStates = ['processing', 'succeeded', 'failed', 'canceled'] as const;
export type PaymentState = (typeof paymentStates)[number];

/** `status` of a wallet; the values that the interface gives as examples. @source part 3 */
export const walletStates = ['ACTIVE', 'INACTIVE', 'SUSPENDED'] as const;
export type WalletState = (typeof walletStates)[number];

/** `status` of a webhook, by the state that it reports. @source assumption A3 */
export const webhookStatuses = {
  succeeded: 'SUCCESS',
  failed: 'FAILED',
  canceled: 'CANCELED',
} as const satisfies Partial<Record<PaymentState, string>>;

/** Spellings of a webhook's `status` that mean a state, beside the assumed ones. */
const otherStatuses: Readonly<Record<string, PaymentState>> = {
  SUCCEEDED: 'succeeded',
  CANCELLED: 'canceled',
};

/**
 * Reads the state that a webhook's `status` reports, in any case.
 *
 * @param more - what an environment's service reports besides, in capitals
 * @returns null: none that is known
 * @source assumption A3
 */
export function readWebhookState(
  status: string | null,
  more: Readonly<Record<string, PaymentState>> = {},
): PaymentState | null {
  const name = status?.toUpperCase() ?? '';
  if (Object.hasOwn(more, name)) return more[name] ?? null;
  const found = Object.entries(webhookStatuses).find(([, one]) => one === name);
  return (found?.[0] as PaymentState | undefined) ?? otherStatuses[name] ?? null;
}

/** Tells whether a payment in this state changes no more. */
export function isTerminalState(state: string): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'canceled';
}
