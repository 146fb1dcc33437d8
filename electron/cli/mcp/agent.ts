import type { Environment } from '@shared/contract/environments';
import { AppError } from '@shared/errors';
import { findProductionOf, type KnownEnvironment } from '@shared/http-file/find-production';
import type { Hide } from '../../platform/mask-message';
import type { Services } from '../../services/create-services';
import type { CommandContext } from '../command';
import { chooseEnvironment, requireAddress, temporaryName } from '../session';

/** What the tools work with, for as long as the server runs. */
export interface Agent {
  readonly context: CommandContext;
  readonly services: Services;
  /** Folder that relative paths begin in. */
  readonly base: string;
  readonly maySend: boolean;
  readonly baseUrl: string | undefined;
  /** As on the command line, for what opens services of its own. */
  readonly serviceArguments: readonly string[];
  /** Hides what is secret now: the vault may have got more since. */
  readHiding(): Promise<Hide>;
}

export interface ToolCall {
  /** Ends it: the client lost patience, or is gone. */
  readonly signal: AbortSignal;
}

/** The folder of inbox, history and sandbox. @throws {AppError} `cli.usage` where there is none */
export function requireDirectory({ services }: Agent): string {
  const { dataDirectory } = services.ports;
  if (dataDirectory !== null) return dataDirectory;
  throw new AppError(
    'cli.no_data',
    'This server was started without a data directory. Start it with --data DIR.',
  );
}

/**
 * Gives the environment that is asked or sent to; never production, whatever was allowed.
 *
 * @throws {AppError} `environments.*`, `mcp.production`
 */
export async function requireEnvironment(agent: Agent): Promise<Environment> {
  const { ports, router } = agent.services;
  const listed = await router.call('environments.list', {});
  const name = agent.baseUrl === undefined ? undefined : temporaryName;
  const chosen = chooseEnvironment(listed, name, ports.given);
  requireAddress(chosen);
  refuseProduction(chosen.baseUrl, await agent.services.listProduction(), chosen);
  return chosen;
}

/** Refuses an address of production. @throws {AppError} `mcp.production` */
export async function requireTestAddress(agent: Agent, url: string): Promise<void> {
  refuseProduction(url, await agent.services.listProduction());
}

/** Refuses production, by its address and as the environment that was chosen. @throws {AppError} `mcp.production` */
export function refuseProduction(url: string, all: readonly KnownEnvironment[], chosen?: Environment): void {
  const live = findProductionOf(url, all, chosen);
  if (live === null) return;
  throw new AppError(
    'mcp.production',
    `'${live.label}' is production, and nothing goes there from this server, with --allow-send neither. Choose a sandbox: --base-url URL, or another environment in the app.`,
  );
}

/** @throws {AppError} `mcp.read_only` */
export function requireSending({ maySend }: Agent): void {
  if (maySend) return;
  throw new AppError(
    'mcp.read_only',
    'This server only reads. Nothing was sent: whoever runs it may start it with --allow-send.',
  );
}
