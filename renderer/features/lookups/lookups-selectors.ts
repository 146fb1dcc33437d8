import { localEnvironmentId } from '@shared/contract/environment-id';
import type { Environment } from '@shared/contract/environments';
import type { Product } from '@shared/payments/tables/products';
import type { MethodOutput } from '@shared/contract/contract';
import type { LookupRow } from '@shared/lookups/run-lookups';
import { isTerminalState } from '@shared/payments/tables/states';
import { originOf } from '../../session/environments';

type ExchangeSummary = MethodOutput<'history.list'>['exchanges'][number];
type Result = MethodOutput<'lookups.status'>;

export interface Suggestion {
  reference: string;
  product: Product;
  environment: string;
  title: string;
  sentAt: number;
}

const productOf: Partial<Record<ExchangeSummary['operation'], Product>> = {
  remittance: 'remittance',
  payout: 'payout',
  collection: 'collection',
};

/**
 * References of the payments sent lately, newest first: each once for every environment that it went to.
 *
 * One that is gone cannot be asked: it stands there only where no other one has the reference.
 */
export function suggestReferences(
  exchanges: readonly ExchangeSummary[],
  environments: readonly Pick<Environment, 'id' | 'name'>[],
): Suggestion[] {
  const found = new Map<string, Suggestion & { isThere: boolean }>();
  for (const { reference, operation, environment, title, sentAt } of exchanges) {
    const product = productOf[operation];
    if (reference === null || !product) continue;
    const known = findEnvironment(environment, environments);
    const suggestion = { reference, product, environment: known?.id ?? environment, title, sentAt };
    const id = idOfSuggestion(suggestion);
    if (!found.has(id)) found.set(id, { ...suggestion, isThere: known !== undefined });
  }
  const asked = new Set([...found.values()].filter((one) => one.isThere).map((one) => one.reference));
  const given = new Set<string>();
  return [...found.values()].flatMap(({ isThere, ...suggestion }) => {
    if (!isThere && (asked.has(suggestion.reference) || given.has(suggestion.reference))) return [];
    given.add(suggestion.reference);
    return [suggestion];
  });
}

/** What was sent before environments had ids names its environment. */
export const findEnvironment = <T extends Pick<Environment, 'id' | 'name'>>(
  sentTo: string,
  environments: readonly T[],
): T | undefined =>
  environments.find(({ id }) => id === sentTo) ?? environments.find(({ name }) => name === sentTo);

export const idOfSuggestion = ({ environment, reference }: Suggestion): string =>
  JSON.stringify([environment, reference]);

/** What was sent with a reference to the environment that is chosen, else to another one. */
export function findSuggestion(
  suggestions: readonly Suggestion[],
  reference: string,
  environment: string,
): Suggestion | undefined {
  const own = suggestions.filter((one) => one.reference === reference);
  return own.find((one) => one.environment === environment) ?? own[0];
}

type Place = Pick<Environment, 'id' | 'name' | 'baseUrl'>;

/**
 * The product that a payment was sent as to the service of an environment, by the newest; null: nothing was sent there.
 *
 * A reference is one payment only within one service: another one has a payment of its own with it, of whatever product.
 */
export function findSentProduct(
  exchanges: readonly ExchangeSummary[],
  reference: string,
  environment: Place | undefined,
): Product | null {
  const sent = exchanges.find(
    (one) =>
      one.reference === reference && productOf[one.operation] !== undefined && isSentTo(one, environment),
  );
  return sent === undefined ? null : (productOf[sent.operation] ?? null);
}

/** By the address that it went to, which its environment may have no longer; the embedded sandbox is one, whatever its port. */
function isSentTo(sent: Pick<ExchangeSummary, 'environment' | 'url'>, asked: Place | undefined): boolean {
  if (asked === undefined) return false;
  const isNamed = sent.environment === asked.id || sent.environment === asked.name;
  const [went, goes] = [originOf(sent.url), originOf(asked.baseUrl)];
  if (asked.id === localEnvironmentId || went === null || goes === null) return isNamed;
  return went === goes;
}

/** Rows for what is typed; all of them where it is one of them, or fits none. */
export function listMatching(
  suggestions: readonly Suggestion[],
  typed: string,
): (Suggestion & { id: string })[] {
  const rows = suggestions.map((one) => ({ ...one, id: idOfSuggestion(one) }));
  const text = typed.trim().toLowerCase();
  const matching = rows.filter(({ reference }) => reference.toLowerCase().includes(text));
  return matching.length === 0 || rows.some(({ reference }) => reference === typed) ? rows : matching;
}

/** The head line over an answer, a sentence first. */
export function headlineOf(result: Result): { text: string; tone: 'good' | 'bad' | 'warn' | 'quiet' } {
  if (result.exchange.error) return { text: result.exchange.error.message, tone: 'bad' };
  if (result.isFound === false) return { text: 'The service knows no such payment', tone: 'warn' };
  if (result.isFound === null) {
    const why = result.exchange.reading?.title ?? 'The answer could not be read';
    return { text: `Not known: ${why}`, tone: 'bad' };
  }
  switch (result.state) {
    case 'succeeded':
      return { text: 'The payment succeeded', tone: 'good' };
    case 'failed':
      return { text: 'The payment failed', tone: 'bad' };
    case 'canceled':
      return { text: 'The payment was canceled', tone: 'warn' };
    case 'processing':
      return { text: 'The payment is in progress', tone: 'quiet' };
    default:
      return {
        text: result.state ? `The payment is “${result.state}”` : 'Found, without a state',
        tone: 'warn',
      };
  }
}

const recordFields = [
  'state',
  'transaction_reference',
  'payment_uuid',
  'payment_reference',
  'amount',
  'total_charges',
  'total_amount',
  'time_received',
  'last_updated',
] as const;

/**
 * The status record (interface 2.4) as rows; amounts stay as the service wrote them.
 *
 * Numbers are taken from the text of the answer, since reading them as JavaScript numbers would change them.
 */
export function readRecord(body: string): { field: string; value: string }[] {
  let data: unknown;
  try {
    data = (JSON.parse(body) as { data?: unknown } | null)?.data;
  } catch {
    return [];
  }
  if (typeof data !== 'object' || data === null) return [];
  const record = data as Record<string, unknown>;
  return recordFields
    .filter((field) => record[field] !== undefined && record[field] !== null)
    .map((field) => ({ field, value: literalOf(body, field, record[field]) }));
}

function literalOf(body: string, field: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return JSON.stringify(value);
  const match = new RegExp(`"${field}"\\s*:\\s*(-?[0-9][0-9.eE+-]*)`).exec(body);
  return match?.[1] ?? String(value);
}

/** Of a watch it counts, once each was asked for, how many are final. */
export function describeProgress(
  rows: readonly LookupRow[],
  asked: number,
  { isRunning, isWatched }: { isRunning: boolean; isWatched: boolean },
): string {
  if (rows.length === 0) return 'nothing asked';
  const final = rows.filter(({ state }) => isTerminalState(state ?? '')).length;
  if (isWatched && asked === rows.length && (isRunning || final < rows.length))
    return `${final} of ${rows.length} final, ${isRunning ? 'watching' : 'watch ended'}`;
  const end = asked < rows.length ? ', stopped' : ', done';
  return `${asked} of ${rows.length}${isRunning ? '' : end}`;
}
