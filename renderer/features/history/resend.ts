import { findProductionOf } from '@shared/http-file/find-production';
import { readPayment, type PaymentFacts } from '@shared/payments/read-payment';
import type { MethodInput } from '@shared/contract/contract';
import type { Exchange } from '@shared/contract/sending';
import { create } from 'zustand';
import { handOverDraft } from '../../session/draft-handover';
import { call } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import { replaceRoute } from '../../session/routes';
import { writeDraft } from './write-draft';

/** A request of the history that waits for the user's word: it goes to production. */
export interface AskedResend {
  exchange: Exchange;
  environment: string;
  host: string;
  payment: PaymentFacts | null;
}

interface ResendState {
  asked: AskedResend | null;
  isSending: boolean;
  error: ClientError | null;
}

export const useResend = create<ResendState>(() => ({ asked: null, isSending: false, error: null }));

/** Why an exchange cannot be sent again as it was; null: it can. */
export function findLost({ request: { written } }: Exchange): string | null {
  if (written === undefined)
    return 'The history does not hold what it was made of: your own backend sent it, or an earlier version kept it.';
  return written.lost;
}

function toInput(exchange: Exchange): MethodInput<'sending.send'> {
  const { environment, identity, operation, title, request } = exchange;
  const { written } = request;
  return {
    environment,
    identity,
    operation,
    title,
    method: request.method,
    url: written?.url ?? request.url,
    headers: written?.headers ?? [],
    body: written?.body ?? request.body,
    isForScreen: true,
  };
}

/** Sends a request as it was, where it was sent: the same bytes, with a token and signature of now. Production asks first. */
export async function resend(exchange: Exchange): Promise<void> {
  useResend.setState({ error: null });
  try {
    const { environments } = await call('environments.list');
    const environment = environments.find(({ id }) => id === exchange.environment);
    const { url } = toInput(exchange);
    const live = findProductionOf(url, environments, environment);
    if (live === null) return await sendNow(exchange);
    const { operation, request } = exchange;
    const payment = readPayment({ operation, method: request.method, url, body: request.body });
    const host = URL.canParse(url) ? new URL(url).host : url;
    useResend.setState({ asked: { exchange, environment: live.name, host, payment } });
  } catch (error) {
    useResend.setState({ error: toClientError(error) });
  }
}

/** Sends what was asked about. */
export async function sendNow(exchange: Exchange): Promise<void> {
  useResend.setState({ isSending: true, asked: null });
  try {
    const { id } = await call('sending.send', toInput(exchange));
    useResend.setState({ isSending: false });
    replaceRoute('history', id);
  } catch (error) {
    useResend.setState({ isSending: false, error: toClientError(error) });
  }
}

/** Opens a request as a draft that nothing has saved yet. */
export async function openAsDraft(exchange: Exchange): Promise<void> {
  const text = await writeDraft(exchange);
  handOverDraft({ title: exchange.title, text, identity: exchange.identity });
}
