import type { SandboxCheck } from '@shared/contract/sandbox';
import { operations, type OperationName, type OperationRow } from '@shared/payments/tables/operations';
import type { Verdict } from '../http/answers';
import type { StoredRequest } from './stored-request';

type Facts = StoredRequest & { readonly hasStringToSign: boolean };

/** One step that a request goes through. */
export interface RequestStep {
  readonly id: string;
  readonly label: string;
  /** Whether a request of this operation comes by; null: an address that nobody has. */
  isOn(operation: OperationRow | null, request: Facts): boolean;
  readonly failsOn: readonly Verdict[];
  /** What was found right. */
  passed(request: Facts): string;
}

const always = (): boolean => true;
const hasToken = (row: OperationRow | null): boolean => row !== null && row.products.length > 0;
const hasBody = (row: OperationRow | null): boolean => row?.method === 'POST';
const isOneOf =
  (...names: OperationName[]) =>
  (row: OperationRow | null): boolean =>
    row !== null && names.includes(row.operation);
const isInitiation = isOneOf('payout', 'remittance', 'collection');

/** Steps that only show where they answered. */
const only =
  (verdict: Verdict) =>
  (_row: OperationRow | null, request: Facts): boolean =>
    request.verdict === verdict;

/** The steps in the order in which the sandbox takes them. @source design 5 */
export const requestSteps: readonly RequestStep[] = [
  {
    id: 'rate',
    label: 'Rate limit',
    isOn: always,
    failsOn: ['rate_limit'],
    passed: () => 'within the limit',
  },
  {
    id: 'address',
    label: 'Address',
    isOn: (row, { verdict, httpStatus }) => row === null || httpStatus === 405 || verdict !== 'rate_limit',
    failsOn: ['not_found'],
    passed: ({ operation }) => (operation === null ? '' : operations[operation].label),
  },
  { id: 'fault', label: 'Faults', isOn: only('fault'), failsOn: ['fault'], passed: () => '' },
  {
    id: 'body',
    label: 'Body',
    isOn: hasBody,
    failsOn: ['body'],
    passed: ({ detail }) => `readable JSON, ${detail.requestBytes} bytes`,
  },
  {
    id: 'token',
    label: 'Token',
    isOn: hasToken,
    failsOn: ['token'],
    passed: () => 'issued here, not expired',
  },
  {
    id: 'product',
    label: 'Product',
    isOn: hasToken,
    failsOn: ['product'],
    passed: () => 'the token is for this operation',
  },
  {
    id: 'signature',
    label: 'Signature',
    isOn: (row) => row !== null && row.isSigned,
    failsOn: ['signature'],
    passed: ({ hasStringToSign }) =>
      hasStringToSign ? 'verifies with a registered key' : 'left to the fields: a signed one is missing',
  },
  {
    id: 'fields',
    label: 'Fields',
    isOn: hasBody,
    failsOn: ['fields'],
    passed: () => 'all there, all well formed',
  },
  {
    id: 'credentials',
    label: 'Credentials',
    isOn: isOneOf('token'),
    failsOn: ['token'],
    passed: () => 'known key, right secret',
  },
  {
    id: 'host',
    label: 'Callback host',
    isOn: isOneOf('send_test'),
    failsOn: ['rules'],
    passed: () => 'may be called',
  },
  { id: 'reference', label: 'Reference', isOn: isInitiation, failsOn: ['duplicate'], passed: () => 'new' },
  {
    id: 'outcome',
    label: 'Account',
    isOn: only('outcome'),
    failsOn: ['outcome'],
    passed: () => '',
  },
  {
    id: 'wallet',
    label: 'Wallet',
    isOn: isInitiation,
    failsOn: ['rules'],
    passed: ({ operation }) =>
      operation === 'collection' ? 'there and active' : 'active, enough money for amount and charges',
  },
  {
    id: 'found',
    label: 'Found',
    isOn: isOneOf('status', 'balances'),
    failsOn: ['not_found'],
    passed: () => 'there it is',
  },
  { id: 'kept', label: 'Kept', isOn: only('error'), failsOn: ['error'], passed: () => '' },
];

/**
 * Tells which checks a request passed, which one answered it and which were not reached, in their order.
 *
 * Worked out from what is kept of it: each verdict belongs to one step.
 */
export function listChecks(request: StoredRequest, hasStringToSign: boolean): SandboxCheck[] {
  const facts: Facts = { ...request, hasStringToSign };
  const row = request.operation === null ? null : operations[request.operation];
  const taken = requestSteps.filter((step) => step.isOn(row, facts));
  const failed = taken.findIndex((step) => hasFailedAt(step, facts));
  return taken.map((step, index) => {
    const { id, label } = step;
    if (failed === -1 || index < failed) return { id, label, state: 'passed', message: step.passed(facts) };
    if (index > failed) return { id, label, state: 'not_reached', message: 'not reached' };
    return { id, label, state: 'failed', message: request.detail.reason ?? 'answered here' };
  });
}

/** 'Not found' stands for an address, a method, or a payment; the limit of an account is no rate limit. */
function hasFailedAt({ id, failsOn }: RequestStep, { verdict, operation, httpStatus }: Facts): boolean {
  if (!failsOn.includes(verdict)) return false;
  return id !== 'address' || operation === null || httpStatus === 405;
}
