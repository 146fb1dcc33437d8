import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { webhookTable } from '@shared/contract/webhook-columns';
import type { StoredWebhook } from '../../listener/inbox-log';
import { readCommitted } from '../../listener/open-inbox';
import { readRescueNotice } from '../../platform/database/rescue-database';
import { formatSortableId } from '../../platform/sortable-id';
import { defineCommand, type CommandContext } from '../command';
import { followRules, readRules } from '../follow-rules';
import { forwardNotes, forwardOptions, printAttempt, readRoute, tellTrouble } from '../forward-options';
import { openTunnel, readTunnelChoice, tunnelNotes, tunnelOptions } from '../tunnel-options';
import { openServices } from '../open-services';
import type { Retention } from '../../listener/inbox-indexer';
import { USUAL_BODY_BYTES } from '../../listener/webhook-server';
import { sayRescue } from '../stored-webhooks';
import { toPlainLine } from '../plain-text';
import { usageError } from '../usage-error';
import { readWebhookKeys, secretOption } from '../webhook-keys';

const MAX_BODY_KIB = USUAL_BODY_BYTES / 1024;
const PATH_VARIABLE = 'COUNTERSIGN_SECRET_PATH';

function chooseSecretPath(given: string | undefined): string {
  if (given === undefined || given === '') return randomBytes(24).toString('base64url');
  if (/^[A-Za-z0-9_-]{16,200}$/.test(given)) return given;
  throw usageError(`${PATH_VARIABLE} takes 16 to 200 letters, digits, - and _.`);
}

function readRetention(
  values: Readonly<Record<'keep-count' | 'keep-days' | 'keep-mib', number | undefined>>,
): Retention {
  const [days, mib] = [values['keep-days'], values['keep-mib']];
  return {
    count: values['keep-count'] ?? null,
    ageMs: days === undefined ? null : days * 86_400_000,
    sizeBytes: mib === undefined ? null : mib * 1024 * 1024,
  };
}

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
  usage:
    'listen [--port 4020] [--data DIR] [--respond 200] [--delay-ms 0] [--rules FILE] [--https] [--forward-to URL] ' +
    '[--filter EXPR] [--relay-answer] [--exec CMD] [--tunnel ssh:HOST[:PORT]|cloudflared|ngrok|cmd:COMMAND]',
  summary:
    'Receive webhooks on this machine until it is stopped (Ctrl+C). Each is kept before it is answered.',
  notes: [
    'With --json the first line is {"event":"ready","url"}, then one {"event":"webhook",…} for each webhook that is durable.',
    'A file of rules is followed: a change is in force within a second, a faulty one is told and not taken.',
    `With --secret-path the address ends in a part that nobody guesses; ${PATH_VARIABLE} sets one that stays the same.`,
    ...forwardNotes,
    ...tunnelNotes,
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
    rules: { type: 'text', placeholder: 'FILE', help: 'Answer by these rules, a JSON file; they go first' },
    secret: secretOption,
    'max-body-kib': {
      type: 'integer',
      placeholder: 'N',
      help: 'Longest body; of longer ones the beginning is kept, and they are answered 413',
      min: 1,
      max: MAX_BODY_KIB,
      fallback: MAX_BODY_KIB,
    },
    'keep-count': {
      type: 'integer',
      placeholder: 'N',
      help: 'Keep the newest so many; pinned ones stay',
      min: 1,
    },
    'keep-days': {
      type: 'integer',
      placeholder: 'N',
      help: 'Keep those of so many days',
      min: 1,
      max: 36_500,
    },
    'keep-mib': {
      type: 'integer',
      placeholder: 'N',
      help: 'Keep the newest bodies up to so much in all',
      min: 1,
    },
    'secret-path': { type: 'flag', help: 'Take only what is sent below a path that nobody can guess' },
    https: { type: 'flag', help: 'Serve HTTPS with a certificate made for this machine' },
    ...forwardOptions,
    ...tunnelOptions,
  },
  async run(context, values) {
    const keys = readWebhookKeys(context, values.secret);
    const rules = values.rules === undefined ? null : readRules(values.rules);
    const secretPath = values['secret-path'] ? chooseSecretPath(context.environment[PATH_VARIABLE]) : null;
    const route = await readRoute(values);
    const tunnelChoice = await readTunnelChoice(values);
    const services = openServices({ data: values.data });
    let isTold = false;
    const listener = await services.serveListener({
      keys,
      onCommit: (batch) => batch.ids.forEach((_id, at) => printWebhook(context, readCommitted(batch, at))),
      onRescued(message) {
        isTold = true;
        context.say(message);
      },
      onForward: (attempt) => printAttempt(context, attempt),
      onForwarding: tellTrouble(context),
      onProblem: (problem) => context.say(problem === null ? 'Webhooks are kept again.' : problem.message),
    });
    if (!isTold && services.ports.dataDirectory !== null) {
      sayRescue(context, readRescueNotice(join(services.ports.dataDirectory, 'inbox.db')));
    }
    listener.inbox.setRetention(readRetention(values));
    const sealingKey = values.https ? await services.readListenerKey() : null;
    const { url, remark } = await listener.forwarding
      .setRoute(route)
      .then(() =>
        listener.start({
          id: 'main',
          port: values.port,
          alternatives: 0,
          rule: { respondStatus: values.respond, delayMs: values['delay-ms'] },
          rules,
          maxBodyBytes: values['max-body-kib'] * 1024,
          secretPath,
          isHttps: values.https,
          sealingKey,
        }),
      )
      .catch(async (error: unknown) => {
        await listener.close();
        throw error;
      });
    const ended = context.waitForEnd();
    if (remark !== null) context.say(remark);
    const suffix = secretPath === null ? '' : `/${secretPath}`;
    const address = url + suffix;
    if (context.isJson) context.printJson({ event: 'ready', url: address });
    else context.print(`Listening at ${address}`);
    const directory = services.ports.dataDirectory;
    const tunnel =
      tunnelChoice &&
      (await openTunnel(context, tunnelChoice, listener, { address: url, suffix, directory }));
    const stopFollowing =
      values.rules === undefined
        ? () => undefined
        : followRules(context, values.rules, (text) => listener.setRules('main', text));
    await ended;
    stopFollowing();
    await tunnel?.stop();
    await listener.close();
    await services.close();
    return 0;
  },
});
