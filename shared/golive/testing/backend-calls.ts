/** Calls of a made-up backend, ten seconds apart. */
import type { BackendCall, WebhookRecord } from '../evidence';

let clock = 0;
export const accepted = {
  status: '200.100',
  code: 'ACCEPTED',
  data: { payment_uuid: '70001', payment_reference: 'PR1' },
};
export const otherForm = { status: 'ACCEPTED', code: '100' };
export const duplicate = { status: '200.100', code: 'REJECTED' };

export function call(changes: Partial<BackendCall>): BackendCall {
  clock += 10_000;
  return {
    id: `c${clock}`, at: clock, durationMs: 0, operation: 'payout', url: '/payments/v1/payouts', hasSecretInUrl: false, httpStatus: 201, signature: 'valid', token: 't',
    body: null, answer: null, retryAfterSeconds: null, ...changes,
  }; // prettier-ignore
}

/** A payout; those of one account are of one purpose. */
export function pay(reference: string, changes: Partial<BackendCall> = {}, account = reference): BackendCall {
  const transaction = {
    reference,
    amount: 1000,
    currency: 'KES',
    service_code: 'S',
    timestamp: '2026-01-02T03:04:05Z',
  };
  return call({ body: { transaction, recipient: { account } }, answer: accepted, ...changes });
}

export const ask = (body: Record<string, string>): BackendCall =>
  call({ operation: 'status', signature: null, httpStatus: 200, body });
export const fetchToken = (given = 't'): BackendCall =>
  call({
    operation: 'token',
    token: null,
    httpStatus: 200,
    body: { product: 'payout' },
    answer: { expires_in: 3600, access_token: given },
  });
export const refusedFetch = (): BackendCall => ({ ...fetchToken(), httpStatus: 400, answer: null });
export const refused = { httpStatus: 401, signature: null, answer: { code: '400.001.100' } };
export const paid = (count: number, changes: Partial<BackendCall> = {}): BackendCall[] =>
  Array.from({ length: count }, (_, at) => pay(`${clock}-${at}`, changes));
export const limited = (reference: string): BackendCall =>
  pay(reference, { httpStatus: 429, answer: null, retryAfterSeconds: 2 });
export const after = (first: BackendCall, ms: number, next: BackendCall): BackendCall[] => [
  first,
  { ...next, at: first.at + ms },
];
export const webhook = (...statuses: (number | null)[]): WebhookRecord => ({
  id: 'w',
  attempts: statuses.map((httpStatus) => ({ httpStatus, error: null })),
});
export const failed = (reference: string, account?: string): BackendCall =>
  pay(reference, { httpStatus: null, answer: null }, account);
