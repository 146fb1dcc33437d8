import { createEnvironmentFinder } from '@shared/http-file/find-environment-with';
import type { VariableAdvice } from '@shared/http-file/foreign-variables';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenCollection } from '@shared/contract/collections';
import type { MethodOutput } from '@shared/contract/contract';
import type { Environment } from '@shared/contract/environments';
import type { AppRun } from '@shared/contract/running';
import { AppError } from '@shared/errors';
import { findMissingValues, foreseeEach, type ForeseenRequest } from '@shared/run/find-missing-values';
import { findMissingFiles } from './find-missing-files';
import { identifyBlocks } from '@shared/http-file/identify-block';
import { findProductionOf, nameHost, type KnownEnvironment } from '@shared/http-file/find-production';
import { createPlacedFinder, markPlaced } from '@shared/http-file/follow-block';
import type { HttpRequestBlock } from '@shared/http-file/http-file';
import { listSome } from '@shared/list-some';
import { isSecretName } from '@shared/secrets';
import { foreseePayments } from '@shared/run/foresee-payments';
import { planRun, type RunPlan } from '@shared/run/plan-run';
import { locate } from '../collections/collection-paths';
import { loadRequests, sliceRequests, type LoadedRequests } from './load-requests';
import { digestRequests } from './resume-log';
import type { RunOptions } from './run-context';

/** What is run in the app, and where. */
export interface AppPlan {
  readonly plan: RunPlan &
    Required<Pick<RunOptions, 'bodyFiles'>> & {
      readonly files: RequestFiles;
    };
  readonly environment: Environment;
  /** All that there are: what is production is known by its address, too. */
  readonly all: readonly KnownEnvironment[];
}

/** All requests of each file, in its order. */
type RequestFiles = ReadonlyMap<string, readonly HttpRequestBlock[]>;

/** So many payments are shown before a run in production; their number is told in any case. */
const mostPayments = 50;

type PlannedPlace = Pick<AppRun['items'][number], 'path' | 'block' | 'mark'>;

export const requestKey = ({ path, block }: PlannedPlace): string => `${block}\n${path}`;

/**
 * Plans a run of a collection's folder or file, as the command line does.
 *
 * @returns with all that would be sent: what it asks for has to be there
 * @throws {AppError} `running.bad_file`, `collections.*`
 */
export async function planAppRun(
  { id, directory }: OpenCollection,
  { path, only }: Pick<AppRun['subject'], 'path' | 'only'>,
  { environment, environments }: { environment: Environment; environments: readonly Environment[] },
): Promise<AppPlan['plan'] & { prepared: ForeseenRequest['prepared'][] }> {
  locate(directory, path, { mayBeRoot: true });
  const asked = await loadPart({ id, directory }, path);
  const hasDependencies = asked.requests.some(({ directives }) => directives.dependsOn.length > 0);
  // What a request depends on may stand anywhere in the collection.
  const { requests } = path === '' || !hasDependencies ? asked : await loadPart({ id, directory }, '');
  const files = groupByFile(requests);
  const findNow = createFinder(files);
  const chosen = only && new Set(only.map(findNow));
  const plan = planRun(requests, {
    tags: [],
    grep: null,
    isChosen: ({ file, identity }) =>
      (path === '' || file === path || file.startsWith(`${path}/`)) &&
      (chosen === null || (identity !== null && chosen.has(requestKey(identity)))),
  });
  const foreseen: ForeseenRequest[] = [];
  for (const one of foreseeEach(plan, { variables: environment.variables, given: environment.session }))
    if (foreseen.push(one) % sliceRequests === 0) await nextTurn();
  await nextTurn();
  const missing = findMissingValues(foreseen, createAdvice(environment, environments, id));
  const bodyFiles = new Map<string, string>();
  const faults = [...asked.faults, ...plan.faults, ...missing, ...findMissingFiles(foreseen, bodyFiles)];
  return { ...plan, faults, bodyFiles, files, prepared: foreseen.map(({ prepared }) => prepared) };
}

function createAdvice(
  chosen: Environment,
  environments: readonly Environment[],
  collectionId: string,
): VariableAdvice {
  const findElsewhere = createEnvironmentFinder(chosen, environments, collectionId);
  return {
    adviseOn(name) {
      if (name.startsWith('row.'))
        return 'it comes from rows, which a run on the command line has: countersign run --data FILE';
      const elsewhere = findElsewhere(name);
      if (elsewhere !== null) return `among the variables of “${elsewhere}”: choose that environment`;
      return isSecretName(name)
        ? 'keep it in an environment of yours, where the vault seals it, or capture it from an earlier request'
        : `set it in “${chosen.label}”, in the file, or capture it from an earlier request`;
    },
    isElsewhere: (name) => findElsewhere(name) !== null,
  };
}

function groupByFile(requests: LoadedRequests['requests']): RequestFiles {
  const files = new Map<string, HttpRequestBlock[]>();
  for (const { file, block } of requests) {
    const blocks = files.get(file);
    if (blocks === undefined) files.set(file, [block]);
    else blocks.push(block);
  }
  return files;
}

/** @returns tells what a request of an earlier plan is called in this one; null: it is not there any more */
export function createFinder(files: RequestFiles): (sought: PlannedPlace) => string | null {
  const finders = new Map<string, (sought: PlannedPlace) => string | undefined>();
  return (sought) => {
    const { path } = sought;
    let find = finders.get(path);
    if (find === undefined) {
      const blocks = files.get(path) ?? [];
      const identities = identifyBlocks(blocks);
      const findIndex = createPlacedFinder(blocks);
      find = (one) => identities[findIndex(one)];
      finders.set(path, find);
    }
    const block = find(sought);
    return block === undefined ? null : requestKey({ path, block });
  };
}

function loadPart(
  { id, directory }: Pick<OpenCollection, 'id' | 'directory'>,
  path: string,
): Promise<LoadedRequests> {
  const toPath = (file: string): string =>
    file.slice(directory.length).replaceAll('\\', '/').replace(/^\/+/, '');
  return loadRequests([join(directory, ...path.split('/'))], {
    base: directory,
    identify: (file, block) => ({ collectionId: id, path: toPath(file), block }),
  });
}

/** Lists what a run consists of, in its order. */
export function toItems({ requests, files }: AppPlan['plan']): AppRun['items'] {
  const marks = new Map<HttpRequestBlock, string | undefined>();
  for (const blocks of files.values()) {
    for (const [index, mark] of markPlaced(blocks).entries()) marks.set(blocks[index]!, mark);
  }
  return requests.map(({ request: { name, folder, file, block, identity } }) => ({
    name,
    folder,
    path: file,
    block: identity?.block ?? '',
    mark: marks.get(block),
    line: block.line,
    operation: block.operation,
  }));
}

/** As the command line has it: one word would be given for both. */
const refuseTwo = (first: KnownEnvironment, second: KnownEnvironment): AppError =>
  new AppError(
    'running.not_confirmed',
    `This run goes to '${first.name}' and to '${second.name}', and both are production. Run their requests one after the other. Nothing was sent.`,
  );

/**
 * What has to be said yes to before a run that goes to production, as it is shown (`asked`); null: none of it does.
 *
 * @throws {AppError} `running.not_confirmed` where it goes to several production environments
 */
export function findProduction({ plan, environment, all }: AppPlan): {
  live: KnownEnvironment;
  asked: NonNullable<MethodOutput<'running.plan'>['production']>;
} | null {
  if (all.every(({ kind }) => kind !== 'production')) return null;
  const { variables, session } = environment;
  let live: KnownEnvironment | null = null;
  const hosts = new Set<string>();
  const payments = foreseePayments(plan, { variables, given: session }).flatMap(
    ({ request, prepared, payment }) => {
      const found = findProductionOf(prepared.url, all, environment);
      live ??= found;
      if (found !== null && found.id !== live?.id) throw refuseTwo(live!, found);
      if (found !== null) hosts.add(nameHost(prepared.url, found));
      if (found === null || payment === null) return [];
      const { amount, currency, party } = payment;
      return [{ name: request.name, amount, currency, party }];
    },
  );
  if (environment.kind === 'production') live ??= environment;
  if (live === null) return null;
  const { id, name, baseUrl } = live;
  const sent = JSON.stringify([id, baseUrl, digestRequests(plan), variables, session]);
  const asked = {
    name,
    host: listSome(hosts.size > 0 ? [...hosts] : [nameHost('', live)]),
    paymentCount: payments.length,
    payments: payments.slice(0, mostPayments),
    mark: createHash('sha256').update(sent).digest('hex'),
  };
  return { live, asked };
}
