import { parseWebUrl } from '@shared/payments/text-formats';
import { createProxy } from '../../services/proxy/create-proxy';
import { ProxyRecorder } from '../../services/proxy/exchange-recorder';
import { openExchangeStore } from '../../services/proxy/exchange-store';
import { describeExchange, type StoredExchange } from '../../services/proxy/stored-exchange';
import { readPublicKey } from '../../sandbox/admission/public-keys';
import { defineCommand, type CommandContext } from '../command';
import { openServices } from '../open-services';
import { toPlainLine } from '../plain-text';
import { readVerifyingKey } from '../read-keys';
import { usageError } from '../usage-error';

export const proxyDataOption = {
  type: 'text',
  placeholder: 'DIR',
  help: "Folder of proxy.db; the app's own where left out",
} as const;

function readTargetUrl(text: string): URL {
  const url = parseWebUrl(text);
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw usageError(
      '--to takes the base address of the service, such as https://host or http://127.0.0.1:4010: no user name, no query.',
    );
  }
  return url;
}

function describeSignature({ signature }: StoredExchange['detail']): string {
  if (signature === null) return '';
  const causes = signature.causes.map(({ code }) => code).join(', ');
  if (signature.valid === true) return '  signature valid';
  if (signature.verdict === null) return signature.valid === null ? '' : '  signature does not verify';
  return `  signature: ${signature.verdict}${causes === '' ? '' : ` (${causes})`}`;
}

function printExchange(context: CommandContext, exchange: StoredExchange): void {
  if (context.isJson) return context.printJson({ event: 'exchange', ...describeExchange(exchange) });
  const { at, method, path, httpStatus, reference, detail } = exchange;
  const problems = detail.fieldProblems.map(({ field, message }) => `\n    ${field} ${message}`).join('');
  const head = `${new Date(at).toISOString()}  ${method} ${toPlainLine(path)}  ${httpStatus ?? 'no answer'}`;
  const rest = `${reference === null ? '' : `  ${toPlainLine(reference)}`}${describeSignature(detail)}`;
  for (const line of `${head}${rest}${problems}`.split('\n')) context.print(toPlainLine(line));
  if (detail.reason !== null) context.say(toPlainLine(detail.reason));
}

export const command = defineCommand({
  usage: 'proxy --to URL [--port 4030] [--public-key PEM]… [--data DIR]',
  summary:
    'Stand between your backend and a service until stopped (Ctrl+C): bytes pass as they are, and each exchange is kept.',
  notes: [
    'Signatures are verified with the keys given; where one does not, or the service answers 401, the doctor says why.',
    'Only the target is ever reached. Secrets are masked in what is kept: proxy export writes it, report judges it.',
    'With --json the first line is {"event":"ready","url"}, then one {"event":"exchange",…} for each exchange once it is durable.',
  ],
  options: {
    to: { type: 'text', placeholder: 'URL', help: 'Base address of the service', isRequired: true },
    port: {
      type: 'integer',
      placeholder: 'N',
      help: 'Port on 127.0.0.1, 0 for any',
      max: 65_535,
      fallback: 4030,
    },
    'public-key': { type: 'text', placeholder: 'PEM', help: 'Public key file of your backend', isList: true },
    data: proxyDataOption,
  },
  async run(context, values) {
    const to = readTargetUrl(values.to);
    const given = await Promise.all(values['public-key'].map((file) => readVerifyingKey(context, file)));
    const directory = openServices({ data: values.data }).ports.dataDirectory!;
    const store = openExchangeStore(directory, (message) => context.say(message));
    const recorder = new ProxyRecorder({
      store,
      keys: given.map(({ publicKeyPem }) => readPublicKey(publicKeyPem)),
      origin: to.origin + to.pathname.replace(/\/+$/, ''),
      secrets: [context.environment['COUNTERSIGN_CONSUMER_SECRET'] ?? ''],
      onStored: (exchange) => printExchange(context, exchange),
      onProblem: (message) => context.say(message),
    });
    try {
      const proxy = await createProxy(to, values.port, (exchange) => recorder.add(exchange));
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
