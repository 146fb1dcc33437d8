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

/** Tells whether a payment in this state changes no more. */
export function isTerminalState(state: string): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'canceled';
}
