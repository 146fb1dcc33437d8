import type { WebhookSummary } from '@shared/contract/inbox';
import { webhookTable } from '@shared/contract/webhook-columns';
import { toPlainJson } from '@shared/plain-text';
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

const describeAsJson = (webhook: WebhookSummary): string =>
  toPlainJson({ id: webhook.id, ...webhookTable.jsonOfView(webhook) });

export const command = defineCommand({
  usage: 'inbox list [--limit 100] [--search TEXT] [--filter EXPR] [--data DIR|--store URL]',
  summary: 'List the webhooks kept, newest first.',
  notes: [...filterNotes, ...storeNotes],
  options: {
    limit: {
      type: 'integer',
      help: 'At most so many',
      min: 1,
      max: 100_000,
      fallback: 100,
    },
    search: {
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
      const describe = context.isJson ? describeAsJson : describeLine;
      const listed = listWebhooks(services, { limit, search, filter });
      const countLines = async function* (): AsyncGenerator<string> {
        for await (const webhook of listed) {
          count += 1;
          yield describe(webhook);
        }
      };
      await context.printEach(countLines());
    });
    if (!context.isJson && count === 0) context.say('No webhooks.');
    return 0;
  },
});
