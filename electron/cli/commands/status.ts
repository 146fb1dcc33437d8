import { setTimeout as wait } from 'node:timers/promises';
import { describeRetry, mayPass, readRetryMs, readTokenRetryMs } from '@shared/lookups/run-lookups';
import { products, type Product } from '@shared/payments/tables/products';
import { isTerminalState } from '@shared/payments/tables/states';
import { AppError } from '@shared/errors';
import { defineCommand, type CommandContext } from '../command';
import { requireAnswer } from '../finish-exchange';
import { createStatusQuery, describeFound, type PaymentIdentifier } from '../query-status';
import { serviceNotes, serviceOptions, withSession } from '../session';
import { usageError } from '../usage-error';
import type { LookupAnswer } from '@shared/lookups/run-lookups';

const identifiers = {
  reference: 'transaction_reference',
  'payment-uuid': 'payment_uuid',
  'request-uuid': 'request_uuid',
} as const;

function readIdentifier(
  values: Readonly<Record<keyof typeof identifiers, string | undefined>>,
): PaymentIdentifier {
  const given = (Object.keys(identifiers) as (keyof typeof identifiers)[]).filter(
    (flag) => values[flag] !== undefined && values[flag] !== '',
  );
  const [flag] = given;
  if (flag === undefined || given.length > 1) {
    throw usageError('Give exactly one of --reference, --payment-uuid, --request-uuid and --list.');
  }
  return { by: identifiers[flag], value: values[flag] ?? '' };
}

function printFound(context: CommandContext, found: LookupAnswer): void {
  const { exchange, isFound, state } = found;
  const { reading } = requireAnswer(exchange);
  if (context.isJson) context.printJson(describeFound(found));
  else if (isFound) context.print(state ?? 'unknown');
  else context.print(`${isFound === false ? 'not found' : 'not known'}: ${reading.title}`);
}

interface Asked {
  readonly found: LookupAnswer | null;
  /** The service has enough of it, and wants to be left alone so long. */
  readonly retryMs: number | null;
  /** Why nobody answered; it may be over by the next question. */
  readonly failure: string | null;
}

async function askOnce(query: () => Promise<LookupAnswer>): Promise<Asked> {
  try {
    const found = await query();
    return { found, retryMs: readRetryMs(found.exchange, Date.now()), failure: null };
  } catch (error) {
    const retryMs = readTokenRetryMs(error, Date.now());
    if (retryMs !== null) return { found: null, retryMs, failure: null };
    if (!mayPass(error)) throw error;
    return { found: null, retryMs, failure: (error as Error).message };
  }
}

/** @param found - what was known last */
function describeTimeOut(found: LookupAnswer | null, asked: Asked, afterMs: number): string {
  const { failure, retryMs } = asked;
  const span = `${Number((afterMs / 1000).toFixed(1))} s`;
  const isLost = found?.isFound === true && asked.found?.isFound === false;
  const why =
    failure ??
    (retryMs === null ? null : `${describeRetry(retryMs)}.`) ??
    (isLost ? 'It was not found.' : null);
  const last = why === null ? '' : ` Last: ${why}`;
  if (found === null && failure !== null) return `The service gave no answer within ${span}.${last}`;
  if (found?.isFound === true) return `The payment was not final after ${span}.${last}`;
  return found?.isFound === false
    ? `No such payment was found within ${span}.${last}`
    : `The service did not tell the payment's state within ${span}.${last}`;
}

/** An answer that does not tell takes nothing back, nor does one that knows no such payment any more. */
const chooseTold = (known: LookupAnswer | null, found: LookupAnswer): LookupAnswer =>
  known !== null && (found.isFound === null || known.isFound === true) && found.isFound !== true
    ? known
    : found;

const GROWTH = 1.5;
const MAX_PAUSE_MS = 30_000;

/** Asks until the state is final, ever less often while nobody answers; prints each change. */
async function watch(
  context: CommandContext,
  query: () => Promise<LookupAnswer>,
  limits: { intervalMs: number; forMs: number },
): Promise<0 | 1> {
  const end = performance.now() + limits.forMs;
  let shown: string | null = null;
  let known: LookupAnswer | null = null;
  let pauseMs = limits.intervalMs;
  for (;;) {
    const asked = await askOnce(query);
    const { found, retryMs, failure } = asked;
    const now = `${found?.isFound} ${found?.state ?? ''}`;
    if (found !== null && now !== shown) printFound(context, found);
    if (found !== null) [shown, known] = [now, chooseTold(known, found)];
    if (found?.isFound && isTerminalState(found.state ?? '')) return found.state === 'succeeded' ? 0 : 1;
    pauseMs = failure === null ? limits.intervalMs : pauseMs;
    const leftMs = end - performance.now();
    // The last question is asked when the time is up, but of a service that wants to be left alone until after that.
    const nextMs = retryMs === null ? Math.min(pauseMs, leftMs) : Math.max(pauseMs, retryMs);
    if (leftMs <= 0 || nextMs > leftMs) {
      const reason = describeTimeOut(known, asked, limits.forMs - Math.max(0, leftMs));
      throw new AppError('cli.timed_out', `${reason} Wait longer with --watch-ms.`);
    }
    if (retryMs !== null) context.say(`${describeRetry(retryMs)}.`);
    if (failure !== null) {
      context.say(`${failure} Asking again in ${Number((nextMs / 1000).toPrecision(2))} s.`);
      pauseMs = Math.max(pauseMs, Math.min(MAX_PAUSE_MS, pauseMs * GROWTH));
    }
    await wait(nextMs);
  }
}

export const command = defineCommand({
  usage:
    'status --reference R | --payment-uuid U | --request-uuid Q | --list FILE [--watch] (--env NAME | --base-url URL)',
  summary: 'Look a payment up; exit code 1 where there is none, 3 where the answer does not tell.',
  notes: [
    '--watch asks until the payment is final, also where the service does not know it yet, does not tell, or is not reached: exit code 0 where it succeeded, 1 where not, 3 where time ran out.',
    '--list takes references, one a line, or CSV with the headings reference, payment_uuid, request_uuid, product; - is standard input.',
    'Of a list each is asked for in turn, no faster than --per-second; exit code 1 where one is not found, 3 where an answer does not tell, 2 where credentials are missing; with --watch 1 where one did not succeed, 3 where one is not final in time.',
    'Ctrl+C ends a list with all that is known of it, and says which payments were not asked; exit code 130 (143 by SIGTERM, 129 as its terminal is closed).',
    ...serviceNotes,
  ],
  options: {
    ...serviceOptions,
    reference: { placeholder: 'R', help: 'Your reference' },
    'payment-uuid': { placeholder: 'U', help: 'Payment UUID, numeric text' },
    'request-uuid': { placeholder: 'Q', help: 'Request UUID' },
    list: { placeholder: 'FILE', help: 'Many payments, one a line or CSV' },
    csv: { type: 'flag', help: 'Of a list: the results as CSV on stdout' },
    'per-second': {
      type: 'integer',
      help: 'Of a list: at most so many queries a second',
      min: 1,
      max: 50,
      fallback: 2,
    },
    product: {
      placeholder: 'P',
      help: 'Ask with this token alone; else each is tried',
      choices: products,
    },
    watch: { type: 'flag', help: 'Ask again until the payment is final' },
    'interval-ms': {
      type: 'integer',
      help: 'Wait between two questions',
      min: 10,
      fallback: 1000,
    },
    'watch-ms': { type: 'integer', help: 'Longest watch', min: 1, fallback: 120_000 },
  },
  async run(context, values) {
    if (values.list !== undefined) {
      const { askList } = await import('../ask-list');
      return askList(context, values, values.list);
    }
    const id = readIdentifier(values);
    return withSession(context, values, async (session) => {
      const query = createStatusQuery(session, values.product as Product | undefined, id);
      if (values.watch) {
        return watch(context, query, { intervalMs: values['interval-ms'], forMs: values['watch-ms'] });
      }
      const found = await query();
      printFound(context, found);
      return found.isFound === null ? 3 : found.isFound ? 0 : 1;
    });
  },
});
