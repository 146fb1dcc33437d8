import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import { readDuration } from '@shared/webhooks/filter/read-moment';
import { quoteFilterText } from '@shared/webhooks/filter/quote-filter-text';
import { defineCommand, type ExitCode } from '../command';
import { openServices, withServices } from '../open-services';
import {
  dataOption,
  describeLine,
  describeWebhook,
  filterNotes,
  filterOption,
  listWebhooks,
} from '../stored-webhooks';
import { usageError } from '../usage-error';

const PAUSE_MS = 60;

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

export const command = defineCommand({
  usage: 'inbox wait --reference R [--status S] [--filter EXPR] [--within 10s] [--data DIR]',
  summary:
    'Wait for a webhook and print it; one that is there already counts. Exit code 3 where none comes in time.',
  notes: ['Somebody else receives: `countersign listen`, or the app, on the same folder.', ...filterNotes],
  options: {
    reference: { type: 'text', placeholder: 'R', help: 'Your reference in its payload' },
    status: { type: 'text', placeholder: 'S', help: 'Status in its payload' },
    filter: { type: 'text', placeholder: 'EXPR', help: filterOption.help },
    within: { type: 'text', placeholder: 'SPAN', help: 'How long, as 500ms, 10s or 2m', fallback: '10s' },
    data: dataOption,
  },
  async run(context, values) {
    const withinMs = readDuration(values.within);
    if (withinMs === null)
      throw usageError(`--within takes a span of time such as 10s, not '${values.within.slice(0, 40)}'.`);
    const query = { limit: 1, search: '', filter: writeFilter(values) };
    const end = performance.now() + withinMs;
    return withServices<ExitCode>(openServices({ data: values.data }), async (services) => {
      for (;;) {
        for await (const { id } of listWebhooks(services, query)) {
          const webhook = await services.router.call('inbox.get', { id, isWhole: true });
          if (context.isJson) context.printJson({ event: 'webhook', ...describeWebhook(webhook) });
          else context.print(describeLine(webhook));
          return 0;
        }
        const left = end - performance.now();
        if (left <= 0) throw new AppError('cli.timed_out', `No such webhook came within ${values.within}.`);
        await wait(Math.min(PAUSE_MS, left));
      }
    });
  },
});
