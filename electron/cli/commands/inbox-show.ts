import type { Replay } from '@shared/contract/inbox';
import { defineCommand } from '../command';
import { dataOption, describeWebhook, withInbox } from '../stored-webhooks';

function describeReplay({ sentAt, httpStatus, elapsedMs, isEdited, isResigned, ...rest }: Replay): object {
  return {
    sent_at: new Date(sentAt).toISOString(),
    http_status: httpStatus,
    elapsed_ms: elapsedMs,
    is_edited: isEdited,
    is_resigned: isResigned,
    ...rest,
  };
}

export const command = defineCommand({
  usage: 'inbox show ID [--data DIR]',
  summary: 'Show one webhook as it was received: head and body.',
  options: { data: dataOption },
  positionals: [{ name: 'ID', isRequired: true, help: 'As `inbox list` tells it' }],
  async run(context, values, [id = '']) {
    const { webhook, replays } = await withInbox(values.data, async ({ router: { call } }) => ({
      webhook: await call('inbox.get', { id, isWhole: true }),
      ...(await call('inbox.replays', { id })),
    }));
    if (context.isJson) {
      context.printJson({ ...describeWebhook(webhook), replays: replays.map(describeReplay) });
      return 0;
    }
    context.print(`${webhook.method} ${webhook.path}`);
    for (const [name, value] of webhook.headers) context.print(`${name}: ${value}`);
    context.print('');
    context.print(webhook.body);
    return 0;
  },
});
