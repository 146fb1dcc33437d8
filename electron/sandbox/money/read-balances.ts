import { isCurrencyCode } from '@shared/payments/tables/currencies';
import type { Product } from '@shared/payments/tables/products';
import { answerBalanceError, answerJson, type Answer } from '../http/answers';
import { toJsonNumber } from './money';
import type { SandboxContext } from '../sandbox-context';
import type { ServiceRequest } from '../http/service-request';
import type { KeptWallet } from './wallets';

/**
 * Answers the wallets of the token's product, all or one currency's.
 *
 * @source payments-service-interface, parts 2.5, 4.4 and 7.3
 */
export function readBalances(context: SandboxContext, product: Product, request: ServiceRequest): Answer {
  const currency = new URLSearchParams(request.query).get('currency');
  if (currency === null || currency === '') return answerWallets(context.wallets.list(product));
  const wallet = context.wallets.find(product, currency);
  if (wallet !== undefined) return answerWallets([wallet]);
  const shown = currency.slice(0, 20);
  return answerBalanceError(
    404,
    'not_found',
    isCurrencyCode(currency)
      ? `No ${shown} wallet is provisioned for the ${product} product.`
      : `${shown} is not an ISO 4217 currency code in capitals.`,
  );
}

function answerWallets(wallets: readonly KeptWallet[]): Answer {
  const results = wallets.map(writeWallet).join(',');
  const body = `{"code":200,"status":"SUCCESS","description":"Wallet balances","results":[${results}]}`;
  return answerJson(200, body, 'ok');
}

function writeWallet({ currency, actualMinor, heldMinor, alertMinor, status }: KeptWallet): string {
  const alert = alertMinor === null ? '' : `"alert_limit":${toJsonNumber(alertMinor)},`;
  return (
    `{"currency":"${currency}","actual_balance":${toJsonNumber(actualMinor)},` +
    `"available_balance":${toJsonNumber(actualMinor - heldMinor)},${alert}"status":"${status}"}`
  );
}
