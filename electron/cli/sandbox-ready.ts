import type { StatusServer } from '../platform/http/serve-status';
import type { Sandbox } from '../sandbox/create-sandbox';
import type { createSandboxFigures } from '../sandbox/sandbox-figures';
import type { CommandContext } from './command';
import type { Network } from './network-options';
import { openStatus, writeStatusUrl } from './status-option';

type SandboxFigures = Awaited<ReturnType<typeof createSandboxFigures>>;

/** Loads what counts: only where somebody asked for it. */
export async function loadFigures(): Promise<SandboxFigures> {
  return (await import('../sandbox/sandbox-figures')).createSandboxFigures();
}

/** One who shares the sandbox, as it is told at the start: secrets of those alone who were made just now. */
interface ToldTenant {
  readonly name: string;
  readonly consumer_key: string | null;
  readonly consumer_secret: string | null;
  readonly admin_token: string | null;
  /** Why it is not served. */
  readonly trouble?: string;
}

/** Makes those who are not there yet. @throws {AppError} `sandbox.bad_request`, `sandbox.tenants_full` */
async function makeTenants({ tenants }: Sandbox, names: readonly string[]): Promise<ToldTenant[]> {
  if (names.length === 0) return [];
  const { readTenantWish } = await import('../sandbox/tenants/tenant-wish');
  const told: ToldTenant[] = [];
  for (const name of new Set(names)) {
    const known = tenants.list().find((one) => one.name === name);
    const made = known ? null : await tenants.create(readTenantWish({ name }));
    told.push({
      name,
      consumer_key: made?.consumerKey ?? null,
      consumer_secret: made?.consumerSecret ?? null,
      admin_token: made?.adminToken ?? null,
      ...(known?.trouble ? { trouble: known.trouble } : {}),
    });
  }
  return told;
}

interface Announced {
  readonly sandbox: Sandbox;
  readonly figures: SandboxFigures | null;
  readonly network: Network;
  readonly port: number | undefined;
  /** Tenants that are to be there. */
  readonly names: readonly string[];
  /** The option or variable that gave a secret; null: it was made here. Who gave one has it, and logs keep what is printed. */
  readonly sources: Readonly<Record<'consumerSecret' | 'adminToken', string | null>>;
}

/** Makes the tenants that were named, opens the port of its state, and says how the sandbox is reached. */
export async function announce(context: CommandContext, announced: Announced): Promise<StatusServer | null> {
  const { sandbox, figures, network, port, names, sources } = announced;
  const tenants = await makeTenants(sandbox, names);
  figures?.watch(sandbox);
  const status =
    figures &&
    (await openStatus('sandbox', port, network, {
      findTrouble: () => sandbox.findTrouble(),
      readFigures: figures.readFigures,
    }));
  const statusUrl = writeStatusUrl(network, status);
  if (context.isJson) printJson(context, sandbox, tenants, statusUrl);
  else printText(context, sandbox, { tenants, statusUrl, sources });
  return status;
}

const printJson = (
  context: CommandContext,
  sandbox: Sandbox,
  tenants: readonly ToldTenant[],
  statusUrl: string | null,
): void =>
  context.printJson({
    event: 'ready',
    base_url: sandbox.baseUrl,
    consumer_key: sandbox.consumerKey,
    consumer_secret: sandbox.consumerSecret,
    admin_token: sandbox.adminToken,
    ...(statusUrl === null ? {} : { status_url: statusUrl }),
    ...(tenants.length > 0 ? { tenants } : {}),
  });

function printText(
  context: CommandContext,
  sandbox: Sandbox,
  {
    tenants,
    statusUrl,
    sources,
  }: { tenants: readonly ToldTenant[]; statusUrl: string | null } & Pick<Announced, 'sources'>,
): void {
  const tell = (secret: string, source: string | null): string =>
    source === null ? secret : `the one of ${source}`;
  context.print(`Sandbox at ${sandbox.baseUrl}`);
  context.print(`Consumer key     ${sandbox.consumerKey}`);
  context.print(`Consumer secret  ${tell(sandbox.consumerSecret, sources.consumerSecret)}`);
  context.print(`Admin token      ${tell(sandbox.adminToken, sources.adminToken)}`);
  if (statusUrl !== null) context.print(`Its state at ${statusUrl}`);
  for (const { name, consumer_key: key, consumer_secret: secret, admin_token: token, trouble } of tenants) {
    if (trouble !== undefined) context.print(`Tenant ${name}: not served.`);
    else if (key === null)
      context.print(`Tenant ${name}: there already; its secrets were told when it was made.`);
    else
      context.print(`Tenant ${name}: consumer key ${key}, consumer secret ${secret}, admin token ${token}`);
  }
}
