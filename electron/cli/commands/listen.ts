import { join, resolve } from 'node:path';
import { createListener } from '../../listener/create-listener';
import type { StoredWebhook } from '../../listener/inbox-log';
import { readCommitted } from '../../listener/open-inbox';
import { prepareDataDirectory } from '../../platform/data-directory';
import { formatSortableId } from '../../platform/sortable-id';
import { defineCommand, type CommandContext } from '../command';
import { describeWebhook } from '../open-inbox-reader';
import { toPlainLine } from '../plain-text';

function printWebhook(context: CommandContext, webhook: StoredWebhook): void {
  if (context.isJson) return context.printJson({ event: 'webhook', ...describeWebhook(webhook) });
  const { row, body } = webhook;
  const receivedAt = new Date(row.received_at).toISOString();
  context.print(
    `${receivedAt}  ${row.method} ${toPlainLine(row.path)}  ${body.length} bytes  ${formatSortableId(row.id)}`,
  );
}

export const command = defineCommand({
  usage: 'listen [--port 4020] [--data DIR] [--respond 200] [--delay-ms 0] [--https]',
  summary:
    'Receive webhooks on this machine until it is stopped (Ctrl+C). Each is kept before it is answered.',
  notes: [
    'With --json the first line is {"event":"ready","url"}, then one {"event":"webhook",…} for each webhook that is durable.',
  ],
  options: {
    port: {
      type: 'integer',
      placeholder: 'N',
      help: 'Port on 127.0.0.1, 0 for any',
      max: 65_535,
      fallback: 4020,
    },
    data: { type: 'text', placeholder: 'DIR', help: "Folder of the inbox; the app's own where left out" },
    respond: {
      type: 'integer',
      placeholder: 'N',
      help: 'HTTP status to answer',
      min: 200,
      max: 599,
      fallback: 200,
    },
    'delay-ms': {
      type: 'integer',
      placeholder: 'N',
      help: 'Wait before the answer',
      max: 120_000,
      fallback: 0,
    },
    https: { type: 'flag', help: 'Serve HTTPS with a certificate made for this machine' },
  },
  async run(context, values) {
    const directory = prepareDataDirectory(values.data === undefined ? null : resolve(values.data));
    const listener = createListener({
      file: join(directory, 'inbox.db'),
      onCommit: (batch) => batch.ids.forEach((_id, at) => printWebhook(context, readCommitted(batch, at))),
      onRescued: (message) => context.say(message),
      onProblem: (problem) => context.say(problem === null ? 'Webhooks are kept again.' : problem.message),
    });
    const { url } = await listener
      .start({
        id: 'main',
        port: values.port,
        alternatives: 0,
        rule: { respondStatus: values.respond, delayMs: values['delay-ms'] },
        isHttps: values.https,
      })
      .catch(async (error: unknown) => {
        await listener.close();
        throw error;
      });
    const ended = context.waitForEnd();
    if (context.isJson) context.printJson({ event: 'ready', url });
    else context.print(`Listening at ${url}`);
    await ended;
    await listener.close();
    return 0;
  },
});
