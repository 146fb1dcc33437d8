import type { Product } from './products';

export type OperationName =
  | 'remittance'
  | 'payout'
  | 'collection'
  | 'status'
  | 'balances'
  | 'token'
  | 'send_test';

/** One operation of the service. */
export interface OperationRow {
  readonly operation: OperationName;
  readonly label: string;
  readonly method: 'GET' | 'POST';
  /** Paths below `{base_url}`, the plain form first. */
  readonly paths: readonly string[];
  /** Products whose token is accepted; empty: no bearer token is asked for. */
  readonly products: readonly Product[];
  /** Whether `X-Custom-Signature` is required. */
  readonly isSigned: boolean;
  /** Part of the interface document, or the assumption of ours that stands in for it. */
  readonly source: string;
}

/** Every operation. @source payments-service-interface, part 4; assumptions A1, A2 and A6 */
export const operations: Readonly<Record<OperationName, OperationRow>> = {
  remittance: {
    operation: 'remittance',
    label: 'Initiate remittance',
    method: 'POST',
    paths: ['/payments/v1/remittance', '/payments/api/v1/remittance'],
    products: ['remittance'],
    isSigned: true,
    source: '4.1',
  },
  payout: {
    operation: 'payout',
    label: 'Initiate payout',
    method: 'POST',
    paths: ['/payments/v1/payouts', '/payments/api/v1/payouts'],
    products: ['payout'],
    isSigned: true,
    source: '4.2',
  },
  collection: {
    operation: 'collection',
    label: 'Create a collection',
    method: 'POST',
    paths: ['/payments/v1/collections'],
    products: ['collection'],
    isSigned: false,
    source: '4.6, assumption A2',
  },
  status: {
    operation: 'status',
    label: 'Query payment status',
    method: 'POST',
    paths: ['/tsq/v1/query/payments'],
    products: ['payout', 'remittance', 'collection'],
    isSigned: false,
    source: '4.3, assumption A6',
  },
  balances: {
    operation: 'balances',
    label: 'Get wallet balances',
    method: 'GET',
    paths: ['/tsq/v1/wallet-balances'],
    products: ['payout', 'remittance', 'collection'],
    isSigned: false,
    source: '4.4',
  },
  token: {
    operation: 'token',
    label: 'Get authentication token',
    method: 'POST',
    paths: ['/auth/v1/token'],
    products: [],
    isSigned: false,
    source: '4.6, assumption A1',
  },
  send_test: {
    operation: 'send_test',
    label: 'Send a test webhook',
    method: 'POST',
    paths: ['/developer-tools/webhooks/send-test'],
    products: [],
    isSigned: false,
    source: '4.5',
  },
};

const byPath: ReadonlyMap<string, OperationRow> = new Map(
  Object.values(operations).flatMap((row) => row.paths.map((path) => [path, row])),
);

/** Finds the operation that answers at a path below `{base_url}`; undefined for any other path. */
export function findOperation(path: string): OperationRow | undefined {
  return byPath.get(path);
}
