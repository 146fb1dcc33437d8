import { webhookTable } from '@shared/contract/webhook-columns';
import { formatSortableId } from '../../platform/sortable-id';
import { defineCommand } from '../command';
import { toPlainLine } from '../plain-text';
import { dataOption, openInboxReader } from '../open-inbox-reader';

export const command = defineCommand({
  usage: 'inbox list [--limit 100] [--search TEXT] [--filter all|unread|failed] [--data DIR]',
  summary: 'List the webhooks kept, newest first.',
  options: {
    limit: {
      type: 'integer',
      placeholder: 'N',
      help: 'At most so many',
      min: 1,
      max: 100_000,
      fallback: 100,
    },
    search: {
      type: 'text',
      placeholder: 'TEXT',
      mayBeEmpty: true,
      help: 'Only those that hold all these words',
      fallback: '',
    },
    filter: {
      type: 'text',
      placeholder: 'NAME',
      help: 'Which ones',
      choices: ['all', 'unread', 'failed'],
      fallback: 'all',
    },
    data: dataOption,
  },
  async run(context, values) {
    const filter = values.filter as 'all' | 'unread' | 'failed';
    const reader = openInboxReader(values.data);
    const rows =
      reader?.list({ limit: values.limit, before: null, search: values.search, filter }).rows ?? [];
    for (const row of rows) {
      const id = formatSortableId(row.id);
      if (context.isJson) {
        context.printJson({ id, ...webhookTable.json(row) });
      } else {
        const receivedAt = new Date(row.received_at).toISOString();
        const told = [row.status, row.amount, row.client_reference].filter((one) => one !== null).join(' ');
        context.print(toPlainLine(`${id}  ${receivedAt}  ${row.method} ${row.path}  ${told}`.trimEnd()));
      }
    }
    if (!context.isJson && rows.length === 0) context.say('No webhooks.');
    return 0;
  },
});
