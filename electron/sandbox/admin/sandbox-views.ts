import type { SandboxDelivery, SandboxPayment, SandboxState } from '@shared/contract/sandbox';
import { toFixed } from '../money/money';
import type { Payment } from '../store/payment-store';
import type { KeptWallet } from '../money/wallets';
import type { Delivery } from '../webhooks/webhook-store';

/** Shows a payment; amounts as decimal text, which no reader rounds. */
export function viewPayment(payment: Payment): SandboxPayment {
  return {
    paymentUuid: payment.paymentUuid,
    paymentReference: payment.paymentReference,
    transactionReference: payment.reference,
    requestUuid: payment.requestUuid,
    product: payment.product,
    amount: toFixed(payment.amountMinor),
    charges: toFixed(payment.chargesMinor),
    currency: payment.currency,
    account: payment.account,
    state: payment.state,
    timeReceived: payment.timeReceived,
    lastUpdated: payment.lastUpdated,
  };
}

/** Shows a wallet. */
export function viewWallet(wallet: KeptWallet): SandboxState['wallets'][number] {
  return {
    product: wallet.product,
    currency: wallet.currency,
    actualBalance: toFixed(wallet.actualMinor),
    availableBalance: toFixed(wallet.actualMinor - wallet.heldMinor),
    heldBalance: toFixed(wallet.heldMinor),
    alertLimit: wallet.alertMinor === null ? null : toFixed(wallet.alertMinor),
    status: wallet.status,
  };
}

/** Shows a delivery with every attempt. */
export function viewDelivery(delivery: Delivery): SandboxDelivery {
  return { ...delivery, attempts: [...delivery.attempts] };
}

/** Shows the first characters of a secret-like text and no more. */
export function maskText(text: string): string {
  return `${text.slice(0, Math.min(4, Math.floor(text.length / 2)))}…`;
}

/** Writes keys the way the interface does: `transactionReference` becomes `transaction_reference`. */
export function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toSnakeCase(member),
    ]),
  );
}

/** Reads keys the way the interface writes them. Only the top level is changed. */
export function toCamelCase(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
      member,
    ]),
  );
}
