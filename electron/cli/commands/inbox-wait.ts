import { describeExportedWebhook } from '@shared/webhooks/export/webhook-export';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { MethodOutput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import { readDuration } from '@shared/webhooks/filter/read-moment';
import { quoteFilterText } from '@shared/webhooks/filter/quote-filter-text';
import { findUsualDataDirectory } from '../../platform/files/data-directory';
import { findStats } from '../../platform/files/files';
import { describeAbsence } from '../../platform/files/read-faults';
import { defineCommand, type CommandContext, type ExitCode } from '../command';
import type { Services } from '../../services/create-services';
import {
  dataOption,
  describeLine,
  filterNotes,
  filterOption,
  readWebhooks,
  storeNotes,
  storeOption,
  withInbox,
} from '../stored-webhooks';
import { usageError } from '../usage-error';

/** Another process writes to the folder: it is looked at. A team's store tells; without a word it is looked at, too. */
const PAUSE_MS = 60;
const STORE_PAUSE_MS = 2000;

function writeFilter({
  reference,
  status,
  filter,
}: Record<'reference' | 'status' | 'filter', string | undefined>): string {
  const parts = [
    reference === undefined ? null : `reference == ${quoteFilterText(reference)}`,
    status === undefined ? null : `status == ${quoteFilterText(status)}`,
    filter === undefined ? null : `(${filter})`,
  ].filter((part) => part !== null);
  if (parts.length === 0) throw usageError('--reference R is missing, or --status S, or --filter EXPR.');
  // By itself first: brackets around it would move the place of a fault.
  if (filter !== undefined) parseFilter(filter);
  return parts.join(' and ');
}

/**
 * Waits for the folder, which whoever receives may be about to make; it may as well be misspelt, and is not made here.
 *
 * @throws {AppError} `cli.timed_out`
 */
async function waitForFolder(
  context: CommandContext,
  { data, within }: { data: string | undefined; within: string },
  end: number,
): Promise<void> {
  const directory = resolve(data ?? findUsualDataDirectory());
  const isThere = (): boolean => findStats(directory)?.isDirectory() === true;
  if (isThere()) return;
  const what = describeAbsence(directory, 'folder');
  context.say(`${what} so far. It is waited for; name another data directory with --data DIR.`);
  while (!isThere()) {
    const left = end - performance.now();
    if (left <= 0) {
      throw new AppError(
        'cli.timed_out',
        `No such webhook came within ${within}. ${what}: name it with --data DIR.`,
      );
    }
    await wait(Math.min(PAUSE_MS, left));
  }
}

interface Wait {
  /** On the monotonic clock. */
  readonly end: number;
  readonly within: string;
  /** Told when a team's store is lost; null: what fails ends the wait. */
  readonly onTrouble: ((message: string) => void) | null;
}

/**
 * Waits for the first webhook that passes, one that is there already included.
 *
 * After the first look only what came since is looked at: ids follow the order of arrival. A connection that is lost
 * costs nothing but time.
 * @throws {AppError} `cli.timed_out`
 */
async function waitForFirst(
  services: Services,
  query: { limit: number; search: string; filter: string },
  { end, within, onTrouble }: Wait,
): Promise<MethodOutput<'inbox.get'>> {
  const bell = hearArrivals(services);
  let seen: string | null = null;
  let state: 'first' | 'looking' | 'lost' = 'first';
  try {
    for (;;) {
      try {
        const { webhooks } = await services.router.call('inbox.list', { limit: 1 });
        const newest = webhooks[0]?.id ?? null;
        if (newest !== seen)
          for await (const found of readWebhooks(services, query, seen)) if (found !== null) return found;
        [seen, state] = [newest, 'looking'];
      } catch (error) {
        const isLost =
          state !== 'first' && onTrouble !== null && error instanceof AppError && error.retryable;
        if (!isLost) throw error;
        if (state !== 'lost') onTrouble(error.message);
        state = 'lost';
      }
      const left = end - performance.now();
      if (left <= 0) throw new AppError('cli.timed_out', `No such webhook came within ${within}.`);
      await bell.next(Math.min(onTrouble === null ? PAUSE_MS : STORE_PAUSE_MS, left));
    }
  } finally {
    bell.stop();
  }
}

/** Hears of what comes into a team's inbox: what comes during a look rings at the next wait. */
function hearArrivals({ events }: Services): { next(ms: number): Promise<void>; stop(): void } {
  let isRung = false;
  let wake = (): void => undefined;
  const stop = events.subscribe('team.received', () => {
    isRung = true;
    wake();
  });
  return {
    async next(ms) {
      if (!isRung) await Promise.race([wait(ms), new Promise<void>((resolve) => (wake = resolve))]);
      isRung = false;
    },
    stop,
  };
}

export const command = defineCommand({
  usage: 'inbox wait --reference R [--status S] [--filter EXPR] [--within 10s] [--data DIR|--store URL]',
  summary:
    'Wait for a webhook and print it; one that is there already counts. Exit code 3 where none comes in time.',
  notes: [
    'Somebody else receives: `countersign listen`, or the app, on the same folder or store.',
    ...filterNotes,
    ...storeNotes,
  ],
  options: {
    reference: { placeholder: 'R', help: 'Your reference in its payload' },
    status: { placeholder: 'S', help: 'Status in its payload' },
    filter: { placeholder: 'EXPR', help: filterOption.help },
    within: { placeholder: 'SPAN', help: 'How long, as 500ms, 10s or 2m', fallback: '10s' },
    data: dataOption,
    store: storeOption,
  },
  async run(context, values) {
    const withinMs = readDuration(values.within);
    if (withinMs === null)
      throw usageError(`--within takes a span of time such as 10s, not '${values.within.slice(0, 40)}'.`);
    const query = { limit: 1, search: '', filter: writeFilter(values) };
    const end = performance.now() + withinMs;
    if (values.store === undefined) await waitForFolder(context, values, end);
    return withInbox<ExitCode>(values, async (services) => {
      const webhook = await waitForFirst(services, query, {
        end,
        within: values.within,
        onTrouble: values.store === undefined ? null : (message) => context.say(message),
      });
      if (context.isJson) context.printJson({ event: 'webhook', ...describeExportedWebhook(webhook) });
      else context.print(describeLine(webhook));
      return 0;
    });
  },
});
