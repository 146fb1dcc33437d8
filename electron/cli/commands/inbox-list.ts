import { webhookTable } from '@shared/contract/webhook-columns';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import { defineCommand } from '../command';
import {
  dataOption,
  describeLine,
  filterNotes,
  filterOption,
  listWebhooks,
  sayRescue,
  storeNotes,
  storeOption,
  withInbox,
} from '../stored-webhooks';

export const command = defineCommand({
  usage: 'inbox list [--limit 100] [--search TEXT] [--filter EXPR] [--data DIR|--store URL]',
  summary: 'List the webhooks kept, newest first.',
  notes: [...filterNotes, ...storeNotes],
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
    filter: filterOption,
    data: dataOption,
    store: storeOption,
  },
  async run(context, values) {
    const { limit, search, filter } = values;
    parseFilter(filter);
    let count = 0;
    await withInbox(values, async (services) => {
      const { notice } = await services.router.call('inbox.list', { limit: 1 });
      sayRescue(context, notice);
      for await (const webhook of listWebhooks(services, { limit, search, filter })) {
        count += 1;
        if (context.isJson) context.printJson({ id: webhook.id, ...webhookTable.jsonOfView(webhook) });
        else context.print(describeLine(webhook));
      }
    });
    if (!context.isJson && count === 0) context.say('No webhooks.');
    return 0;
  },
});
