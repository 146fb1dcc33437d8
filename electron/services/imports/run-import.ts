import { isAbsolute, resolve } from 'node:path';
import type { OpenCollection } from '@shared/contract/collections';
import type { MethodOutput, ParsedInput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import type { WorkerHandle } from '../../platform/ports';
import type { EnvironmentsService } from '../environments/create-environments-service';
import { errorsOf } from '../errors-of';
import type { ImportJob, ImportPlace, PlannedImport } from './import-job';
import { describeCredentials, sealCredentials, type SealedCredentials } from './seal-credentials';

const ImportError = errorsOf<'imports'>();

/** Reading takes seconds at the limits of an import; nobody waits for more than this. */
const MOST_PLANNING_MS = 60_000;

export interface ImportsDeps {
  /** Whether there is a data directory, and so a vault. */
  hasVault: boolean;
  startJob(): WorkerHandle<ImportJob>;
  collections(): Promise<readonly OpenCollection[]>;
  /** Makes an empty collection in the data directory, and opens it. */
  makeCollection(name: string): Promise<OpenCollection>;
  /** Takes back what was made by that, with all that is in it. */
  discardCollection(made: OpenCollection): Promise<void>;
  /** Asked only where there are credentials to keep. */
  environments(): Promise<EnvironmentsService>;
  /** Tells that the files of a collection are others now. */
  announce(collectionId: string): void;
}

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
    if (input.target.kind !== 'new')
      return await runInto(deps, job, input, await findRoot(deps, input.target));
    // What cannot be imported makes no collection.
    const preview = await runInto(
      deps,
      job,
      { ...input, isPreview: true },
      { root: null, collectionId: null },
    );
    if (input.isPreview) return preview;
    const made = await deps.makeCollection(input.target.name);
    const place = { root: made.directory, collectionId: made.id };
    // Its name would be taken when it is tried again. What failed first is what is reported.
    const takeBack = (): Promise<void> => deps.discardCollection(made).catch(() => undefined);
    return await runInto(deps, job, input, place, takeBack);
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

/** Where an import goes; `root` is null while that is not made. */
interface Place extends Pick<ImportPlace, 'root'> {
  collectionId: string | null;
}

/** @param takeBack - run where nothing was written */
async function runInto(
  deps: ImportsDeps,
  job: WorkerHandle<ImportJob>,
  input: RunInput,
  { root, collectionId }: Place,
  takeBack = (): Promise<void> => Promise.resolve(),
): Promise<RunOutput> {
  const { planned, vault } = await write(deps, job, input, root).catch(async (error: unknown) => {
    await takeBack();
    throw error;
  });
  if (input.isPreview) return describe(planned, describeCredentials(planned.sealed, vault), null);
  const sealed = await sealCredentials(planned.sealed, vault);
  if (collectionId !== null) deps.announce(collectionId);
  return describe(planned, sealed, collectionId);
}

async function write(
  deps: ImportsDeps,
  job: WorkerHandle<ImportJob>,
  { format, isPreview }: RunInput,
  root: string | null,
): Promise<{ planned: PlannedImport; vault: EnvironmentsService | null }> {
  const planned = await within(job, job.call('plan', { root, format, isPreview }));
  const vault = planned.sealed.length > 0 && deps.hasVault ? await deps.environments() : null;
  if (!isPreview) await job.call('commit');
  return { planned, vault };
}

function describe(
  { format, name, counts, files, notes }: PlannedImport,
  sealed: SealedCredentials,
  collectionId: string | null,
): RunOutput {
  return {
    format,
    name,
    ...counts,
    ownEnvironments: sealed.environments,
    files,
    collectionId,
    notes: [...notes, ...sealed.notes],
  };
}

async function findRoot(
  { collections }: ImportsDeps,
  target: Exclude<RunInput['target'], { kind: 'new' }>,
): Promise<Place> {
  if (target.kind === 'directory') {
    if (isAbsolute(target.directory) && !target.directory.includes('\0')) {
      return { root: resolve(target.directory), collectionId: null };
    }
    throw new ImportError('import.bad_path', 'Give the whole path of the folder, from the root on.');
  }
  const found = (await collections()).find(({ id }) => id === target.collectionId);
  if (found !== undefined) return { root: found.directory, collectionId: found.id };
  throw new ImportError(
    'collections.not_open',
    'This collection is not open any more. Open its folder again.',
  );
}
