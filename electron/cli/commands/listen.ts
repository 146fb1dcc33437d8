import { resolve } from 'node:path';
import { createListener, type KeptWebhook } from '../../listener/create-listener';
import { prepareDataDirectory } from '../../platform/data-directory';
import { defineCommand, type CommandContext } from '../command';
import { toPlainLine } from '../plain-text';

function printWebhook(context: CommandContext, webhook: KeptWebhook): void {
  const receivedAt = new Date(webhook.receivedAt).toISOString();
  if (!context.isJson) {
    context.print(
      `${receivedAt}  ${webhook.method} ${toPlainLine(webhook.path)}  ${webhook.body.length} bytes  ${webhook.id}`,
    );
    return;
  }
  context.printJson({
    event: 'webhook',
    id: webhook.id,
    received_at: receivedAt,
    method: webhook.method,
    path: webhook.path,
    headers: webhook.headers,
    body_base64: Buffer.from(webhook.body).toString('base64'),
    size_bytes: webhook.body.length,
  });
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
    const listener = await createListener({
      dataDirectory: prepareDataDirectory(values.data === undefined ? null : resolve(values.data)),
      port: values.port,
      rule: { respondStatus: values.respond, delayMs: values['delay-ms'] },
      https: values.https,
      onWebhook: (webhook) => printWebhook(context, webhook),
      onProblem: (problem) => context.say(problem === null ? 'Webhooks are kept again.' : problem.message),
    });
    const ended = context.waitForEnd();
    if (context.isJson) context.printJson({ event: 'ready', url: listener.url });
    else context.print(`Listening at ${listener.url}`);
    await ended;
    await listener.close();
    return 0;
  },
});
