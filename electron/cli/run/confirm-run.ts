import type { Environment } from '@shared/contract/environments';
import { findProductionOf, nameHost, type KnownEnvironment } from '@shared/http-file/find-production';
import { addDecimals, formatDecimal, parseDecimal, type Decimal } from '@shared/payments/decimal';
import type { foresee } from '@shared/run/find-missing-values';
import { foreseePayments, NOT_KNOWN_YET } from '@shared/run/foresee-payments';
import type { RunPlan } from '@shared/run/plan-run';
import type { DataRow } from '../../services/running/run-context';
import type { CommandContext } from '../command';
import { confirmProduction, type ProductionFacts } from '../confirm-production';
import { listSome } from '@shared/list-some';
import { usageError } from '../usage-error';

/** What a run would send, as far as that is known before it. */
interface PlannedRun {
  readonly plan: RunPlan;
  /** Null: one turn without a row. */
  readonly rows: (() => AsyncIterable<DataRow>) | null;
  readonly iterations: number;
  readonly values: Parameters<typeof foresee>[1];
  readonly environment: Environment;
  readonly all: readonly KnownEnvironment[];
}

interface Counted {
  /** By production environment, in the order in which they are sent to: it may have requests to other hosts. */
  readonly hosts: Map<KnownEnvironment, Set<string>>;
  readonly payments: ProductionFacts['payments'];
  readonly sums: Map<string, Decimal>;
  paymentCount: number;
  /** Payments of which no amount is known yet: it is drawn, or captured. */
  unknownCount: number;
}

const zero = parseDecimal('0')!;
/** The question lists no more. */
const mostKept = 50;

async function* listTurns({ rows, values }: PlannedRun): AsyncGenerator<PlannedRun['values']> {
  if (rows === null) return yield values;
  for await (const row of rows()) {
    const cells = Object.entries(row.values).map(([name, value]) => [`row.${name}`, value] as const);
    yield { ...values, given: { ...Object.fromEntries(cells), ...values.given } };
  }
}

function count(run: PlannedRun, values: PlannedRun['values'], counted: Counted): void {
  for (const { request, prepared, payment } of foreseePayments(run.plan, values)) {
    const live = findProductionOf(prepared.url, run.all, run.environment);
    if (live === null) continue;
    const hosts = counted.hosts.get(live) ?? new Set();
    counted.hosts.set(live, hosts.add(nameHost(prepared.url, live)));
    if (payment === null) continue;
    const { amount, currency } = payment;
    counted.paymentCount += 1;
    if (counted.payments.length < mostKept) {
      counted.payments.push({ name: request.name, ...payment, amount: amount ?? NOT_KNOWN_YET });
    }
    const sum = amount === null || currency === NOT_KNOWN_YET ? null : parseDecimal(amount);
    if (sum === null) counted.unknownCount += 1;
    else {
      const key = currency ?? 'no currency';
      counted.sums.set(key, addDecimals(counted.sums.get(key) ?? zero, sum));
    }
  }
}

/** Writes how many payments a run makes, and their sums. */
function describeTotals(
  { paymentCount, sums, unknownCount }: Counted,
  iterations: number,
): Pick<ProductionFacts, 'paymentCount'> & { total: string } {
  const shown = [...sums].map(([currency, { units, scale }]) => {
    return `${currency} ${formatDecimal({ units: units * BigInt(iterations), scale })}`;
  });
  const unknown = unknownCount * iterations;
  const open = unknown === 0 ? [] : [`${unknown} of an amount that is known only when they leave`];
  const times = paymentCount * iterations;
  return {
    paymentCount: times,
    total: `${times} payment${times === 1 ? '' : 's'}: ${[...shown, ...open].join(', ')}`,
  };
}

/**
 * Has somebody say yes to a run that goes to production: to its host, the number of its payments and their sum per currency.
 *
 * @returns id of the production environment that was said yes to, also where only a captured address leads there
 * @throws {AppError} `cli.not_confirmed`; `cli.usage` where it goes to several production environments
 */
export async function confirmRun(
  context: Pick<CommandContext, 'say' | 'ask'>,
  run: PlannedRun,
  given: string | undefined,
): Promise<string | undefined> {
  const live = run.all.filter(({ kind }) => kind === 'production');
  if (live.length === 0) return undefined;
  const counted: Counted = {
    hosts: new Map(),
    payments: [],
    sums: new Map(),
    paymentCount: 0,
    unknownCount: 0,
  };
  for await (const values of listTurns(run)) count(run, values, counted);
  const [first, second] = counted.hosts;
  if (first === undefined) return live.find(({ name }) => name === given)?.id;
  const [{ id, name }, hosts] = first;
  if (second !== undefined) {
    throw usageError(
      `This run goes to '${name}' and to '${second[0].name}', and both are production. Run their requests one after the other.`,
    );
  }
  const host = listSome([...hosts]);
  const facts = { name, host, payments: counted.payments, ...describeTotals(counted, run.iterations) };
  await confirmProduction(context, facts, given);
  return id;
}
