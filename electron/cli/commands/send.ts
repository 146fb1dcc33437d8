import { dirname, resolve } from 'node:path';
import type { Environment } from '@shared/contract/environments';
import type { Exchange } from '@shared/contract/sending';
import { findProductionOf } from '@shared/http-file/find-production';
import { findHeader } from '@shared/find-header';
import { formatDuration } from '@shared/format-duration';
import { isOutcomeUnknown } from '@shared/payments/payment-outcome';
import { readRetryAfterMs } from '@shared/payments/retry-after';
import { isProduct } from '@shared/payments/tables/products';
import { findWhyUnread } from '@shared/payments/unread-answer';
import type { PreparedRequest } from '@shared/http-file/prepare-request';
import { adviseAfter } from '../../platform/http/http-errors';
import { systemClock, systemRandom } from '../../platform/node-ports';
import { defineCommand, type CommandContext, type ExitCode } from '../command';
import { confirmProduction, describeProduction, sayUnmarked, productionOption } from '../confirm-production';
import type { DryRun } from '../dry-run';
import { isGood, requireAnswer } from '../finish-exchange';
import { identifyRequest, listNotes, prepareGiven, readFileBody, readRequestFile } from '../request-file';
import { describeSend, describeSent, refuseUnsendable } from '../send-file';
import {
  findEnvironmentFolder,
  finishHalfImports,
  keyOption,
  requireAddress,
  serviceNotes,
  serviceOptions,
  withSession,
} from '../session';

function printExchange(context: CommandContext, exchange: Exchange, notes: readonly string[]): 0 | 1 {
  const { response, reading, timings, reference } = requireAnswer(exchange);
  if (context.isJson) {
    context.printJson({ ...describeSent(exchange), ...(notes.length > 0 && { notes }) });
  } else {
    context.say(`${response.httpStatus} ${reading.title}, ${Math.round(timings?.totalMs ?? 0)} ms`);
    if (reference !== null) context.say(`reference ${reference}`);
    for (const { field, message } of reading.fieldErrors) context.say(`${field}: ${message}`);
    const more = (reading.fieldErrorCount ?? 0) - reading.fieldErrors.length;
    if (more > 0) context.say(`and ${more} more fields, in the body`);
    const pointed = readPointed(response);
    if (pointed !== null) context.say(`It points to ${pointed}. Nothing was sent there.`);
    if (response.httpStatus === 429) sayWait(context, exchange);
    const whyUnread = findWhyUnread(response);
    if (whyUnread !== null) context.say(`The answer is ${whyUnread}.`);
    if (isProduct(exchange.operation) && isOutcomeUnknown(reading.outcome, null))
      context.say(adviseAfter('payment'));
    context.print(response.body);
  }
  return isGood(reading) ? 0 : 1;
}

type Response = NonNullable<Exchange['response']>;

/** @returns the address that an answer points to; null: to none */
function readPointed({ httpStatus, headers }: Response): string | null {
  if (httpStatus < 300 || httpStatus > 399) return null;
  return findHeader(headers, 'location') || null;
}

function sayWait(context: CommandContext, { response, sentAt, timings }: Exchange): void {
  const waitMs = readRetryAfterMs(response?.headers ?? [], sentAt + (timings?.totalMs ?? 0));
  if (waitMs !== null && waitMs > 0) context.say(`It asks to wait ${formatDuration(waitMs)}.`);
}

export const command = defineCommand({
  usage:
    'send FILE.http (--env NAME | --base-url URL) [--name REQUEST] [--key PEM] [--var NAME=VALUE]… [--production NAME] [--dry-run]',
  summary: 'Sign and send a request file; exit code 1 where the service refuses it.',
  notes: serviceNotes,
  options: {
    ...serviceOptions,
    key: keyOption,
    name: {
      placeholder: 'REQUEST',
      help: "Which one, where the file has several: its name, or 'line 12'",
    },
    var: {
      placeholder: 'NAME=VALUE',
      help: 'Value of a variable, before all others',
      isList: true,
    },
    'callback-url': { placeholder: 'URL', help: 'Value of {{callback_url}}' },
    'allow-host': {
      placeholder: 'HOST',
      help: "Another host than the environment's that may have its token and signature",
      isList: true,
    },
    production: productionOption,
    'dry-run': { type: 'flag', help: 'Print what would be sent, and send nothing' },
  },
  positionals: [{ name: 'FILE', isRequired: true, help: 'Request file (.http), - for standard input' }],
  async run(context, values, [file = '']) {
    if (file !== '-') await finishHalfImports(context, dirname(resolve(file)));
    const { block, folder, place, scripted } = await readRequestFile(context, file, values.name);
    const sources = { now: () => systemClock.now(), random: systemRandom };
    const allowHosts = [...values['allow-host']];
    const isNamed = values.env !== undefined || values['base-url'] !== undefined;
    const prepareFor = async (environment: Environment | null) => {
      const prepared = prepareGiven(block, values, environment, sources);
      return { prepared, fileBody: await readFileBody(prepared, folder), environment, allowHosts };
    };
    if (values['dry-run'] && !isNamed) return printDry(context, await prepareFor(null));
    return withSession(
      context,
      values,
      async ({ environment, call, listAll, findMissingSetUp, advice }): Promise<ExitCode> => {
        const request = await prepareFor(environment);
        if (!/^https?:/i.test(request.prepared.url)) requireAddress(environment);
        if (values['dry-run']) return printDry(context, request);
        await refuseUnsendable(request.prepared, scripted, {
          findMissingSetUp: () => findMissingSetUp(request.prepared),
          advice,
        });
        const notes = sayNotes(context, request.prepared);
        const live = findProductionOf(request.prepared.url, await listAll(), environment);
        if (live === null) sayUnmarked(context, environment);
        else {
          const facts = describeProduction(live, request, request.prepared.name ?? file);
          await confirmProduction(context, facts, values.production);
        }
        const { collections } = await call('collections.list', {});
        const identity = identifyRequest(place, collections);
        const input = { ...describeSend(request, environment, file), identity, production: live?.id };
        return printExchange(context, await call('sending.send', input), notes);
      },
      { collection: findEnvironmentFolder(folder) ?? undefined, mayLackAddress: true },
    );
  },
});

/** Says what the request's file asks for and does not get. @returns the same, for `--json` */
function sayNotes(context: CommandContext, prepared: PreparedRequest): readonly string[] {
  const notes = listNotes(prepared);
  if (!context.isJson) for (const note of notes) context.say(note);
  return notes;
}

async function printDry(context: CommandContext, request: DryRun): Promise<ExitCode> {
  const { printDryRun } = await import('../dry-run');
  return printDryRun(context, request);
}
