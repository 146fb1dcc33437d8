import { join } from 'node:path';
import type { HeaderList } from '@shared/contract/common';
import type { OpenCollection } from '@shared/contract/collections';
import type { MethodOutput } from '@shared/contract/contract';
import type { Environment } from '@shared/contract/environments';
import type { AppRun } from '@shared/contract/running';
import { findMissingValues, foresee } from '@shared/run/find-missing-values';
import { findMissingFiles } from './find-missing-files';
import { foreseePayments } from '@shared/run/foresee-payments';
import { planRun, type PlannedRequest, type RunPlan } from '@shared/run/plan-run';
import { locate } from '../collections/collection-paths';
import { loadRequests, type LoadedRequests } from './load-requests';
import type { RunOptions } from './run-context';

/** What is run in the app, and where. */
export interface AppPlan {
  readonly plan: RunPlan & Required<Pick<RunOptions, 'bodyFiles'>>;
  readonly environment: Environment;
}

/** So many payments are shown before a run in production; their number is told in any case. */
const mostPayments = 50;

const requestKey = ({ path, block }: { path: string; block: string }): string => `${block}\n${path}`;

/**
 * Plans a run of a collection's folder or file, as the command line does.
 *
 * @throws {AppError} `running.bad_file`, `collections.*`
 */
export async function planAppRun(
  { id, directory }: OpenCollection,
  { path, only }: Pick<AppRun['subject'], 'path' | 'only'>,
  environment: Environment,
): Promise<AppPlan['plan']> {
  locate(directory, path, { mayBeRoot: true });
  const asked = await loadPart({ id, directory }, path);
  const hasDependencies = asked.requests.some(({ directives }) => directives.dependsOn.length > 0);
  // What a request depends on may stand anywhere in the collection.
  const { requests } = path === '' || !hasDependencies ? asked : await loadPart({ id, directory }, '');
  const chosen = only && new Set(only.map(requestKey));
  const plan = planRun(requests, {
    tags: [],
    grep: null,
    isChosen: ({ file, identity }) =>
      (path === '' || file === path || file.startsWith(`${path}/`)) &&
      (chosen === null || (identity !== null && chosen.has(requestKey(identity)))),
  });
  const foreseen = foresee(plan, { variables: environment.variables, given: environment.session });
  const missing = findMissingValues(foreseen, (name) =>
    name.startsWith('row.')
      ? 'it comes from rows, which a run on the command line has: countersign run --data FILE'
      : `set it in “${environment.label}”, in the file, or capture it from an earlier request`,
  );
  const bodyFiles = new Map<string, string>();
  const faults = [...asked.faults, ...plan.faults, ...missing, ...findMissingFiles(foreseen, bodyFiles)];
  return { ...plan, faults, bodyFiles };
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

/** Lists the headers of all that would be sent: what they ask for has to be there. */
export function listHeaders(plan: RunPlan, { variables, session }: Environment): HeaderList {
  return foresee(plan, { variables, given: session }).flatMap(({ prepared }) => prepared.headers);
}

/** Lists what a run consists of, in its order. */
export function toItems(requests: readonly PlannedRequest[]): AppRun['items'] {
  return requests.map(({ request: { name, folder, file, block, identity } }) => ({
    name,
    folder,
    path: file,
    block: identity?.block ?? '',
    line: block.line,
    operation: block.operation,
  }));
}

/** What has to be said yes to before a run in production; null: it is none. */
export function findProduction(
  plan: RunPlan,
  { kind, name, baseUrl, variables, session }: Environment,
): MethodOutput<'running.plan'>['production'] {
  if (kind !== 'production') return null;
  const payments = foreseePayments(plan, { variables, given: session }).flatMap(({ request, payment }) => {
    if (payment === null) return [];
    const { amount, currency, party } = payment;
    return [{ name: request.name, amount, currency, party }];
  });
  return {
    name,
    host: URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl,
    paymentCount: payments.length,
    payments: payments.slice(0, mostPayments),
  };
}
