import { parse, resolve } from 'node:path';
import { AppError } from '@shared/errors';
import { isRecord } from '@shared/json/is-record';
import type { KnownEnvironment } from '@shared/http-file/find-production';
import { findUsualDataDirectory } from '../platform/files/data-directory';
import { followMoves } from '../platform/files/pending-change';
import { readRegularFile } from '../platform/files/regular-file';
import { createNodePorts, type NodePortsOptions } from '../platform/node-ports';
import type { Ports } from '../platform/ports';
import { createServices } from './create-services';

/** Asked for at each request of a run: what is marked meanwhile counts that much later. */
const freshMs = 2000;

/**
 * Makes what tells, to a host that works on no data folder or on another, what is marked as production in the app's own: an
 * address that is named is no less one of production.
 */
export function createOwnProduction(
  options: Pick<NodePortsOptions, 'dataDirectory' | 'version' | 'given'>,
): NonNullable<Ports['listOwnProduction']> {
  let known: { readonly value: Promise<readonly KnownEnvironment[]>; readonly atMs: number } | null = null;
  const told = new Set<string>();
  return (notify) => {
    const tell = (notice: string): void => {
      if (!told.has(notice)) notify(notice);
      told.add(notice);
    };
    const atMs = performance.now();
    if (known === null || atMs - known.atMs > freshMs) {
      known = { value: readOwnProduction({ ...options, onNotice: tell }), atMs };
    }
    return known.value;
  };
}

async function readOwnProduction({
  dataDirectory,
  ...options
}: Pick<NodePortsOptions, 'dataDirectory' | 'version' | 'given'> & {
  onNotice(notice: string): void;
}): Promise<readonly KnownEnvironment[]> {
  const directory = findOwnDirectory();
  if (directory === null || directory === dataDirectory) return [];
  const known = mayHaveProduction(directory);
  if (known === null) {
    options.onNotice(
      `Whether this address is one of production cannot be told: ${resolve(directory, 'settings.json')} is damaged or cannot be read. It was left as it is: open that folder to see what can be done.`,
    );
  }
  if (known !== true) return [];
  const services = createServices(createNodePorts({ ...options, host: 'cli', dataDirectory: directory }));
  try {
    const listed = await services.listProduction();
    // One of the same name in the folder that is worked on is another one.
    return listed.map((one) => (one.id.startsWith('data/') ? { ...one, id: `own/${one.id}` } : one));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    options.onNotice(`Whether this address is one of production cannot be told: ${error.message}`);
    return [];
  } finally {
    await services.close();
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

/**
 * Most folders have none, and a run that keeps nothing opens nothing for that.
 *
 * @returns null: that cannot be told. Whoever opens the folder has its damaged settings put aside, which is not for others to do
 */
function mayHaveProduction(directory: string): boolean | null {
  const file = resolve(directory, 'settings.json');
  const { bytes, fault } = readRegularFile(file, { root: parse(file).root, maxBytes: MOST_SETTINGS_BYTES });
  if (bytes === null) return fault === 'missing' ? false : null;
  try {
    return isRecord(JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')))
      ? bytes.includes('"production"')
      : null;
  } catch {
    return null;
  }
}
