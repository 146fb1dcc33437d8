import { localEnvironmentId } from '@shared/contract/environment-id';
import type { EventBus } from '@shared/contract/events';
import type { SandboxRequest, SandboxRequestDetail } from '@shared/contract/sandbox';
import type { Exchange } from '@shared/contract/sending';
import { findHeader } from '@shared/find-header';
import { readAnswer } from '@shared/payments/read-answer';
import { isProduct, type Product } from '@shared/payments/tables/products';
import { isTerminalState } from '@shared/payments/tables/states';
import { coalesce } from '../../platform/coalesce';
import type { Ports } from '../../platform/ports';
import { notMeasured } from '../history/exchange-facts';
import { BACKEND_TITLE } from '../history/history-store';
import type { HistoryService } from '../history/create-history-service';
import type { SandboxService } from './create-sandbox-service';

/** Shorter than a payment takes to settle: its webhook finds the payment. */
const READ_DELAY_MS = 300;
/** Of the latest so many requests; what a load test sends beyond them is left out. */
const MOST_READ = 300;

export interface BackendPaymentsDeps {
  ports: Pick<Ports, 'clock' | 'logger'>;
  events: EventBus;
  sandbox: Pick<SandboxService, 'status' | 'handlers' | 'readPayments'>;
  history: Pick<HistoryService, 'nextId' | 'finish' | 'settle' | 'store'>;
}

type Payment = SandboxRequest & { operation: Product; reference: string };

/**
 * Keeps what the user's own backend asks of the local sandbox in the history, like what is sent from here: so its
 * payments are journeys, and their webhooks answer something known.
 *
 * @returns ends it
 */
export function recordBackendPayments({ ports, events, sandbox, history }: BackendPaymentsDeps): () => void {
  let seen = new Set<string>();
  let reading: Promise<void> = Promise.resolve();

  const read = async (): Promise<void> => {
    const { state, baseUrl } = sandbox.status();
    if (state !== 'running' || baseUrl === null) return;
    const query = { limit: MOST_READ, operation: null, statusClass: null, reference: null, text: null };
    const { requests } = await sandbox.handlers['sandbox.listRequests'](query);
    const fresh = requests.filter(({ id }) => !seen.has(id)).reverse();
    for (const request of fresh.filter(isPayment)) {
      if (history.store.isKnownRequest(request.reference, request.id)) continue;
      const detail = await sandbox.handlers['sandbox.getRequest']({ requestId: request.id });
      const exchange = toExchange(request, detail, baseUrl, history.nextId(), ports.clock.now());
      history.finish(exchange, request.operation, Buffer.from(detail.answer.body));
    }
    seen = new Set(requests.map(({ id }) => id));
    await readOutcomes({ sandbox, history, ports });
  };
  const changes = coalesce(
    () => {
      reading = reading.then(read).catch((error: unknown) => {
        ports.logger.log('warn', 'sandbox.backend_not_recorded', { message: String(error) });
      });
    },
    { delayMs: READ_DELAY_MS },
  );
  const unsubscribe = events.subscribe('sandbox.changed', () => changes.ask());
  return () => {
    unsubscribe();
    changes.cancel();
  };
}

/** Their webhooks go to the backend, and so do the answers to what it asks: nothing else here learns how they ended. */
async function readOutcomes({
  sandbox,
  history,
  ports,
}: Pick<BackendPaymentsDeps, 'sandbox' | 'history'> & { ports: Pick<Ports, 'clock'> }): Promise<void> {
  const undecided = history.store.listUndecided(MOST_READ);
  if (undecided.length === 0) return;
  const references = new Map(undecided.map(({ paymentUuid, reference }) => [paymentUuid, reference]));
  const payments = await sandbox.readPayments([...references.keys()]);
  const decided = payments
    .filter(({ paymentUuid, transactionReference, state }) => {
      // After a reset another payment may have the same number.
      return isTerminalState(state) && references.get(paymentUuid) === transactionReference;
    })
    .map(({ paymentUuid, transactionReference: reference, state, lastUpdated }) => ({
      paymentUuid,
      reference,
      state,
      at: Math.min(lastUpdated, ports.clock.now()),
    }));
  if (decided.length > 0) history.settle(decided);
}

function isPayment(request: SandboxRequest): request is Payment {
  return request.operation !== null && isProduct(request.operation) && request.reference !== null;
}

function toExchange(
  { operation, reference, durationMs, httpStatus }: Payment,
  { id: requestId, at, method, path, query, stringToSign, request, answer }: SandboxRequestDetail,
  baseUrl: string,
  id: string,
  now: number,
): Exchange {
  const signature = findHeader(request.headers, 'x-custom-signature');
  const { headers, body, bodyBase64, sizeBytes, isCut } = answer;
  return {
    id,
    environment: localEnvironmentId,
    operation,
    identity: null,
    title: BACKEND_TITLE,
    // The sandbox's clock may have been moved; webhooks and polls go by this machine's.
    sentAt: Math.min(at, now),
    reference,
    request: {
      method,
      url: `${baseUrl}${path}${query === '' ? '' : `?${query}`}`,
      headers: request.headers,
      body: request.body,
      stringToSign: stringToSign?.text ?? null,
      signature,
      keyFingerprint: null,
      spans: stringToSign?.spans ?? [],
    },
    response: answer.isDropped
      ? null
      : { httpStatus, headers, body, bodyBase64, sizeBytes, isCut, requestId },
    timings: { ...notMeasured, totalMs: durationMs },
    reading: answer.isDropped ? null : readAnswer(operation, httpStatus, body),
    error: answer.isDropped
      ? { code: 'sending.closed', message: 'The sandbox dropped the connection, as its faults ask.' }
      : null,
  };
}
