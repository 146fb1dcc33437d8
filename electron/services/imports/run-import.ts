import { isAbsolute, resolve } from 'node:path';
import type { OpenCollection } from '@shared/contract/collections';
import type { MethodOutput, ParsedInput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import type { ImportNote } from '@shared/import/imported';
import type { WorkerHandle } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import type { ImportJob, ImportPlace, PlannedImport } from './import-job';
import {
  describeCredentials,
  describeHomeless,
  sealCredentials,
  type ImportKeeper,
  type SealedCredentials,
} from './seal-credentials';

const ImportError = errorsOf<'imports'>();

/** Reading takes seconds at the limits of an import; nobody waits for more than this. */
const MOST_PLANNING_MS = 60_000;

export interface ImportsDeps {
  /** Whether there is a data directory, and so a vault. */
  hasVault: boolean;
  startJob(): WorkerHandle<ImportJob>;
  collections(): Promise<readonly OpenCollection[]>;
  /** Says where a new collection of that name is to be in the data directory; nothing is made. */
  placeCollection(name: string): Promise<string>;
  /** Opens one that was just made there; takes the folder away again where it cannot be opened. */
  openMade(directory: string): Promise<OpenCollection>;
  /** Asked only where there are credentials to keep. */
  keeper(): Promise<ImportKeeper>;
  /** The user's own environments that have no address. */
  listHomeless(): Promise<string[]>;
  /** Tells that the files of a collection are others now. */
  announce(collectionId: string): void;
}

/** Two tell already that they differ. */
const mostAddresses = 2;

type RunInput = ParsedInput<'imports.run'>;
type RunOutput = MethodOutput<'imports.run'>;

/**
 * Reads, plans, and writes all of it or nothing.
 *
 * @throws {AppError} `import.*`, `collections.not_open`
 */
export async function runImport(deps: ImportsDeps, input: RunInput): Promise<RunOutput> {
  const job = deps.startJob();
  try {
    await within(job, job.call('read', { source: input.source }));
    return await runInto(deps, job, input, await findPlace(deps, input));
  } finally {
    // Nobody waits for the end of its thread.
    void job.terminate();
  }
}

/** Ends a job that takes too long, or more memory than there is: nothing was written then. */
async function within<T>(job: WorkerHandle<ImportJob>, work: Promise<T>): Promise<T> {
  let isLate = false;
  const timer = setTimeout(() => ((isLate = true), void job.terminate()), MOST_PLANNING_MS);
  try {
    return await work;
  } catch (error) {
    const hasStopped = error instanceof AppError && error.code === 'worker.stopped';
    const isOutOfMemory =
      hasStopped && (error.cause as { code?: string } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!hasStopped || !(isLate || isOutOfMemory)) throw error;
    const why = isLate
      ? `takes more than ${MOST_PLANNING_MS / 1000} seconds`
      : 'takes more memory than there is';
    throw new ImportError(
      'import.too_large',
      `Reading it ${why}. Nothing was imported: import it in parts.`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

interface Place extends Pick<ImportPlace, 'root' | 'isNew'> {
  /** Null: the folder is not open. */
  collectionId: string | null;
}

async function runInto(
  deps: ImportsDeps,
  job: WorkerHandle<ImportJob>,
  input: RunInput,
  place: Place,
): Promise<RunOutput> {
  const { planned, keeper } = await write(deps, job, input, place);
  if (input.isPreview)
    return describe(deps, planned, await describeCredentials(planned.sealed, keeper), null);
  // A collection that is new stands there only with all that belongs into it.
  const collectionId = place.isNew ? (await deps.openMade(place.root!)).id : place.collectionId;
  const sealed = await sealCredentials(planned.sealed, keeper);
  if (collectionId !== null) deps.announce(collectionId);
  return describe(deps, planned, sealed, collectionId);
}

async function write(
  deps: ImportsDeps,
  job: WorkerHandle<ImportJob>,
  { format, isPreview, before }: RunInput,
  { root, isNew }: Place,
): Promise<{ planned: PlannedImport; keeper: ImportKeeper | null }> {
  const planned = await within(job, job.call('plan', { root, isNew, format, isPreview, before }));
  const keeper = planned.sealed.length > 0 && deps.hasVault ? await deps.keeper() : null;
  if (!isPreview) await job.call('commit');
  return { planned, keeper };
}

/** One that waits may be what this import tells the address of: that is for the user to say. An import goes on without the settings. */
async function noteHomeless(deps: ImportsDeps, { environments }: SealedCredentials): Promise<ImportNote[]> {
  try {
    const others = (deps.hasVault ? await deps.listHomeless() : []).filter(
      (one) => !environments.includes(one),
    );
    return others.length === 0 ? [] : [{ where: 'Environments', what: describeHomeless(others) }];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

async function describe(
  deps: ImportsDeps,
  { format, name, counts, files, addresses, notes }: PlannedImport,
  sealed: SealedCredentials,
  collectionId: string | null,
): Promise<RunOutput> {
  return {
    format,
    name,
    ...counts,
    ownEnvironments: sealed.environments,
    files,
    addresses: addresses.slice(0, mostAddresses),
    collectionId,
    notes: [...notes, ...sealed.notes, ...(await noteHomeless(deps, sealed))],
  };
}

async function findPlace(
  { collections, placeCollection }: ImportsDeps,
  { target, isPreview }: RunInput,
): Promise<Place> {
  if (target.kind === 'new') {
    const root = isPreview ? null : await placeCollection(target.name);
    return { root, collectionId: null, isNew: true };
  }
  if (target.kind === 'directory') {
    if (isAbsolute(target.directory) && !target.directory.includes('\0')) {
      return { root: resolve(target.directory), collectionId: null, isNew: false };
    }
    throw new ImportError('import.bad_path', 'Give the whole path of the folder, from the root on.');
  }
  const found = (await collections()).find(({ id }) => id === target.collectionId);
  if (found !== undefined) return { root: found.directory, collectionId: found.id, isNew: false };
  throw new ImportError(
    'collections.not_open',
    'This collection is not open any more. Open its folder again.',
  );
}
