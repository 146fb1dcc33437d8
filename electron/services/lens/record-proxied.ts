import { localEnvironmentId } from '@shared/contract/environment-id';
import type { Exchange } from '@shared/contract/sending';
import { findHeader } from '@shared/find-header';
import { isProduct } from '@shared/payments/tables/products';
import type { ProxiedPayment } from '../../lens/proxy/payment-queue';
import { isAddressOf } from '../environments/address-binding';
import type { EnvironmentsService } from '../environments/create-environments-service';
import type { HistoryService } from '../history/create-history-service';
import { notMeasured } from '../history/exchange-facts';
import { BACKEND_TITLE } from '../history/history-store';

export interface RecordProxiedDeps {
  environments: Pick<EnvironmentsService, 'active' | 'list'>;
  history: Pick<HistoryService, 'nextId' | 'finish' | 'store'>;
}

/**
 * Keeps payments and status queries that passed the proxy in the history, like what is sent from here: so they are
 * journeys, and their webhooks answer something known.
 *
 * What the local sandbox of this app took is there already: it records what it is asked.
 */
export function recordProxied(
  { environments, history }: RecordProxiedDeps,
  payments: readonly ProxiedPayment[],
): void {
  for (const payment of payments) {
    const { operation, detail } = payment;
    if (operation === null) continue;
    const environment = findEnvironment(environments, detail.origin);
    const requestId = findHeader(detail.answerHeaders, 'x-request-id');
    const isProductCall = isProduct(operation);
    if (isProductCall && environment === localEnvironmentId && requestId !== null) continue;
    const exchange = toExchange(payment, operation, environment, history.nextId(), requestId);
    history.finish(exchange, isProductCall ? operation : null, Buffer.from(payment.answerBody));
  }
}

/** The environment of an address, the active one first; an address that is none's has no environment. */
function findEnvironment({ active, list }: RecordProxiedDeps['environments'], address: string): string {
  return [active(), ...list()].find(({ baseUrl }) => isAddressOf(address, baseUrl))?.id ?? '';
}

function toExchange(
  {
    id: proxyId,
    at,
    durationMs,
    method,
    path,
    reference,
    httpStatus,
    detail,
    requestBody,
    answerBody,
    reading,
  }: ProxiedPayment,
  operation: NonNullable<ProxiedPayment['operation']>,
  environment: string,
  id: string,
  requestId: string | null,
): Exchange {
  const { origin, query, stringToSign, requestHeaders, answerHeaders, answerBytes, reason, isUnsent } =
    detail;
  const isAnswered = reason === null && httpStatus !== null;
  return {
    id,
    environment,
    operation,
    identity: null,
    title: BACKEND_TITLE,
    sentAt: at,
    reference,
    request: {
      method,
      url: `${origin}${path}${query === '' ? '' : `?${query}`}`,
      headers: requestHeaders,
      body: requestBody,
      stringToSign: stringToSign?.text ?? null,
      signature: findHeader(requestHeaders, 'x-custom-signature'),
      keyFingerprint: null,
      spans: stringToSign === null ? [] : [...stringToSign.spans],
    },
    response: isAnswered
      ? {
          httpStatus,
          headers: answerHeaders,
          body: answerBody,
          bodyBase64: null,
          sizeBytes: answerBytes,
          isCut: false,
          requestId: requestId ?? proxyId,
        }
      : null,
    timings: { ...notMeasured, totalMs: durationMs },
    reading: isAnswered ? reading : null,
    error: isAnswered
      ? null
      : { code: isUnsent ? 'sending.unreachable' : 'sending.closed', message: reason ?? 'No answer came.' },
  };
}
