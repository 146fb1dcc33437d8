import { decodeBase64 } from '@shared/signing/base64';
import { readPayment, type PaymentFacts } from '@shared/payments/read-payment';
import { readUnconfirmed } from '../../../session/read-unconfirmed';
import { useRequestsStore, type Allowance, type SendWord } from '../requests-store';
import type { SentInput } from './sent-requests';

/** What a word for a request holds for: these very bytes at this address where they pay, else the host. */
function readSubject(input: SentInput): { subject: string; payment: PaymentFacts | null } {
  const { method, url, headers, bodyBase64 } = input;
  const body = bodyBase64 === undefined ? input.body : new TextDecoder().decode(decodeBase64(bodyBase64));
  const payment = readPayment({ ...input, body });
  const host = URL.canParse(url) ? new URL(url).host : url;
  return { subject: JSON.stringify(payment === null ? [host] : [method, url, headers, body]), payment };
}

/**
 * Gives what the back end is told that the user said yes to, for this request.
 *
 * @param given - the word that the user has just given; null: none
 */
export function findWord(input: SentInput, given: Allowance | null): Pick<SentInput, 'production'> {
  const { subject } = readSubject(input);
  const production =
    given?.subject === subject ? given.production : useRequestsStore.getState().allowedHosts.get(subject);
  return production === undefined ? {} : { production };
}

/**
 * Asks about a request that the back end did not send, as it goes to production and nobody said yes to that: each time where
 * it moves money, else once a host.
 *
 * @returns true where it was asked
 */
export function askAboutProduction(tabId: string, input: SentInput, how: SendWord, error: unknown): boolean {
  const live = readUnconfirmed(error);
  if (live === null) return false;
  const { id, label, host } = live;
  const { subject, payment } = readSubject(input);
  useRequestsStore.setState({
    question: {
      kind: 'production',
      tabId,
      environment: label,
      host,
      payment,
      how: { ...how, allowance: { subject, production: id } },
    },
  });
  return true;
}

/** Asks no more about requests to a production host that move no money, while the window is open. */
export function allowHost({ subject, production }: Allowance): void {
  useRequestsStore.setState(({ allowedHosts }) => ({
    allowedHosts: new Map([...allowedHosts, [subject, production]]),
  }));
}
