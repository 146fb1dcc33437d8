import type { MethodOutput } from '@shared/contract/contract';
import { nameHost, type KnownEnvironment } from '@shared/http-file/find-production';
import { AppError } from '@shared/errors';
import { isLoopbackName } from '@shared/payments/text-formats';
import { readPayment } from '@shared/payments/read-payment';
import type { CommandContext } from './command';
import type { DryRun } from './dry-run';
import { toPlainLine } from '@shared/plain-text';

/** What is about to go to a production environment, as the app shows it before a run. */
export type ProductionFacts = NonNullable<MethodOutput<'running.plan'>['production']> & {
  /** Of a run: how many payments, and their sum per currency. */
  readonly total?: string;
};

/** Of every command that sends request files. */
export const productionOption = {
  placeholder: 'NAME',
  help: 'Name of the production environment that this may be sent to; asked for at a terminal where left out',
} as const;

/** The message that asks stays on a screen. */
const mostListed = 20;

/** A name that people give to what is live; `non-prod` and `pre-live` are not. */
const soundsLive = /(?:^|[^a-z])(?:prod|prd|production|live)(?:$|[^a-z])/i;
const isNone = /(?:^|[^a-z])(?:non|not|no|pre)(?:$|[^a-z])/i;

/**
 * Says of an environment that is called production and not marked as that, as somebody else's collection brings along, that
 * nothing is asked before it is sent to.
 */
export function sayUnmarked(
  { say }: Pick<CommandContext, 'say'>,
  { name, kind, baseUrl }: KnownEnvironment,
): void {
  if (kind === 'production' || !soundsLive.test(name) || isNone.test(name)) return;
  if (URL.canParse(baseUrl) && isLoopbackName(new URL(baseUrl).hostname)) return;
  say(
    toPlainLine(
      `'${name}' is not marked as production, so nothing asks before something is sent there. Mark it in the app (Environments, Kind).`,
    ),
  );
}

/** Says what one request would do in production. */
export function describeProduction(
  environment: KnownEnvironment,
  { prepared, fileBody }: Pick<DryRun, 'prepared' | 'fileBody'>,
  title: string,
): ProductionFacts {
  const body = fileBody === null ? prepared.body : Buffer.from(fileBody.bytes).toString('utf8');
  const payment = readPayment({ ...prepared, body });
  const { amount, currency, party } = payment ?? {};
  return {
    name: environment.name,
    host: nameHost(prepared.url, environment),
    paymentCount: payment === null ? 0 : 1,
    payments:
      payment === null
        ? []
        : [{ name: title, amount: amount ?? null, currency: currency ?? null, party: party ?? null }],
  };
}

function describePayment({ name, amount, currency, party }: ProductionFacts['payments'][number]): string {
  const money = [currency, amount].filter(Boolean).join(' ') || 'no amount in the body';
  return toPlainLine(`  ${money}, ${party ?? 'nobody is named in the body'} (${name})`);
}

/**
 * Has a person, or the call's own `--production NAME`, say yes to what goes to production.
 *
 * @param given - value of `--production`
 * @throws {AppError} `cli.not_confirmed` where the environment's name was not typed exactly; nothing was sent then
 */
export async function confirmProduction(
  context: Pick<CommandContext, 'say' | 'ask'>,
  { name, host, paymentCount, payments, total }: ProductionFacts,
  given: string | undefined,
): Promise<void> {
  if (given === name) return;
  if (given === undefined) {
    const listed = payments.slice(0, mostListed).map(describePayment);
    const left = paymentCount - listed.length;
    const typed = await context.ask(
      [
        `This goes to ${host} in '${name}', which is production: what it asks for really happens.`,
        ...(total === undefined || paymentCount === 0 ? [] : [toPlainLine(`${total}.`)]),
        ...(paymentCount === 0 ? ['It is no payment that is known.'] : listed),
        ...(left > 0 ? [`  and ${left} more`] : []),
        `Type ${name} to send it: `,
      ].join('\n'),
    );
    if (typed?.trim() === name) return;
  }
  throw new AppError(
    'cli.not_confirmed',
    `'${name}' (${host}) is production: what is sent there really happens. Nothing was sent; to send it, give --production '${name}', or type that name at a terminal.`,
  );
}
