import { AppError } from '@shared/errors';
import { parseSortableId } from '../../platform/sortable-id';
import { defineCommand } from '../command';
import { dataOption, describeWebhook, openInboxReader } from '../open-inbox-reader';

export const command = defineCommand({
  usage: 'inbox show ID [--data DIR]',
  summary: 'Show one webhook as it was received: head and body.',
  options: { data: dataOption },
  positionals: [{ name: 'ID', isRequired: true, help: 'As `inbox list` tells it' }],
  async run(context, values, [id = '']) {
    const number = parseSortableId(id);
    const webhook = number === null ? null : (openInboxReader(values.data)?.get(number) ?? null);
    if (webhook === null) {
      throw new AppError(
        'inbox.unknown',
        `There is no webhook '${id.slice(0, 80)}'; inbox list tells those there are.`,
      );
    }
    if (context.isJson) {
      context.printJson(describeWebhook(webhook));
      return 0;
    }
    context.print(`${webhook.row.method} ${webhook.row.path}`);
    for (const [name, value] of webhook.headers) context.print(`${name}: ${value}`);
    context.print('');
    context.print(new TextDecoder().decode(webhook.body));
    return 0;
  },
});
