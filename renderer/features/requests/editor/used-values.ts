import { findBodyRule } from '@shared/payments/check-body';
import { findRule } from '@shared/body/body-place';
import { readBodyForm } from '@shared/body/body-form';
import type { CompletionSources } from '@shared/body/complete-body';
import { isSecretName } from '@shared/secrets';
import { call } from '../../../transport/client';
import { createRecord, ownValue } from '@shared/own-value';

/** So many of the latest calls are looked into, once in so long. */
const MOST_EXCHANGES = 12;
const MOST_VALUES = 8;
const keptMs = 60_000;

/** The field that names a payment which was sent before. */
const paymentNames: Readonly<Record<string, string>> = {
  status: 'transaction_reference',
  send_test: 'client_reference',
};

type Used = CompletionSources['used'];

const known = new Map<string, { at: number; used: Promise<Used> }>();

/** Gives the values that were sent with an operation before, the latest first. */
export function readUsedValues(operation: string): Promise<Used> {
  const kept = known.get(operation);
  if (kept !== undefined && performance.now() - kept.at < keptMs) return kept.used;
  // History that cannot be read takes nothing from what is typed: the tables are offered all the same.
  const used = gather(operation).catch((): Used => ({}));
  known.set(operation, { at: performance.now(), used });
  return used;
}

async function gather(operation: string): Promise<Used> {
  if (findBodyRule(operation) === null) return {};
  const { exchanges } = await call('history.list', { limit: 100 });
  const latest = exchanges.filter((one) => one.operation === operation).slice(0, MOST_EXCHANGES);
  const bodies = await Promise.all(
    latest.map(async ({ id }) => (await call('history.get', { id, isForScreen: true })).request.body),
  );
  const used = createRecord<string[]>();
  const named = ownValue(paymentNames, operation);
  if (named !== undefined) {
    const sent = exchanges.flatMap(({ reference }) => reference ?? []);
    used[named] = [...new Set(sent)].slice(0, MOST_VALUES);
  }
  for (const body of bodies) if (body !== null) addValues(used, operation, body);
  return used;
}

function addValues(used: Record<string, string[]>, operation: string, body: string): void {
  const { fields } = findBodyRule(operation)!;
  for (const { path, kind, value } of readBodyForm(operation, body).rows) {
    const rule = findRule(fields, path);
    if (kind !== 'text' || value === null || value === '' || rule === null) continue;
    // What is drawn anew for each payment is of no use to the next one.
    if (rule.isIdempotencyKey === true || isSecretName(rule.name) || /timestamp/.test(rule.format ?? ''))
      continue;
    const values = (used[path.join('.')] ??= []);
    if (values.length < MOST_VALUES && !values.includes(value)) values.push(value);
  }
}
