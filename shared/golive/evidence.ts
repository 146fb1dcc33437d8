import type { OperationName } from '../payments/tables/operations';

/** One request of a backend, as far as the rules look at it. */
export interface BackendCall {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Until the end of its answer. */
  readonly durationMs: number;
  /** Null: at an address that the service does not have. */
  readonly operation: OperationName | null;
  /** Path and query, secrets masked. */
  readonly url: string;
  readonly hasSecretInUrl: boolean;
  /** Null: there was no answer. */
  readonly httpStatus: number | null;
  /** Null: not signed, or nobody could tell. */
  readonly signature: 'valid' | 'invalid' | 'missing' | null;
  /** Tells its token from others, and is none; null: it came without. */
  readonly token: string | null;
  /** Parsed; null where it is no JSON or was not kept whole. */
  readonly body: unknown;
  readonly answer: unknown;
  readonly retryAfterSeconds: number | null;
}

/** One webhook that the sandbox delivered, or tried to. */
export interface WebhookRecord {
  readonly id: string;
  readonly attempts: readonly { readonly httpStatus: number | null; readonly error: string | null }[];
}

/** What a backend did, oldest first. */
export interface Evidence {
  readonly calls: readonly BackendCall[];
  readonly webhooks: readonly WebhookRecord[];
  /** Whether more was there once, and is forgotten. */
  readonly isCut: boolean;
}

/** Reads a member of a body; undefined where there is none. */
export function readMember(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    value,
  );
}

export function isSend({ operation }: BackendCall): boolean {
  return operation === 'payout' || operation === 'remittance';
}

export function isInitiation(call: BackendCall): boolean {
  return isSend(call) || call.operation === 'collection';
}

/** The reference that a call is about; null where it names none. */
export function readReference({ operation, body }: BackendCall): string | null {
  const path = operation === 'status' ? ['transaction_reference'] : ['transaction', 'reference'];
  const found = readMember(body, ...path);
  return typeof found === 'string' ? found : null;
}

/** What a payment is, its reference aside: two sends of one purpose have the same. Null: it cannot be told. */
export function describePurpose({ operation, body }: BackendCall): string | null {
  const parts = [
    readMember(body, 'transaction', 'amount'),
    readMember(body, 'transaction', 'currency'),
    readMember(body, 'transaction', 'service_code'),
    readMember(body, 'recipient', 'account'),
  ];
  return parts[0] === undefined ? null : JSON.stringify([operation, ...parts]);
}

/** Which of the two forms an acceptance has; null: it is none. @source part 4.1 */
export function readAcceptanceForm(call: BackendCall): '200.100' | '100' | null {
  const { answer } = call;
  if (isOutcomeUnknown(call)) return null;
  const [status, code] = [readMember(answer, 'status'), readMember(answer, 'code')];
  if (status === '200.100' && code === 'ACCEPTED') return '200.100';
  return code === '100' && status === 'ACCEPTED' ? '100' : null;
}

/** Whether a send was answered as a duplicate that is ignored. @source part 4.1 */
export function isDuplicateAnswer({ answer }: BackendCall): boolean {
  return readMember(answer, 'status') === '200.100' && readMember(answer, 'code') === 'REJECTED';
}

/** What is refused for itself, whatever its answer says beside that. */
const PLAIN_REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether nobody can know what became of a send: no answer, a failure of the server, or ACCEPTED in a refusal. */
export function isOutcomeUnknown({ httpStatus, answer }: BackendCall): boolean {
  if (httpStatus === null || httpStatus >= 500) return true;
  const says = [readMember(answer, 'status'), readMember(answer, 'code')];
  return httpStatus >= 400 && !PLAIN_REFUSALS.has(httpStatus) && says.includes('ACCEPTED');
}

/**
 * Whether a call was refused for its token: 401, and not for the signature.
 *
 * @source part 7.1 (400.001.100), part 7.3
 */
export function isTokenRefused({ httpStatus, operation, signature, answer }: BackendCall): boolean {
  if (httpStatus !== 401 || operation === 'token') return false;
  const isForSignature = signature === 'missing' || signature === 'invalid';
  return !isForSignature || readMember(answer, 'code') === '400.001.100';
}
