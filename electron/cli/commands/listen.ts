import { join } from 'node:path';
import { webhookTable } from '@shared/contract/webhook-columns';
import type { StoredWebhook } from '../../listener/inbox-log';
import { readCommitted } from '../../listener/open-inbox';
import { readRescueNotice } from '../../platform/database/rescue-database';
import { formatSortableId } from '../../platform/sortable-id';
import { defineCommand, type CommandContext } from '../command';
import { openServices } from '../open-services';
import { sayRescue } from '../stored-webhooks';
import { toPlainLine } from '../plain-text';

function printWebhook(context: CommandContext, webhook: StoredWebhook): void {
  const { row, headers, body } = webhook;
  const id = formatSortableId(row.id);
  if (context.isJson) {
    const bytes = Buffer.from(body).toString('base64');
    context.printJson({ event: 'webhook', id, ...webhookTable.json(row), headers, body_base64: bytes });
    return;
  }
  const receivedAt = new Date(row.received_at).toISOString();
  context.print(`${receivedAt}  ${row.method} ${toPlainLine(row.path)}  ${body.length} bytes  ${id}`);
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
    const services = openServices({ data: values.data });
    let isTold = false;
    const listener = await services.serveListener({
      onCommit: (batch) => batch.ids.forEach((_id, at) => printWebhook(context, readCommitted(batch, at))),
      onRescued(message) {
        isTold = true;
        context.say(message);
      },
      onProblem: (problem) => context.say(problem === null ? 'Webhooks are kept again.' : problem.message),
    });
    if (!isTold && services.ports.dataDirectory !== null) {
      sayRescue(context, readRescueNotice(join(services.ports.dataDirectory, 'inbox.db')));
    }
    const sealingKey = values.https ? await services.readListenerKey() : null;
    const { url, remark } = await listener
      .start({
        id: 'main',
        port: values.port,
        alternatives: 0,
        rule: { respondStatus: values.respond, delayMs: values['delay-ms'] },
        isHttps: values.https,
        sealingKey,
      })
      .catch(async (error: unknown) => {
        await listener.close();
        throw error;
      });
    const ended = context.waitForEnd();
    if (remark !== null) context.say(remark);
    if (context.isJson) context.printJson({ event: 'ready', url });
    else context.print(`Listening at ${url}`);
    await ended;
    await listener.close();
    await services.close();
    return 0;
  },
});
