import { setImmediate as giveWay } from 'node:timers/promises';
import type { MethodOutput } from '@shared/contract/contract';
import type { WebhookSummary } from '@shared/contract/inbox';
import { AppError } from '@shared/errors';
import { filterFields, filterOperators } from '@shared/webhooks/filter/filter-fields';
import type { Given } from '../platform/ports';
import type { Services } from '../services/create-services';
import type { CommandContext } from './command';
import { openServices, withServices } from './open-services';
import { toPlainLine } from '@shared/plain-text';
import { wasRemarked } from './remark';

export const dataOption = {
  placeholder: 'DIR',
  help: "Folder of the inbox; the app's own where left out",
} as const;

export const storeOption = {
  placeholder: 'URL',
  help: "A team's inbox instead: postgres://user@host:port/database",
} as const;

export const storeNotes = [
  "The password of a team's inbox comes from PGPASSWORD or ~/.pgpass, never from the address.",
];

/** Which inbox a command works on. */
export interface InboxChoice {
  readonly data: string | undefined;
  readonly store: string | undefined;
}

export const filterOption = {
  placeholder: 'EXPR',
  help: 'Which ones: all, unread, failed, or such as: status == FAILED and body.amount >= 2000',
  fallback: 'all',
} as const;

export const filterNotes = [
  `EXPR compares a field with a value, by ${filterOperators.join(' ')}; joined by and, or, not and brackets. Text may be quoted.`,
  `Fields: ${Object.keys(filterFields).join(', ')}; values of the body as body.a.b or body./a/b; headers as header.x-name.`,
];

export type WholeWebhook = MethodOutput<'inbox.get'>;

/** As many as a page of the contract may hold. */
const PAGE_SIZE = 500;

/** Says what was saved and lost of an inbox that was damaged, until somebody has taken note. */
export function sayRescue(context: Pick<CommandContext, 'say'>, notice: string | null | undefined): void {
  if (!notice) return;
  if (!wasRemarked(notice)) for (const line of notice.split('\n')) context.say(line);
  context.say('Dismiss this in the inbox of the app, or with: countersign call inbox.dismissNotice');
}

/** Opens the inbox of a data directory, or a team's, for one command. @throws {AppError} `cli.no_data`, `store.*` */
export function withInbox<T>(
  { data, store }: InboxChoice,
  run: (services: Services) => Promise<T>,
  given: Partial<Given> = {},
): Promise<T> {
  const isAlone = store !== undefined && data === undefined;
  const choice = isAlone ? 'none' : { data, mustExist: store === undefined };
  return withServices(openServices(choice, { ...given, inboxStore: store ?? null }), run);
}

/**
 * Gives the webhooks that fit, newest first, page by page.
 *
 * @param downTo - those that came after this one alone; null: all of them
 */
export async function* listWebhooks(
  { router }: Services,
  { limit, ...query }: { limit: number; search: string; filter: string },
  downTo: string | null = null,
): AsyncGenerator<WebhookSummary> {
  let before: string | null = null;
  for (let left = limit; left > 0;) {
    const page: MethodOutput<'inbox.list'> = await router.call('inbox.list', {
      ...query,
      before,
      limit: Math.min(left, PAGE_SIZE),
    });
    yield* downTo === null ? page.webhooks : page.webhooks.filter(({ id }) => id > downTo);
    // Short where much had to be looked at: it goes on all the same.
    left -= page.webhooks.length;
    before = page.nextBefore;
    if (before === null || (downTo !== null && before <= downTo)) return;
    // A page that found nothing was long enough for whatever else is to be done.
    await giveWay();
  }
}

/** One that was deleted meanwhile, or whose day was dropped, is no reason to leave out those that came after it. */
export function passOverGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'inbox.unknown') return null;
  throw error;
}

/** Gives what {@link listWebhooks} finds with head and body; null for one that was deleted since it was found. */
export async function* readWebhooks(
  services: Services,
  ...choice: [query: { limit: number; search: string; filter: string }, downTo?: string | null]
): AsyncGenerator<WholeWebhook | null> {
  for await (const { id } of listWebhooks(services, ...choice)) {
    yield await services.router.call('inbox.get', { id, isWhole: true }).catch(passOverGone);
  }
}

/** Longer than any reference, path or status that somebody gave on purpose. */
const LONGEST_PART = 300;

const shorten = (text: string): string =>
  text.length > LONGEST_PART ? `${text.slice(0, LONGEST_PART).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** One webhook as a line of a list; of what a sender made endless, its beginning. */
export function describeLine({ id, receivedAt, method, path, ...webhook }: WebhookSummary): string {
  const { status, amount, clientReference } = webhook;
  const told = [status, amount, clientReference].flatMap((one) => (one === null ? [] : [shorten(one)]));
  const at = new Date(receivedAt).toISOString();
  return toPlainLine(`${id}  ${at}  ${method} ${shorten(path)}  ${told.join(' ')}`.trimEnd());
}
