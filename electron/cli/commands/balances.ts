import { setTimeout as wait } from 'node:timers/promises';
import type { MethodOutput } from '@shared/contract/contract';
import { toErrorReply } from '@shared/errors';
import { describeBalanceChange } from '@shared/payments/describe-balance-change';
import { describeUnread, markOfLimit, shortOfLimit, type Wallet } from '@shared/payments/read-wallets';
import { products, type Product } from '@shared/payments/tables/products';
import { memberOf, readJsonTree } from '@shared/json/json-tree';
import { defineCommand, type CommandContext, type ExitCode } from '../command';
import { isGood, requireAnswer } from '../finish-exchange';
import { printJsonLine } from '@shared/json/print-json-tree';
import { toPlainLine } from '@shared/plain-text';
import { withSession, serviceNotes, serviceOptions, type Session } from '../session';
import { notThere, usageError } from '../usage-error';

type Read = MethodOutput<'balances.fetch'> & { readonly product: Product };

/** The results stand as received: amounts keep the literals that the service wrote. */
function printResults(context: CommandContext, { product, exchange, wallets }: Read): void {
  const { response } = requireAnswer(exchange);
  const results = memberOf(readJsonTree(response.body), 'results');
  const text = results === null ? 'null' : printJsonLine(results);
  const low = wallets.filter((wallet) => shortOfLimit(wallet) !== null).map(({ currency }) => currency);
  context.print(
    `{"product":"${product}","http_status":${response.httpStatus},"results":${text},"below_limit":${JSON.stringify(low)}}`,
  );
}

function describeLimit(wallet: Wallet): string {
  const mark = markOfLimit(wallet);
  if (mark === null) return '';
  const short = mark === 'at its limit' ? '' : `: ${shortOfLimit(wallet)} short`;
  return `  ${mark} of ${wallet.alertLimit}${short}`;
}

function printWallets(context: CommandContext, read: Read, isAlone: boolean): void {
  const { product, exchange, wallets } = read;
  const { response, reading } = requireAnswer(exchange);
  const before = isAlone ? '' : `${product}  `;
  for (const wallet of wallets) {
    const amounts = `available ${wallet.availableBalance}  actual ${wallet.actualBalance}`;
    context.print(
      toPlainLine(`${before}${wallet.currency}  ${amounts}  ${wallet.status}${describeLimit(wallet)}`),
    );
  }
  const unread = describeUnread(read);
  if (unread !== null) context.say(`${before}${unread}`);
  if (wallets.length === 0) context.say(`${before}${response.httpStatus} ${reading.title}`);
}

interface Asked {
  readonly products: readonly Product[];
  readonly currency: string | undefined;
}

/** Reads each product once. @param isRound - nobody asked for it by hand: it stays out of the history of requests */
async function readOnce(
  context: CommandContext,
  { environment, call }: Session,
  asked: Asked,
  isRound = false,
): Promise<ExitCode> {
  let isWhole = true;
  for (const product of asked.products) {
    const { currency } = asked;
    const input = { environment: environment.id, product, currency, isRound };
    const read = { product, ...(await call('balances.fetch', input)) };
    if (context.isJson) printResults(context, read);
    else printWallets(context, read, asked.products.length === 1);
    isWhole &&= isGood(requireAnswer(read.exchange).reading);
  }
  return isWhole ? 0 : 1;
}

/** Reads them again and again until Ctrl+C; a round that fails is said, and the next one comes all the same. */
async function readEvery(
  context: CommandContext,
  session: Session,
  asked: Asked,
  seconds: number,
): Promise<ExitCode> {
  const ended = context.waitForEnd();
  for (let isRound = false; ; isRound = true) {
    const code = await readOnce(context, session, asked, isRound).catch((error: unknown): ExitCode => {
      context.say(toErrorReply(error).message);
      return 3;
    });
    const timer = new AbortController();
    const isOver = await Promise.race([
      ended.then(() => true),
      wait(seconds * 1000, false, { signal: timer.signal }).catch(() => true),
    ]);
    timer.abort();
    if (isOver) return code;
  }
}

/** Tells what earlier readings said, where it changed; nobody is asked. */
async function printHistory(
  context: CommandContext,
  { environment, call }: Session,
  asked: Asked,
): Promise<ExitCode> {
  const { readings } = await call('balances.readings', { environment: environment.id });
  const currency = asked.currency?.toUpperCase();
  let count = 0;
  for (const { product, at, wallets } of readings) {
    if (!asked.products.includes(product)) continue;
    for (const wallet of wallets) {
      if (currency !== undefined && wallet.currency !== currency) continue;
      count += 1;
      const { availableBalance: available, actualBalance: actual } = wallet;
      const time = new Date(at).toISOString();
      if (context.isJson)
        context.printJson({ product, at: time, currency: wallet.currency, available, actual });
      else
        context.print(
          toPlainLine(`${time}  ${product}  ${wallet.currency}  available ${available}  actual ${actual}`),
        );
    }
  }
  if (count > 0) return 0;
  throw notThere(
    `No reading is kept of ${environment.name}, ${environment.baseUrl}: read the balances first.`,
  );
}

/** Says what a payment did to its wallet, as far as readings show it. */
async function printAround(
  context: CommandContext,
  { environment, call }: Session,
  reference: string,
): Promise<ExitCode> {
  const { around } = await call('balances.around', { reference, environment: environment.id });
  if (around === null)
    throw notThere('This payment names no wallet: its product or its currency is not known.');
  const text = describeBalanceChange(around, (at) => new Date(at).toISOString());
  if (context.isJson) context.printJson({ ...around, text });
  else context.print(text);
  return around.before !== null && around.after !== null ? 0 : 1;
}

export const command = defineCommand({
  usage:
    'balances [--product P] [--currency C] [--every SECONDS | --history | --around REFERENCE] (--env NAME | --base-url URL)',
  summary: 'Show the wallets of one product, or of all; exit code 1 where one has none.',
  notes: [
    'A wallet at or below its alert limit is marked; with --json its currency stands in "below_limit".',
    'Readings are kept in the data directory. --history and --around tell of them and ask nobody; exit code 1 where there is none.',
    ...serviceNotes,
  ],
  options: {
    ...serviceOptions,
    product: {
      placeholder: 'P',
      help: 'Product whose wallets are shown; all of them where left out',
      choices: products,
    },
    currency: { placeholder: 'C', help: 'One currency alone, such as KES' },
    every: {
      type: 'integer',
      placeholder: 'SECONDS',
      help: 'Read them again so often, until Ctrl+C',
      min: 1,
      max: 86_400,
    },
    history: { type: 'flag', help: 'Earlier readings where something changed, oldest first' },
    around: { placeholder: 'REFERENCE', help: 'What this payment did to its wallet' },
  },
  async run(context, values) {
    const { currency, every, history, around } = values;
    if ([every !== undefined, history, around !== undefined].filter(Boolean).length > 1)
      throw usageError('--every, --history and --around exclude each other.');
    if ((history || around !== undefined) && values['base-url'] !== undefined && values.data === undefined)
      throw usageError(
        '--history and --around tell what is kept, and nothing is with --base-url alone: name --data, too.',
      );
    const asked = {
      products: products.filter((product) => values.product === undefined || values.product === product),
      currency,
    };
    return withSession(context, values, (session): Promise<ExitCode> => {
      if (history) return printHistory(context, session, asked);
      if (around !== undefined) return printAround(context, session, around);
      if (every !== undefined) return readEvery(context, session, asked, every);
      return readOnce(context, session, asked);
    });
  },
});
