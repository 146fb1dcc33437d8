import { createProxy, readOrigin, readTargetUrl } from '../../lens/proxy/create-proxy';
import { ProxyRecorder } from '../../lens/proxy/exchange-recorder';
import { openExchangeStore } from '../../lens/proxy/exchange-store';
import { describeExchange, type StoredExchange } from '../../lens/proxy/stored-exchange';
import { keepOldHeapSmall } from '../../platform/keep-heap-small';
import { readPublicKey } from '../../sandbox/admission/read-public-key';
import { defineCommand, type CommandContext } from '../command';
import { writeExchangeLines } from '../exchange-lines';
import { leaveOutUnread } from '../live-lines';
import { openServices, withServices } from '../open-services';
import { toPlainLine } from '@shared/plain-text';
import { readVerifyingKey } from '../read-keys';
import { usageError } from '../usage-error';

export const proxyDataOption = {
  placeholder: 'DIR',
  help: "Folder of proxy.db; the app's own where left out",
} as const;

function readTo(text: string): URL {
  const url = readTargetUrl(text);
  if (url !== null) return url;
  throw usageError(
    '--to takes the base address of the service, such as https://host or http://127.0.0.1:4010: no user name, no query.',
  );
}

function printExchange(context: CommandContext, exchange: StoredExchange): void {
  if (context.isJson) return context.printJson({ event: 'exchange', ...describeExchange(exchange) });
  for (const line of writeExchangeLines(exchange)) context.print(line);
  if (exchange.detail.reason !== null) context.say(toPlainLine(exchange.detail.reason));
}

export const command = defineCommand({
  usage: 'proxy --to URL [--port 4030] [--public-key PEM]… [--data DIR]',
  summary:
    'Stand between your backend and a service until stopped (Ctrl+C): bytes pass as they are, and each exchange is kept.',
  notes: [
    'Signatures are verified with the keys given; where one does not, or the service answers 401, the doctor says why.',
    'A line is printed once its exchange has ended, is kept, and the doctor has spoken where it was asked; its time is that of its first byte.',
    'Only the target is ever reached. Secrets are masked in what is kept: proxy export writes it, report judges it.',
    'With --json the first line is {"event":"ready","url"}, then one {"event":"exchange",…} for each exchange once it is durable.',
  ],
  options: {
    to: { placeholder: 'URL', help: 'Base address of the service', isRequired: true },
    port: {
      type: 'integer',
      help: 'Port on 127.0.0.1, 0 for any',
      max: 65_535,
      fallback: 4030,
    },
    'public-key': { placeholder: 'PEM', help: 'Public key file of your backend', isList: true },
    data: proxyDataOption,
  },
  async run(context, values) {
    keepOldHeapSmall();
    const to = readTo(values.to);
    const given = await Promise.all(values['public-key'].map((file) => readVerifyingKey(context, file)));
    const keys = given.map(({ publicKeyPem }) => readPublicKey(publicKeyPem));
    const services = openServices({ data: values.data });
    const secrets = await withServices(services, () => services.listSecretsThere(to));
    const store = openExchangeStore(services.ports.dataDirectory!, (message) => context.say(message));
    const live = leaveOutUnread(context);
    const recorder = new ProxyRecorder({
      store,
      keys: () => keys,
      origin: readOrigin(to),
      secrets: () => secrets,
      onStored: (exchange) => printExchange(live, exchange),
      onProblem: (message) => context.say(message),
    });
    try {
      const proxy = await createProxy(to, { port: values.port, alternatives: 0 }, (exchange) =>
        recorder.add(exchange),
      );
      const ended = context.waitForEnd();
      if (context.isJson) context.printJson({ event: 'ready', url: proxy.url });
      else context.print(`Proxy at ${proxy.url}, to ${to.href}`);
      await ended;
      await proxy.close();
      await recorder.close();
    } finally {
      store.close();
    }
    return 0;
  },
});
