import { countOf } from '@shared/count-of';
import { toPlainJson, toPlainText } from '@shared/plain-text';
import { parseFilter } from '@shared/webhooks/filter/parse-filter';
import {
  describeExportedWebhook,
  describeHarEntry,
  webhookExportNames,
  writeExportedWebhook,
} from '@shared/webhooks/export/webhook-export';
import type { Services } from '../../services/create-services';
import { defineCommand, type CommandContext } from '../command';
import { writeArchive } from '../write-har';
import {
  dataOption,
  filterNotes,
  filterOption,
  readWebhooks,
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
  say: CommandContext['say'],
): AsyncGenerator<WholeWebhook> {
  if (ids.length > 0) {
    for (const id of ids) yield await services.router.call('inbox.get', { id, isWhole: true });
    return;
  }
  const query = { limit: Number.MAX_SAFE_INTEGER, search: '', filter };
  let gone = 0;
  for await (const webhook of readWebhooks(services, query)) {
    if (webhook === null) gone++;
    else yield webhook;
  }
  if (gone > 0) say(`${countOf(gone, 'webhook')} left out: deleted while this was written.`);
}

async function* mapEach<T>(
  webhooks: AsyncIterable<WholeWebhook>,
  change: (webhook: WholeWebhook) => T,
): AsyncGenerator<T> {
  for await (const webhook of webhooks) yield change(webhook);
}

/** Forms in which each webhook stands for itself; an archive frames them. */
const writers: Readonly<Record<string, (webhook: WholeWebhook) => string>> = {
  jsonl: (webhook) => toPlainJson(describeExportedWebhook(webhook)),
  curl: (webhook) => writeExportedWebhook('curl', webhook),
  http: (webhook) => writeExportedWebhook('http', webhook, toPlainText),
};

export const command = defineCommand({
  usage: 'inbox export [ID…] [--format jsonl|har|curl|http] [--filter EXPR] [--data DIR|--store URL]',
  summary: 'Write webhooks to stdout, newest first, bodies included.',
  notes: [...filterNotes, ...storeNotes],
  options: {
    format: {
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
      const write = writers[values.format];
      const webhooks = readAll(services, values.filter, ids, context.say);
      await context.printEach(
        write === undefined ? writeArchive(mapEach(webhooks, describeHarEntry)) : mapEach(webhooks, write),
      );
    });
    return 0;
  },
});
