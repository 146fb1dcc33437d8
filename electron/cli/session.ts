import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isShared } from '@shared/contract/environment-id';
import type { MethodOutput } from '@shared/contract/contract';
import type { Environment } from '@shared/contract/environments';
import type { KnownEnvironment } from '@shared/http-file/find-production';
import { AppError } from '@shared/errors';
import { createEnvironmentFinder } from '@shared/http-file/find-environment-with';
import type { VariableAdvice } from '@shared/http-file/foreign-variables';
import type { Given } from '../platform/ports';
import type { Router } from '../services/router';
import { adviseOnVariable } from '../services/running/describe-unresolved';
import type { AskingRequest } from '../services/sending/find-missing-setup';
import type { CommandContext } from './command';
import { listStages } from '../services/imports/import-journal';
import { isInCloud } from '../platform/files/regular-file';
import { openServices, withServices } from './open-services';
import { readSigningKey } from './read-keys';
import { sayFaults } from './say-faults';
import { usageError } from './usage-error';
import { listSome } from '@shared/list-some';

/** Options of every command that talks to a service. */
export const serviceOptions = {
  env: { placeholder: 'NAME', help: 'Environment of the data directory or of the collection' },
  'base-url': { placeholder: 'URL', help: 'Base address of the service, instead of --env' },
  data: { placeholder: 'DIR', help: "Data directory; the app's own where left out" },
  'timeout-ms': {
    type: 'integer',
    help: 'Longest wait for one answer',
    min: 1,
    max: 600_000,
    fallback: 30_000,
  },
} as const;

export const keyOption = {
  placeholder: 'PEM',
  help: "Private key to sign with; the environment's own of the vault where left out",
} as const;

export const serviceNotes = [
  'Credentials come from the vault, or from COUNTERSIGN_CONSUMER_KEY and COUNTERSIGN_CONSUMER_SECRET, or a token from COUNTERSIGN_TOKEN.',
];

interface SessionValues {
  readonly env: string | undefined;
  readonly 'base-url': string | undefined;
  readonly data: string | undefined;
  readonly 'timeout-ms': number;
  readonly key?: string | undefined;
}

/** What a command needs to talk to one service. */
export interface Session {
  readonly environment: Environment;
  readonly call: Router['call'];
}

interface Known {
  /** All environments, and with them what is production in the app's own folder. */
  listAll(): Promise<readonly KnownEnvironment[]>;
  /** What a request asks of the vault and it does not have. */
  findMissingSetUp(request: AskingRequest): Promise<AppError[]>;
  advice: VariableAdvice;
}

/** What the environment of an address on the command line is called. */
export const temporaryName = 'command line';

/**
 * Runs a command that talks to one service.
 *
 * With `--base-url` and no `--data` nothing is kept, and nothing counts but the address and what was given from outside.
 * What is production is known all the same (`listAll`).
 * @param options.collection - folder whose `http-client.env.json` counts; left out: one from here upwards, else the open collection's
 * @param options.mayLackAddress - what is sent may name its whole address itself
 * @throws {AppError} `environments.*`, `keys.*`, `platform.*`, `cli.usage`, `cli.no_data`
 */
export async function withSession<T>(
  context: CommandContext,
  values: SessionValues,
  run: (session: Session & Known) => Promise<T>,
  { collection, mayLackAddress = false }: { collection?: string | undefined; mayLackAddress?: boolean } = {},
): Promise<T> {
  const { env, data, 'base-url': baseUrl } = values;
  if (env !== undefined && baseUrl !== undefined) {
    throw usageError('--env and --base-url exclude each other.');
  }
  const choice = { data, mustExist: isReadFrom(data, baseUrl) };
  const services = openServices(baseUrl !== undefined && data === undefined ? 'none' : choice, {
    signingKey: values.key === undefined ? null : await readSigningKey(context, values.key),
    environment: baseUrl === undefined ? null : { name: temporaryName, baseUrl },
    collectionDirectory: collection ?? findEnvironmentFolder(process.cwd()),
    requestTimeoutMs: values['timeout-ms'],
  });
  return withServices(services, async ({ ports, router: { call } }) => {
    const listed = await call('environments.list', {});
    const environment = chooseEnvironment(listed, baseUrl === undefined ? env : temporaryName, ports.given);
    await sayFaults(context, listed, ports);
    if (!mayLackAddress) requireAddress(environment);
    if (env === undefined && baseUrl === undefined) sayEnvironment(context, environment);
    return run({
      environment,
      call,
      listAll: async () => [...listed.environments, ...(await services.listProduction())],
      findMissingSetUp: async (request) =>
        (await (await services).running()).findMissingSetUp(environment.id, [request]),
      advice: createAdvice(listed, environment, ports.given),
    });
  });
}

/**
 * Tells whether a folder is named for what it holds: one that is not there is a slip of the keyboard. With an address, one may be
 * named for what will be kept.
 */
export const isReadFrom = (data: string | undefined, baseUrl: string | undefined): boolean =>
  data !== undefined && baseUrl === undefined;

/** Of several that have one name: the user's own goes before what a team shares. */
const precedence: readonly Environment['source'][] = ['run', 'data', 'collection', 'builtin'];

/**
 * Takes the environment that is meant, by its own name or as the app shows it; the active one where none is named.
 *
 * Its values have those of the collection's `$shared` behind them, where the run is of a collection.
 * @throws {AppError} `environments.unknown`
 */
export function chooseEnvironment(
  { environments, faults = [], shared = [] }: MethodOutput<'environments.list'>,
  name: string | undefined,
  { collectionDirectory }: Pick<Given, 'collectionDirectory'>,
): Environment {
  const found =
    environments
      .filter((one) => (name === undefined ? one.isActive : one.name === name))
      .sort((a, b) => precedence.indexOf(a.source) - precedence.indexOf(b.source))[0] ??
    environments.find(({ label }) => label === name);
  if (found === undefined) {
    const names = listSome(environments.map(({ label }) => `'${label}'`));
    const unread = faults.map(({ message }) => ` ${message}`).join('');
    throw new AppError(
      'environments.unknown',
      `There is no environment '${name?.slice(0, 80) ?? ''}', but ${names}.${unread}`,
    );
  }
  const { base_url: baseUrl, ...variables } = found.variables;
  const collection = collectionDirectory === null ? undefined : shared[0]?.variables;
  return { ...found, variables: { ...collection, ...variables, ...(baseUrl && { base_url: baseUrl }) } };
}

/** Says how a variable that has no value in an environment is given one: another of the user's, or of the collection, may have it. */
export function createAdvice(
  { environments }: MethodOutput<'environments.list'>,
  chosen: Environment,
  { collectionDirectory }: Pick<Given, 'collectionDirectory'>,
): VariableAdvice {
  const shared = collectionDirectory === null ? undefined : environments.find(({ id }) => isShared(id));
  const place = shared?.id.slice(0, shared.id.indexOf('/')) ?? '';
  // With an address on the command line no environment can be named.
  const offered = chosen.source === 'run' ? [] : environments;
  const findElsewhere = createEnvironmentFinder(chosen, offered, place);
  return {
    adviseOn: (name) => adviseOnVariable(name, findElsewhere(name)),
    isElsewhere: (name) => findElsewhere(name) !== null,
  };
}

/** Says whom a command asks that was told nobody: the active environment, which may be another than one thinks. */
export function sayEnvironment(context: CommandContext, { name, baseUrl }: Environment): void {
  if (!context.isJson) context.say(`Environment: ${name}${baseUrl === '' ? '' : `, ${baseUrl}`}`);
}

const sandboxAdvice = 'start the app (one that was started with --data DIR needs the same --data DIR)';

/** @throws {AppError} `environments.no_address`: nothing can be sent to this environment */
export function requireAddress({ baseUrl, source, name }: Environment, advice = sandboxAdvice): void {
  if (baseUrl !== '') return;
  const ofNamed =
    source === 'data'
      ? `'${name}' has no address yet. Enter it in the app (view Environments).`
      : `'${name}' has no base_url. Add one in http-client.env.json, or name the address with --base-url.`;
  throw new AppError(
    'environments.no_address',
    source === 'builtin'
      ? `The address of the local sandbox is not known here: ${advice}, or name a service with --base-url.`
      : ofNamed,
  );
}

/**
 * Brings an import to its end that was killed while it wrote into a folder or into one above it, before the folder is
 * read. The environments may be among what it had not written yet, so that they cannot lead to it.
 */
export async function finishHalfImports(context: CommandContext, folder: string): Promise<void> {
  const trusted = [folder, findEnvironmentFolder(folder)];
  for (const root of listFoldersAbove(folder)) {
    const stages = listStages(root);
    if (stages.length === 0 || !(trusted.includes(root) || stages.every(isOwn))) continue;
    const { finishImports } = await import('../services/imports/finish-import');
    const what = finishImports(root);
    if (what !== null) context.say(`${root}: ${what}`);
  }
}

/** What somebody else put into a folder above (`/tmp`) is not brought to its end by us. */
function isOwn(path: string): boolean {
  return process.getuid === undefined || lstatSync(path).uid === process.getuid();
}

/** The folder itself first. */
function listFoldersAbove(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

/** Walks up from a folder to the first with an `http-client.env.json`; null without one. */
export function findEnvironmentFolder(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const file = join(at, 'http-client.env.json');
    if (existsSync(file) || isInCloud(file)) return at;
    if (dirname(at) === at) return null;
  }
}
