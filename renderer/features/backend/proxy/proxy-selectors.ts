import type { ProxyExchange, ProxyExchangeDetail, ProxyStatus } from '@shared/contract/proxy';
import { nameCause } from '@shared/doctor/causes';
import { readRefusal } from '@shared/payments/read-refusal';
import { stateTones } from '../../../panels/environment-tone';
import type { Tone } from '../../../ui/tag';
import { countOf } from '@shared/count-of';

interface Said {
  text: string;
  tone: Tone;
}

const signatureWords: Record<NonNullable<ProxyExchange['signature']>, Said> = {
  valid: { text: 'signature valid', tone: 'good' },
  refused: { text: 'signature wrong', tone: 'bad' },
  missing: { text: 'not signed', tone: 'bad' },
  unchecked: { text: 'not verified', tone: 'quiet' },
};

/** How the signature fares; a cause that the doctor found says more than that it is wrong. */
export function describeSignature({
  signature,
  causes,
}: Pick<ProxyExchange, 'signature' | 'causes'>): Said | null {
  if (signature === null) return null;
  const said = signatureWords[signature];
  const [cause] = causes;
  return signature === 'refused' && cause !== undefined ? { ...said, text: nameCause(cause) } : said;
}

/** What the verdicts of an exchange are, the worst first. */
export function listVerdicts(exchange: ProxyExchange): Said[] {
  const { reason, problemCount } = exchange;
  const signature = describeSignature(exchange);
  const fields = countOf(problemCount, 'field');
  return [
    ...(reason === null ? [] : [{ text: 'no answer', tone: 'bad' as const }]),
    ...(signature === null ? [] : [signature]),
    ...(problemCount === 0 ? [] : [{ text: fields, tone: 'warn' as const }]),
  ];
}

/** Gives the public key to explain a signature by: one that verifies by its own, whichever is given to the proxy since; else the one given now. */
export function chooseKey(
  { signature, publicKeyPem }: Pick<ProxyExchangeDetail, 'signature' | 'publicKeyPem'>,
  given: string,
): string {
  const own = publicKeyPem ?? '';
  return signature === 'valid' ? own || given : given || own;
}

/** The doctor takes those that are refused one after the other: of very many, or where the proxy was stopped, some are never explained. */
const UNEXPLAINED =
  'The signature does not verify with any key that was known when it came. Its cause has not been found yet.';

/** One sentence about an exchange: what to act on, or that there is nothing. */
export function describeExchange(exchange: ProxyExchangeDetail): { text: string; isFinding: boolean } {
  const { reason, diagnosis, signature, httpStatus, token, problemCount, operation } = exchange;
  const finding =
    reason ??
    (signature === 'missing' || signature === 'refused' ? diagnosis?.explanation : null) ??
    (signature === 'refused' ? UNEXPLAINED : null) ??
    (httpStatus === 401 ? describeRefusal(exchange) : null) ??
    (token?.isExpired === true ? 'The token had expired when this was sent.' : null) ??
    (problemCount > 0 ? 'The body is not as the interface has it.' : null);
  if (finding !== null) return { text: finding, isFinding: true };
  if (operation === null)
    return { text: 'The service has no such address in its interface.', isFinding: true };
  if (signature === 'unchecked')
    return {
      text: 'Nothing is wrong as far as it can be told: no key is known to verify it with.',
      isFinding: false,
    };
  return {
    text:
      describeSaid(exchange) !== null || isRefused(exchange)
        ? 'Nothing is wrong with the request as far as it is looked at here.'
        : 'Nothing is wrong with it.',
    isFinding: false,
  };
}

const isRefused = ({ httpStatus }: ProxyExchange): boolean => httpStatus !== null && httpStatus >= 400;

/** Why the service refused, in its own words; null: it did not, or gave no reason. */
export function describeSaid({ httpStatus, answer, reason }: ProxyExchangeDetail): string | null {
  if (reason !== null || answer === null) return null;
  const said = readRefusal(httpStatus, answer.body, answer.isCut ? answer.sizeBytes : null);
  return said === null ? null : `The service said: ${said}`;
}

function describeRefusal({ token, signature }: ProxyExchangeDetail): string {
  if (token === null) return 'Refused with 401: it carried no token.';
  if (token.isExpired) return 'Refused with 401: its token had expired.';
  if (signature === 'valid')
    return 'Refused with 401 although its signature verifies here: look at the token and its product, and which public key the service has.';
  return 'Refused with 401: look at the token and its product.';
}

/**
 * State in a word, the target's included: a proxy that reaches nobody is not well.
 *
 * @param isUnread - it could not be read
 */
export function describeState(status: ProxyStatus | null, isUnread: boolean): Said {
  if (status === null) return { text: isUnread ? 'state not known' : 'reading its state', tone: 'quiet' };
  if (status.state === 'running' && status.targetFault !== null) return { text: 'target gone', tone: 'bad' };
  return { text: status.state, tone: stateTones[status.state] };
}

export const statusChoices = [
  { id: 'all', label: 'All' },
  { id: 'findings', label: 'Findings' },
  { id: '2xx', label: '2xx' },
  { id: '4xx', label: '4xx' },
  { id: '5xx', label: '5xx' },
  { id: 'none', label: 'No answer' },
] as const;

/** The part of a list that is loaded, newest first, and the id after which it goes on. */
