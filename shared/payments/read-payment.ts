import { inferOperation } from '../http-file/infer-operation';
import type { PreparedRequest } from '../http-file/prepare-request';
import { readJsonTree, textOf, type JsonNode } from '../json/json-tree';
import { isProduct } from './tables/products';

/** What a payment would do, in the words of its body: an amount is its literal, never a converted number. */
export interface PaymentFacts {
  reference: string | null;
  amount: string | null;
  currency: string | null;
  /** Who gets the money or, for a collection, gives it. */
  party: string | null;
  isCollection: boolean;
}

type Party = (body: JsonNode | null) => (string | null)[];

const recipient: Party = (body) => [
  textOf(body, 'recipient', 'name'),
  textOf(body, 'recipient', 'first_name'),
  textOf(body, 'recipient', 'other_names'),
  textOf(body, 'recipient', 'company_name'),
  textOf(body, 'recipient', 'account'),
  textOf(body, 'recipient', 'bank_code'),
];
const payer: Party = (body) => [
  textOf(body, 'customer', 'name'),
  textOf(body, 'customer', 'msisdn'),
  textOf(body, 'customer', 'email'),
];

/**
 * Reads what a request would pay.
 *
 * The address counts beside `# @operation`: a payment under another name moves money all the same.
 * @returns null where the request moves no money
 */
export function readPayment(
  request: Pick<PreparedRequest, 'operation' | 'method' | 'url' | 'body'>,
): PaymentFacts | null {
  const { operation, method, url, body } = request;
  const known = [operation, inferOperation(method, url)].find(isProduct);
  if (known === undefined) return null;
  const tree = body === null ? null : readJsonTree(body);
  const isCollection = known === 'collection';
  const words = (isCollection ? payer : recipient)(tree).filter((word) => word !== null);
  return {
    reference: textOf(tree, 'transaction', 'reference'),
    amount: textOf(tree, 'transaction', 'amount'),
    currency: textOf(tree, 'transaction', 'currency'),
    party: words.length === 0 ? null : words.join(' · '),
    isCollection,
  };
}
