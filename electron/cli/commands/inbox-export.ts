import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import {
  describeExportedWebhook,
  describeHarEntry,
  webhookExportNames,
  writeExportedWebhook,
} from '@shared/webhooks/export/webhook-export';
import type { Services } from '../../services/create-services';
import { defineCommand } from '../command';
import { printArchive } from '../write-har';
import {
  dataOption,
  filterNotes,
  filterOption,
  listWebhooks,
  storeNotes,
  storeOption,
  withInbox,
  type WholeWebhook,
} from '../stored-webhooks';
import { usageError } from '../usage-error';

/** Those that were named, or that pass, whole, newest first. */
async function* readAll(
  services: Services,
  filter: string,
  ids: readonly string[],
): AsyncGenerator<WholeWebhook> {
  if (ids.length > 0) {
    for (const id of ids) yield await services.router.call('inbox.get', { id, isWhole: true });
    return;
  }
  const query = { limit: Number.MAX_SAFE_INTEGER, search: '', filter };
  for await (const { id } of listWebhooks(services, query)) {
    yield await services.router.call('inbox.get', { id, isWhole: true });
  }
}

async function* describeAll(webhooks: AsyncIterable<WholeWebhook>): AsyncGenerator<unknown> {
  for await (const webhook of webhooks) yield describeHarEntry(webhook);
}

export const command = defineCommand({
  usage: 'inbox export [ID…] [--format jsonl|har|curl|http] [--filter EXPR] [--data DIR|--store URL]',
  summary: 'Write webhooks to stdout, newest first, bodies included.',
  notes: [...filterNotes, ...storeNotes],
  options: {
    format: {
      type: 'text',
      placeholder: 'NAME',
      help: 'Form',
      choices: webhookExportNames,
      fallback: 'jsonl',
    },
    filter: filterOption,
    data: dataOption,
    store: storeOption,
  },
  positionals: [{ name: 'ID…', isRequired: false, isList: true, help: 'These alone' }],
  async run(context, values, ids) {
    if (ids.length > 0 && values.filter !== 'all') throw usageError('IDs exclude --filter.');
    parseFilter(values.filter);
    await withInbox(values, async (services) => {
      if (values.format === 'har')
        return printArchive(context, describeAll(readAll(services, values.filter, ids)));
      for await (const webhook of readAll(services, values.filter, ids)) {
        if (values.format === 'jsonl') context.printJson(describeExportedWebhook(webhook));
        else context.print(writeExportedWebhook(values.format === 'curl' ? 'curl' : 'http', webhook));
      }
    });
    return 0;
  },
});
