import { parse, resolve } from 'node:path';
import type { Environment } from '@shared/contract/environments';
import { AppError } from '@shared/errors';
import {
  findDataDirectory,
  findUsualDataDirectory,
  prepareDataDirectory,
} from '../platform/files/data-directory';
import { readGiven } from '../platform/given';
import { createNodePorts } from '../platform/node-ports';
import type { Given } from '../platform/ports';
import { createServices, type Services } from '../services/create-services';
import { readVersion } from './read-version';
import { remark } from './remark';
import { findStats } from '../platform/files/files';
import { followMoves } from '../platform/files/pending-change';
import { describeAbsence } from '../platform/files/read-faults';
import { readRegularFile } from '../platform/files/regular-file';

/** Which folder a command works on. `none`: it keeps nothing. */
export type DataChoice = 'none' | { readonly data: string | undefined; readonly mustExist?: boolean };

/**
 * Opens the services for one command: the same that the app runs, made as far as they are asked for.
 *
 * @param given - what its options gave, besides the secrets of the environment variables
 * @throws {AppError} `cli.no_data`, `platform.unwritable`
 */
export function openServices(choice: DataChoice, given: Partial<Given> = {}): Services {
  const dataDirectory = choice === 'none' ? null : chooseDirectory(choice);
  const all = { ...readGiven(), ...given };
  return createServices(
    createNodePorts({
      host: 'cli',
      dataDirectory,
      version: readVersion(),
      onNotice: remark,
      given: all,
      listOwnProduction: rememberFor(ownFreshMs, () => readOwnProduction(dataDirectory, all)),
    }),
  );
}

/** Asked for at each request of a run: what is marked meanwhile counts that much later. */
const ownFreshMs = 2000;

function rememberFor<T>(freshMs: number, read: () => Promise<T>): () => Promise<T> {
  let known: { readonly value: Promise<T>; readonly atMs: number } | null = null;
  return () => {
    const atMs = performance.now();
    if (known === null || atMs - known.atMs > freshMs) known = { value: read(), atMs };
    return known.value;
  };
}

/** Runs what a command does, and closes the services whatever becomes of it. */
export async function withServices<T>(
  services: Services,
  run: (services: Services) => Promise<T>,
): Promise<T> {
  try {
    return await run(services);
  } finally {
    await services.close();
  }
}

/**
 * Adds to the environments that a command knows what is marked as production in the app's own folder, where it works on none or
 * on another: an address that is named is no less one of production.
 */
export async function addOwnProduction(
  { ports }: Services,
  known: readonly Environment[],
): Promise<readonly Environment[]> {
  return [...known, ...((await ports.listOwnProduction?.()) ?? [])];
}

async function readOwnProduction(
  dataDirectory: string | null,
  { collectionDirectory }: Pick<Given, 'collectionDirectory'>,
): Promise<readonly Environment[]> {
  const directory = findOwnDirectory();
  if (directory === null || directory === dataDirectory || !mayHaveProduction(directory)) return [];
  const own = openServices({ data: directory, mustExist: true }, { collectionDirectory });
  try {
    const { environments } = await withServices(own, async ({ running }) =>
      (await running()).listEnvironments(),
    );
    // One of the same name in the folder that the command works on is another one.
    const named = environments.map((one) => (one.source === 'data' ? { ...one, id: `own/${one.id}` } : one));
    return named.filter(({ kind }) => kind === 'production');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    remark(`Whether this address is one of production cannot be told: ${error.message}`);
    return [];
  }
}

/** Where the app's own folder is now; null: whoever has no home has none. */
function findOwnDirectory(): string | null {
  try {
    return followMoves(findUsualDataDirectory());
  } catch (error) {
    if (error instanceof AppError && error.code === 'platform.no_home') return null;
    throw error;
  }
}

/** Larger ones are for whoever opens the folder to refuse. */
const MOST_SETTINGS_BYTES = 16 * 2 ** 20;

/** Most folders have none, and a run that keeps nothing opens nothing for that. */
function mayHaveProduction(directory: string): boolean {
  const file = resolve(directory, 'settings.json');
  const { bytes, fault } = readRegularFile(file, { root: parse(file).root, maxBytes: MOST_SETTINGS_BYTES });
  return bytes === null ? fault !== 'missing' : bytes.includes('"production"');
}

function chooseDirectory({ data, mustExist = false }: Exclude<DataChoice, 'none'>): string {
  const directory = resolve(data ?? findUsualDataDirectory());
  if (!mustExist) return prepareDataDirectory(directory);
  if (findStats(directory)?.isDirectory()) return findDataDirectory(directory);
  throw new AppError(
    'cli.no_data',
    `${describeAbsence(directory, 'folder')}. Name a data directory that is there.`,
  );
}
