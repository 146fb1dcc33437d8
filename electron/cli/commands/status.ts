import { setTimeout as wait } from 'node:timers/promises';
import { products, type Product } from '@shared/payments/tables/products';
import type { Exchange } from '@shared/contract/sending';
import { AppError } from '@shared/errors';
import { defineCommand, type CommandContext } from '../command';
import { requireAnswer } from '../finish-exchange';
import { serviceNotes, serviceOptions, withSession, type Session } from '../session';
import { usageError } from '../usage-error';

const identifiers = {
  reference: 'transaction_reference',
  'payment-uuid': 'payment_uuid',
  'request-uuid': 'request_uuid',
} as const;

interface Found {
  exchange: Exchange;
  /** null: the answer does not tell. */
  isFound: boolean | null;
  state: string | null;
}
interface Identifier {
  by: (typeof identifiers)[keyof typeof identifiers];
  value: string;
}

function readIdentifier(values: Readonly<Record<keyof typeof identifiers, string | undefined>>): Identifier {
  const given = (Object.keys(identifiers) as (keyof typeof identifiers)[]).filter(
    (flag) => values[flag] !== undefined && values[flag] !== '',
  );
  const [flag] = given;
  if (flag === undefined || given.length > 1) {
    throw usageError('Give exactly one of --reference, --payment-uuid and --request-uuid.');
  }
  return { by: identifiers[flag], value: values[flag] ?? '' };
}

/** A payment is seen with its own product's token alone: without --product, each is tried. */
function createQuery(session: Session, wanted: Product | undefined, id: Identifier): () => Promise<Found> {
  let candidates: readonly Product[] = wanted === undefined ? products : [wanted];
  return async () => {
    let missing: Found | null = null;
    let refusal: AppError | null = null;
    for (const product of candidates) {
      try {
        const answer: Found = await session.call('lookups.status', {
          environment: session.environment.id,
          product,
          ...id,
        });
        requireAnswer(answer.exchange);
        if (answer.isFound) candidates = [product];
        if (answer.isFound) return answer;
        // One that does not tell outweighs those that say no.
        if (missing === null || answer.isFound === null) missing = answer;
      } catch (error) {
        // An account need not have every product.
        if (!(error instanceof AppError) || error.code !== 'tokens.refused' || wanted !== undefined)
          throw error;
        refusal = error;
      }
    }
    if (missing === null) throw refusal ?? usageError('No product to ask for.');
    return missing;
  };
}

function printFound(context: CommandContext, { exchange, isFound, state }: Found): void {
  const { response, reading } = requireAnswer(exchange);
  if (context.isJson) {
    context.printJson({ http_status: response.httpStatus, found: isFound, state, body: response.body });
  } else if (isFound) context.print(state ?? 'unknown');
  else context.print(`${isFound === false ? 'not found' : 'not known'}: ${reading.title}`);
}

/** Asks until the state is final; prints each change. */
async function watch(
  context: CommandContext,
  query: () => Promise<Found>,
  limits: { intervalMs: number; forMs: number },
): Promise<0 | 1> {
  const end = performance.now() + limits.forMs;
  let shown: string | null = null;
  for (;;) {
    const found = await query();
    const now = `${found.isFound} ${found.state ?? ''}`;
    if (now !== shown) printFound(context, found);
    shown = now;
    if (found.isFound && found.state !== 'processing') return found.state === 'succeeded' ? 0 : 1;
    if (performance.now() + limits.intervalMs > end) {
      throw new AppError(
        'cli.timed_out',
        `The payment was not final after ${limits.forMs / 1000} s. Wait longer with --watch-ms.`,
      );
    }
    await wait(limits.intervalMs);
  }
}

export const command = defineCommand({
  usage: 'status --reference R | --payment-uuid U | --request-uuid Q [--watch] (--env NAME | --base-url URL)',
  summary: 'Look a payment up; exit code 1 where there is none, 3 where the answer does not tell.',
  notes: [
    '--watch asks until the payment is final: exit code 0 where it succeeded, 1 where not, 3 where time ran out.',
    ...serviceNotes,
  ],
  options: {
    ...serviceOptions,
    reference: { type: 'text', placeholder: 'R', help: 'Your reference' },
    'payment-uuid': { type: 'text', placeholder: 'U', help: 'Payment UUID, numeric text' },
    'request-uuid': { type: 'text', placeholder: 'Q', help: 'Request UUID' },
    product: {
      type: 'text',
      placeholder: 'P',
      help: 'Ask with this token alone; else each is tried',
      choices: products,
    },
    watch: { type: 'flag', help: 'Ask again until the payment is final' },
    'interval-ms': {
      type: 'integer',
      placeholder: 'N',
      help: 'Wait between two questions',
      min: 10,
      fallback: 1000,
    },
    'watch-ms': { type: 'integer', placeholder: 'N', help: 'Longest watch', min: 1, fallback: 120_000 },
  },
  async run(context, values) {
    const id = readIdentifier(values);
    return withSession(context, values, async (session) => {
      const query = createQuery(session, values.product as Product | undefined, id);
      if (values.watch) {
        return watch(context, query, { intervalMs: values['interval-ms'], forMs: values['watch-ms'] });
      }
      const found = await query();
      printFound(context, found);
      return found.isFound === null ? 3 : found.isFound ? 0 : 1;
    });
  },
});
