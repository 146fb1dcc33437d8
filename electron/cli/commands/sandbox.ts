import { keepHeapSmall } from '../../sandbox/keep-heap-small';
import type { SandboxOptions } from '../../sandbox/sandbox-options';
import { defineCommand, type CommandContext } from '../command';
import type { StoredRequest } from '../../sandbox/requests/stored-request';
import { openServices } from '../open-services';
import { toPlainLine } from '../plain-text';
import { readVerifyingKey } from '../read-keys';

const options = {
  port: {
    type: 'integer',
    placeholder: 'N',
    help: 'Port on 127.0.0.1, 0 for any',
    max: 65_535,
    fallback: 4010,
  },
  data: { type: 'text', placeholder: 'DIR', help: 'Keep state here; in memory without it' },
  'public-key': { type: 'text', placeholder: 'PEM', help: 'Public key file to register', isList: true },
  'consumer-key': { type: 'text', placeholder: 'K', help: 'Consumer key; made where left out' },
  'consumer-secret': { type: 'text', placeholder: 'S', help: 'Consumer secret; made where left out' },
  'admin-token': { type: 'text', placeholder: 'T', help: 'Token of the admin calls; made where left out' },
  'settle-ms': {
    type: 'integer',
    placeholder: 'N',
    help: 'Time until a payment settles',
    max: 3_600_000,
    fallback: 1500,
  },
  'rate-limit': {
    type: 'integer',
    placeholder: 'N',
    help: 'Requests a second before 429; 0: no limit',
    fallback: 0,
  },
  retries: {
    type: 'text',
    placeholder: 'NAME',
    help: 'Schedule of webhook retries',
    choices: ['standard', 'fast', 'none'],
    fallback: 'standard',
  },
  'allow-callback-host': {
    type: 'text',
    placeholder: 'HOST',
    help: 'Host besides loopback that may receive webhooks',
    isList: true,
  },
  log: { type: 'flag', help: 'Print a line for each request, refusals with their reason' },
  seed: { type: 'text', placeholder: 'N', help: 'Makes identifiers and faults repeatable' },
} as const;

async function readPublicKeys(context: CommandContext, files: readonly string[]): Promise<string[]> {
  const keys = await Promise.all(files.map((file) => readVerifyingKey(context, file)));
  return keys.map(({ publicKeyPem }) => publicKeyPem);
}

function printRequest(context: CommandContext, request: StoredRequest): void {
  const { id, at, durationMs, method, path, operation, httpStatus, verdict, reference, detail } = request;
  const when = new Date(at).toISOString();
  if (context.isJson) {
    const { reason, fieldErrors, isDropped } = detail;
    const answered = {
      http_status: httpStatus,
      verdict,
      reason,
      field_errors: fieldErrors,
      dropped: isDropped,
    };
    const facts = {
      id,
      at: when,
      duration_ms: Math.round(durationMs * 1000) / 1000,
      method,
      path,
      operation,
      reference,
    };
    context.printJson({ event: 'request', ...facts, ...answered });
    return;
  }
  const fields = detail.fieldErrors.map(({ field, message }) => `${field} ${message}`).join('; ');
  const why = [detail.reason, fields].filter(Boolean).join(': ');
  const parts = [when, `${method} ${path}`, httpStatus, verdict, reference, why];
  context.print(toPlainLine(parts.filter((part) => part !== null && part !== '').join('  ')));
}

export const command = defineCommand({
  usage: 'sandbox [--port 4010] [--data DIR] [--public-key PEM]… [--settle-ms 1500] …',
  summary: 'Run the embedded payments service on this machine until it is stopped (Ctrl+C).',
  notes: [
    'Secrets may come from COUNTERSIGN_CONSUMER_KEY, COUNTERSIGN_CONSUMER_SECRET and COUNTERSIGN_ADMIN_TOKEN instead.',
    'With --json the first line is {"event":"ready","base_url","consumer_key","consumer_secret","admin_token"}; with --log, too, one {"event":"request",…} a request.',
  ],
  options,
  async run(context, values) {
    keepHeapSmall();
    const { environment } = context;
    const services = openServices(values.data === undefined ? 'none' : { data: values.data });
    const sandbox = await services.serveSandbox({
      port: values.port,
      dataDirectory: services.ports.dataDirectory ?? undefined,
      publicKeys: await readPublicKeys(context, values['public-key']),
      consumerKey: values['consumer-key'] ?? (environment['COUNTERSIGN_CONSUMER_KEY'] || undefined),
      consumerSecret: values['consumer-secret'] ?? (environment['COUNTERSIGN_CONSUMER_SECRET'] || undefined),
      adminToken: values['admin-token'] ?? (environment['COUNTERSIGN_ADMIN_TOKEN'] || undefined),
      onRescued: (message) => context.say(message),
      ...(values.log ? { onRequest: (request) => printRequest(context, request) } : {}),
      seed: values.seed,
      settings: {
        settleMs: values['settle-ms'],
        rateLimit: values['rate-limit'],
        retries: values.retries as NonNullable<SandboxOptions['settings']>['retries'],
        allowedCallbackHosts: [...values['allow-callback-host']],
      },
    });
    const ended = context.waitForEnd();
    if (context.isJson) {
      context.printJson({
        event: 'ready',
        base_url: sandbox.baseUrl,
        consumer_key: sandbox.consumerKey,
        consumer_secret: sandbox.consumerSecret,
        admin_token: sandbox.adminToken,
      });
    } else {
      context.print(`Sandbox at ${sandbox.baseUrl}`);
      context.print(`Consumer key     ${sandbox.consumerKey}`);
      context.print(`Consumer secret  ${sandbox.consumerSecret}`);
      context.print(`Admin token      ${sandbox.adminToken}`);
    }
    await ended;
    await sandbox.close();
    return 0;
  },
});
