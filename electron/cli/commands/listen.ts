import { randomBytes } from 'node:crypto';
import { keepOldHeapSmall } from '../../platform/keep-heap-small';
import { defineCommand, type CommandContext } from '../command';
import { followRules, readRules } from '../follow-rules';
import { forwardNotes, forwardOptions } from '../forward-options';
import { openTunnel, readTunnelChoice, tunnelNotes, tunnelOptions } from '../tunnel-options';
import { createListenerWatch } from '../listener-watch';
import { statusOption, writeStatusUrl } from '../status-option';
import { describeNetwork, networkOptions, readNetwork, type Network } from '../network-options';
import { keepingOptions, openListener, readTarget, storeNotes } from '../open-listener';
import { openServices } from '../open-services';
import { USUAL_BODY_BYTES } from '../../listener/webhook-server';
import { usageError } from '../usage-error';
import { readWebhookKeys, secretOption } from '../webhook-keys';

const MAX_BODY_KIB = USUAL_BODY_BYTES / 1024;
const PATH_VARIABLE = 'COUNTERSIGN_SECRET_PATH';

function chooseSecretPath({ environment, say }: CommandContext, isWanted: boolean): string | null {
  const given = environment[PATH_VARIABLE];
  if (!isWanted) {
    if (given) say(`${PATH_VARIABLE} counts with --secret-path alone: without it every path is taken.`);
    return null;
  }
  if (given === undefined || given === '') return randomBytes(24).toString('base64url');
  if (/^[A-Za-z0-9_-]{16,200}$/.test(given)) return given;
  throw usageError(`${PATH_VARIABLE} takes 16 to 200 letters, digits, - and _.`);
}

function printReady(context: CommandContext, network: Network, url: string, statusUrl: string | null): void {
  const { networkUrls, text } = describeNetwork(network, url);
  if (context.isJson) {
    context.printJson({
      event: 'ready',
      url,
      ...(networkUrls.length === 0 ? {} : { network_urls: networkUrls }),
      ...(statusUrl === null ? {} : { status_url: statusUrl }),
    });
  } else
    context.print(`Listening at ${url}${text}${statusUrl === null ? '' : `; its state at ${statusUrl}`}`);
}

export const command = defineCommand({
  usage:
    'listen [--port 4020] [--host 0.0.0.0] [--data DIR|--store URL] [--respond 200] [--delay-ms 0] [--rules FILE] [--https] [--forward-to URL] ' +
    '[--filter EXPR] [--relay-answer] [--exec CMD] [--backlog] [--tunnel ssh:HOST[:PORT]|cloudflared|ngrok|cmd:COMMAND]',
  summary:
    'Receive webhooks on this machine until it is stopped (Ctrl+C). Each is kept before it is answered.',
  notes: [
    'With --json the first line is {"event":"ready","url"}, then one {"event":"webhook",…} for each webhook that is durable.',
    'A file of rules is followed: a change is in force within a second, a faulty one is told and not taken.',
    `With --secret-path the address ends in a part that nobody guesses; ${PATH_VARIABLE} sets one that stays the same.`,
    ...storeNotes,
    ...forwardNotes,
    ...tunnelNotes,
  ],
  options: {
    port: {
      type: 'integer',
      help: 'Port, 0 for any',
      max: 65_535,
      fallback: 4020,
    },
    ...networkOptions,
    ...statusOption,
    ...keepingOptions,
    respond: {
      type: 'integer',
      help: 'HTTP status to answer',
      min: 200,
      max: 599,
      fallback: 200,
    },
    'delay-ms': {
      type: 'integer',
      help: 'Wait before the answer',
      max: 120_000,
      fallback: 0,
    },
    rules: { placeholder: 'FILE', help: 'Answer by these rules, a JSON file; they go first' },
    secret: secretOption,
    'max-body-kib': {
      type: 'integer',
      help: 'Longest body; of longer ones the beginning is kept, and they are answered 413',
      min: 1,
      max: MAX_BODY_KIB,
      fallback: MAX_BODY_KIB,
    },
    'secret-path': { type: 'flag', help: 'Take only what is sent below a path that nobody can guess' },
    https: { type: 'flag', help: 'Serve HTTPS with a certificate made for this machine' },
    ...forwardOptions,
    ...tunnelOptions,
  },
  async run(context, values) {
    keepOldHeapSmall();
    const network = await readNetwork(context, values, values.https ? '--https' : null);
    const keys = readWebhookKeys(context, values.secret);
    const rules = values.rules === undefined ? null : readRules(values.rules);
    const secretPath = chooseSecretPath(context, values['secret-path']);
    const tunnelChoice = await readTunnelChoice(values);
    const target = await readTarget(context, values);
    const isTeam = values.store !== undefined && values.data === undefined;
    const services = openServices(isTeam ? 'none' : { data: values.data });
    const status = await createListenerWatch(values['status-port']);
    const listener = await openListener(context, { services, target, values, keys, status });
    const { url, remark } = await listener
      .start({
        id: 'main',
        port: values.port,
        host: network.host,
        tls: network.tls,
        alternatives: 0,
        rule: { respondStatus: values.respond, delayMs: values['delay-ms'] },
        rules,
        maxBodyBytes: values['max-body-kib'] * 1024,
        secretPath,
        isHttps: values.https,
        sealingKey: values.https ? await services.readListenerKey() : null,
      })
      .catch(async (error: unknown) => {
        await listener.close();
        throw error;
      });
    const ended = context.waitForEnd();
    if (remark !== null) context.say(remark);
    const watched = (await status?.open(network)) ?? null;
    const statusUrl = writeStatusUrl(network, watched);
    const suffix = secretPath === null ? '' : `/${secretPath}`;
    const address = url + suffix;
    printReady(context, network, address, statusUrl);
    const tunnel =
      tunnelChoice && (await openTunnel(context, tunnelChoice, listener, { address: url, suffix }));
    const stopFollowing =
      values.rules === undefined
        ? () => undefined
        : followRules(context, values.rules, (text) => listener.setRules('main', text));
    await ended;
    status?.leave();
    stopFollowing();
    await tunnel?.stop();
    await listener.finishLines();
    await listener.close();
    await listener.finishLines();
    await watched?.close();
    await services.close();
    return 0;
  },
});
