import { readPayment, type PaymentFacts } from '@shared/payments/read-payment';
import type { MethodInput } from '@shared/contract/contract';
import type { Exchange } from '@shared/contract/sending';
import { create } from 'zustand';
import { handOverDraft } from '../../session/draft-handover';
import { call } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import { readUnconfirmed, type Unconfirmed } from '../../session/read-unconfirmed';
import { replaceRoute } from '../../session/routes';
import { writeDraft } from './write-draft';

/** A request of the history that waits for the user's word: it goes to production. */
export interface AskedResend {
  exchange: Exchange;
  /** The environment's id, and what it is called. */
  production: string;
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

/**
 * Sends a request as it was, where it was sent: the same bytes, with a token and signature of now. Production is asked about
 * first: the back end sends nothing there without a word.
 *
 * @param production - what the user said yes to
 */
export async function resend(exchange: Exchange, production?: string): Promise<void> {
  useResend.setState({ isSending: true, asked: null, error: null });
  const input = toInput(exchange);
  try {
    const { id } = await call('sending.send', { ...input, ...(production !== undefined && { production }) });
    useResend.setState({ isSending: false });
    replaceRoute('history', id);
  } catch (error) {
    const live = readUnconfirmed(error);
    useResend.setState(
      live === null
        ? { isSending: false, error: toClientError(error) }
        : { isSending: false, asked: { exchange, ...describeAsked(input, live) } },
    );
  }
}

function describeAsked(
  input: MethodInput<'sending.send'>,
  { id, label, host }: Unconfirmed,
): Omit<AskedResend, 'exchange'> {
  return { production: id, environment: label, host, payment: readPayment(input) };
}

/** Opens a request as a draft that nothing has saved yet. */
export async function openAsDraft(exchange: Exchange): Promise<void> {
  const text = await writeDraft(exchange);
  handOverDraft({ title: exchange.title, text, identity: exchange.identity });
}
