import { defineCommand } from '../command';
import { dataOption, describeWebhook, withInbox } from '../stored-webhooks';

export const command = defineCommand({
  usage: 'inbox show ID [--data DIR]',
  summary: 'Show one webhook as it was received: head and body.',
  options: { data: dataOption },
  positionals: [{ name: 'ID', isRequired: true, help: 'As `inbox list` tells it' }],
  async run(context, values, [id = '']) {
    const webhook = await withInbox(values.data, ({ router }) =>
      router.call('inbox.get', { id, isWhole: true }),
    );
    if (context.isJson) {
      context.printJson(describeWebhook(webhook));
      return 0;
    }
    context.print(`${webhook.method} ${webhook.path}`);
    for (const [name, value] of webhook.headers) context.print(`${name}: ${value}`);
    context.print('');
    context.print(webhook.body);
    return 0;
  },
});
