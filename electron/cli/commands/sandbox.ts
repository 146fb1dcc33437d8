import { keepHeapSmall } from '../../platform/keep-heap-small';
import type { SandboxOptions } from '../../sandbox/sandbox-options';
import { defineCommand, type CommandContext } from '../command';
import type { ScenarioStep } from '../../sandbox/scenario/scenario-file';
import { statusOption } from '../status-option';
import { networkOptions, readNetwork, requireAdminToken } from '../network-options';
import { leaveOutUnread } from '../live-lines';
import { openServices } from '../open-services';
import { readVerifyingKey } from '../read-keys';
import { printRequest } from '../print-request';
import { announce, loadFigures } from '../sandbox-ready';
import { sayFailures } from '../say-failures';

const options = {
  port: {
    type: 'integer',
    help: 'Port, 0 for any',
    max: 65_535,
    fallback: 4010,
  },
  ...networkOptions,
  ...statusOption,
  tenant: {
    placeholder: 'NAME',
    help: 'Somebody who shares it, with credentials, wallets and a log of their own; made where there is none yet',
    isList: true,
  },
  data: { placeholder: 'DIR', help: 'Keep state here; in memory without it' },
  'public-key': { placeholder: 'PEM', help: 'Public key file to register', isList: true },
  'consumer-key': { placeholder: 'K', help: 'Consumer key; made where left out' },
  'consumer-secret': { placeholder: 'S', help: 'Consumer secret; made where left out' },
  'admin-token': { placeholder: 'T', help: 'Token of the admin calls; made where left out' },
  'settle-ms': {
    type: 'integer',
    help: 'Time until a payment settles',
    max: 3_600_000,
    fallback: 1500,
  },
  'rate-limit': {
    type: 'integer',
    help: 'Requests a second before 429; 0: no limit',
    fallback: 0,
  },
  retries: {
    placeholder: 'NAME',
    help: 'Schedule of webhook retries',
    choices: ['standard', 'fast', 'none'],
    fallback: 'standard',
  },
  'allow-callback-host': {
    placeholder: 'HOST',
    help: 'Host besides loopback that may receive webhooks',
    isList: true,
  },
  scenario: {
    placeholder: 'FILE',
    help: 'Play these steps over its clock (resources/sandbox-scenario.schema.json)',
  },
  log: { type: 'flag', help: 'Print a line for each request, refusals with their reason' },
  filter: {
    placeholder: 'EXPR',
    help: "Print those requests alone, as in failed, 'rule == signature' or 'reference == R-1'; with or without --log",
  },
  seed: { placeholder: 'N', help: 'Makes identifiers and faults repeatable' },
} as const;

/** Reads a value that the command line or the environment gives, and which of the two; neither: it is made. */
function readGiven(
  { environment }: CommandContext,
  option: string | undefined,
  name: string,
): { value: string | undefined; source: string | null } {
  if (option !== undefined) return { value: option, source: `--${name}` };
  const variable = `COUNTERSIGN_${name.toUpperCase().replace('-', '_')}`;
  const value = environment[variable] || undefined;
  return { value, source: value === undefined ? null : variable };
}

async function readPublicKeys(context: CommandContext, files: readonly string[]): Promise<string[]> {
  const keys = await Promise.all(files.map((file) => readVerifyingKey(context, file)));
  return keys.map(({ publicKeyPem }) => publicKeyPem);
}

/** Prints requests as they are answered, where that was asked for. @throws {AppError} `inbox.bad_filter`, `cli.usage` */
async function followRequests(
  context: CommandContext,
  { log, filter }: { readonly log: boolean; readonly filter: string | undefined },
): Promise<Pick<SandboxOptions, 'onRequest'>> {
  if (!log && filter === undefined) return {};
  const { readRequestFilter } = await import('../request-filter');
  const isWanted = readRequestFilter(filter ?? 'all');
  const live = leaveOutUnread(context);
  return {
    onRequest(request, tenant) {
      if (isWanted(request, tenant)) printRequest(live, request, tenant);
    },
  };
}

async function readScenario(context: CommandContext, file: string): Promise<ScenarioStep[]> {
  const { decodeText } = await import('../read-input');
  const { parseScenario } = await import('../../sandbox/scenario/scenario-file');
  const bytes = await context.readInput(file, '--scenario', { maxBytes: 16 * 1024 * 1024 });
  return parseScenario(decodeText(bytes, '--scenario'));
}

function printStep(context: CommandContext, step: ScenarioStep, failure: string | null): void {
  const { at_seconds: at, do: done } = step;
  if (context.isJson) context.printJson({ event: 'scenario', at_seconds: at, do: done, failure });
  else context.print(`After ${at} s: ${done}${failure === null ? '' : ` could not be done. ${failure}`}`);
}

export const command = defineCommand({
  usage:
    'sandbox [--port 4010] [--host 0.0.0.0] [--tenant NAME]… [--data DIR] [--public-key PEM]… [--settle-ms 1500] …',
  summary: 'Run the embedded payments service on this machine until it is stopped (Ctrl+C).',
  notes: [
    '--filter takes what filters of webhooks take, of fields reference, path, method, http_status, size, amount, content_type, received_at, age, body.…, header.…; rule is the check that answered, tag the operation or the tenant, failed what was refused.',
    'Secrets may come from COUNTERSIGN_CONSUMER_KEY, COUNTERSIGN_CONSUMER_SECRET and COUNTERSIGN_ADMIN_TOKEN instead.',
    'With --json the first line is {"event":"ready","base_url","consumer_key","consumer_secret","admin_token"}, with --tenant "tenants", too; with --log, too, one {"event":"request",…} a request; with --scenario one {"event":"scenario","at_seconds","do","failure"} a step.',
  ],
  options,
  async run(context, values) {
    keepHeapSmall();
    const consumerSecret = readGiven(context, values['consumer-secret'], 'consumer-secret');
    const givenToken = readGiven(context, values['admin-token'], 'admin-token');
    const adminToken = givenToken.value;
    const network = await readNetwork(context, values);
    requireAdminToken(network, adminToken);
    const steps = values.scenario === undefined ? [] : await readScenario(context, values.scenario);
    const figures = values['status-port'] === undefined ? null : await loadFigures();
    sayFailures((line) => context.say(line));
    const services = openServices(values.data === undefined ? 'none' : { data: values.data });
    const sandbox = await services.serveSandbox({
      port: values.port,
      ...network,
      ...figures?.hooks,
      dataDirectory: services.ports.dataDirectory ?? undefined,
      publicKeys: await readPublicKeys(context, values['public-key']),
      consumerKey: readGiven(context, values['consumer-key'], 'consumer-key').value,
      consumerSecret: consumerSecret.value,
      adminToken,
      onRescued: (message) => context.say(message),
      onTrouble: (message) => context.say(message),
      ...(await followRequests(context, values)),
      seed: values.seed,
      settings: {
        settleMs: values['settle-ms'],
        rateLimit: values['rate-limit'],
        retries: values.retries as NonNullable<SandboxOptions['settings']>['retries'],
        allowedCallbackHosts: [...values['allow-callback-host']],
      },
    });
    const ended = context.waitForEnd();
    const { 'status-port': port, tenant: names } = values;
    const sources = { consumerSecret: consumerSecret.source, adminToken: givenToken.source };
    const announced = { sandbox, figures, network, port, names, sources };
    const status = await announce(context, announced).catch(async (error: unknown) => {
      await sandbox.close();
      throw error;
    });
    if (steps.length > 0) await sandbox.play(steps, (step, failure) => printStep(context, step, failure));
    await ended;
    await sandbox.close();
    await status?.close();
    return 0;
  },
});
