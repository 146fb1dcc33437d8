import type { Exchange } from '@shared/contract/sending';
import { isImmediate, type Expectation } from '@shared/expect/expectation';
import { judgeBalance, judgeNoWebhook, judgeState, judgeWebhooks } from '@shared/expect/judge-waits';
import { failed, type ExpectationVerdict, type Fill } from '@shared/expect/verdict';
import { assertNever, AppError } from '@shared/errors';
import type { Product } from '@shared/payments/tables/products';
import { isTerminalState } from '@shared/payments/tables/states';
import type { PlacedExpectation } from '@shared/run/read-directives';
import type { ExpectationResult } from '@shared/run/run-result';
import { toResult } from './judge-request';
import { pause } from './limiter';
import type { RunContext } from './run-context';
import type { WebhookClaim } from './webhook-hub';
import { listSome } from '@shared/list-some';

/** A request whose outcome is waited for. */
export interface Waiting {
  readonly exchange: Exchange;
  readonly reference: string | null;
  readonly product: Product | null;
  readonly currency: string | null;
  readonly claim: WebhookClaim;
  /** The wallet before it left; null: nobody asked, or there is no such wallet. */
  readonly balanceBefore: string | null;
  readonly fill: Fill;
}

type WaitingExpectation = Exclude<
  Expectation,
  { kind: 'status' | 'header' | 'body' | 'time' | 'schema' | 'signature' | 'same' }
>;

/** How often a service is asked: at first, how much slower each time, and at the slowest. */
interface Pace {
  readonly firstMs: number;
  readonly factor: number;
  readonly slowestMs: number;
}
const ownMachine: Pace = { firstMs: 250, factor: 1.3, slowestMs: 1000 };
const somebodys: Pace = { firstMs: 1000, factor: 1.5, slowestMs: 5000 };

/** Asks until it is decided or the time is over; null: the run was stopped. */
async function poll(
  context: RunContext,
  windowMs: number,
  look: (isOver: boolean) => Promise<ExpectationVerdict | null>,
): Promise<ExpectationVerdict | null> {
  const { stop, environment } = context.options;
  const { clock } = context.deps.ports;
  const pace = environment.isLoopback ? ownMachine : somebodys;
  const end = clock.monotonicMs() + windowMs;
  for (
    let interval = pace.firstMs;
    !stop.aborted;
    interval = Math.min(interval * pace.factor, pace.slowestMs)
  ) {
    const left = end - clock.monotonicMs();
    const verdict = await context.polls.run(() => look(left <= 0));
    if (verdict !== null) return verdict;
    // The last look is at the end of the window, and never sooner after the one before than the pace allows.
    await pause(Math.max(Math.min(interval, left), pace.firstMs), stop);
  }
  return null;
}

/** Woken so late, this process was stopped (Ctrl+Z, a lid that was closed): what came meanwhile is still to be read. */
const sleptMs = 2000;
const wakeMs = 1000;

async function waitForWebhooks(
  expectation: Extract<Expectation, { kind: 'webhook' | 'no_webhook' }>,
  { claim, fill }: Waiting,
  { options, deps }: RunContext,
): Promise<ExpectationVerdict | null> {
  const { clock } = deps.ports;
  const windowMs = expectation.kind === 'webhook' ? expectation.withinMs : expectation.forMs;
  let end = clock.monotonicMs() + windowMs;
  while (!options.stop.aborted) {
    let left = end - clock.monotonicMs();
    if (left < -sleptMs) [end, left] = [end - left + wakeMs, wakeMs];
    const verdict =
      expectation.kind === 'webhook'
        ? judgeWebhooks(expectation, claim.webhooks, left <= 0, fill)
        : judgeNoWebhook(expectation, claim.webhooks, left <= 0);
    if (verdict !== null) return nameOthers(verdict, claim);
    await claim.whenChanged(left, options.stop);
  }
  return null;
}

/** Says of webhooks that came with the reference of this payment and are another one's why they are not counted. */
function nameOthers(verdict: ExpectationVerdict, { webhooks, otherUuids }: WebhookClaim): ExpectationVerdict {
  const [uuid] = otherUuids;
  if (verdict.isHeld || webhooks.length > 0 || uuid === undefined) return verdict;
  return {
    ...verdict,
    advice: `A webhook came with this reference and the payment_uuid of another payment, ${uuid}: it does not count. Each service has a payment of its own; see which of them calls this address.`,
  };
}

const describeFailure = (error: unknown): string => {
  if (error instanceof AppError) return error.message;
  throw error;
};

function waitForState(
  expectation: Extract<Expectation, { kind: 'state' }>,
  { reference, product, fill }: Waiting,
  context: RunContext,
): Promise<ExpectationVerdict | null> {
  const { deps, options } = context;
  return poll(context, expectation.withinMs, async (isOver) => {
    if (reference === null || product === null) {
      const advice =
        'Give the request a reference and the token of its product: a status query asks by them.';
      return failed('a state', 'a request without a reference', advice);
    }
    const asked = await deps
      .lookUp({ environment: options.environment.id, product, by: 'transaction_reference', value: reference })
      .catch((error: unknown) => ({ state: null, isFound: null, why: describeFailure(error) }));
    const why =
      'why' in asked
        ? asked.why
        : (asked.exchange.reading?.title ?? asked.exchange.error?.message ?? 'unknown');
    if (asked.state !== null && isTerminalState(asked.state)) context.openPayments.delete(reference);
    return judgeState(expectation, { state: asked.state, why }, isOver, fill);
  });
}

function waitForBalance(
  expectation: Extract<Expectation, { kind: 'balance' }>,
  { product, currency, balanceBefore, fill }: Waiting,
  context: RunContext,
): Promise<ExpectationVerdict | null> {
  return poll(context, expectation.withinMs, async (isOver) => {
    if (product === null || currency === null || balanceBefore === null) {
      return failed(
        'a balance',
        'no wallet to look at',
        'Ask it of a payment, in a currency that its product has a wallet of.',
      );
    }
    const now = await readBalance(context, product, currency).catch(() => null);
    if (now === null)
      return isOver ? failed('a balance', 'no answer', 'See whether the service answers at all.') : null;
    const verdict = judgeBalance(expectation, { before: balanceBefore, now, currency }, isOver, fill);
    return verdict === null || verdict.isHeld ? verdict : nameUnsettled(verdict, context);
  });
}

const mostNamed = 3;

/** Says which payments of this run may have moved the balance as well. */
function nameUnsettled(verdict: ExpectationVerdict, { unsettled }: RunContext): ExpectationVerdict {
  if (unsettled.length === 0) return verdict;
  const advice = `Not known to be final when this left, and in the same balance: ${listSome(unsettled, mostNamed)}.`;
  return { ...verdict, advice: `${verdict.advice ?? ''} ${advice}`.trim() };
}

/** Reads what a wallet holds; null: there is none. */
export async function readBalance(
  { deps, options }: RunContext,
  product: Product,
  currency: string,
): Promise<string | null> {
  const { wallets } = await deps.fetchBalances({ environment: options.environment.id, product, currency });
  return wallets.find((wallet) => wallet.currency === currency)?.actualBalance ?? null;
}

function waitFor(
  expectation: WaitingExpectation,
  waiting: Waiting,
  context: RunContext,
): Promise<ExpectationVerdict | null> {
  switch (expectation.kind) {
    case 'webhook':
    case 'no_webhook':
      return waitForWebhooks(expectation, waiting, context);
    case 'state':
      return waitForState(expectation, waiting, context);
    case 'balance':
      return waitForBalance(expectation, waiting, context);
    default:
      return assertNever(expectation);
  }
}

/** Kinds that only a payment which was taken can bring about. */
const needsAcceptance: ReadonlySet<Expectation['kind']> = new Set(['webhook', 'state']);

function findHopeless({ kind }: Expectation, { exchange }: Waiting): ExpectationVerdict | null {
  const { reading, operation } = exchange;
  if (!needsAcceptance.has(kind) || reading === null) return null;
  const isRefused = ['rejected', 'unauthorized', 'rate_limited'].includes(reading.outcome);
  if (!isRefused || operation === 'status' || operation === 'other') return null;
  return failed(
    `a ${kind}`,
    `the service refused the request: ${reading.title}`,
    'Correct the request first: nothing follows a refusal.',
  );
}

/** Waits for all that comes after the answer, each for itself, all at once. */
export function waitForOutcomes(
  placed: readonly PlacedExpectation[],
  waiting: Waiting,
  context: RunContext,
): Promise<ExpectationResult[]> {
  return Promise.all(
    placed
      .filter(({ expectation }) => !isImmediate(expectation))
      .map(async (one) => {
        const expectation = one.expectation as WaitingExpectation;
        return toResult(
          one,
          findHopeless(expectation, waiting) ?? (await waitFor(expectation, waiting, context)),
        );
      }),
  );
}
