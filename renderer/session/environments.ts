import type { MethodOutput } from '@shared/contract/contract';
import { labelEnvironment as labelAmong } from '@shared/contract/environment-id';
import type { Environment } from '@shared/contract/environments';
import { create } from 'zustand';
import { afterReconnect, call, subscribe } from '../transport/client';
import { toClientError, type ClientError } from '../transport/client-error';
import { refreshAppStatus } from './app-status';
import { createLatest } from './create-latest';
import { tellRenamed } from './renamed-environments';

type Listed = MethodOutput<'environments.list'>;
type Values = Readonly<Record<string, string>>;

interface EnvironmentsState {
  environments: readonly Environment[];
  /** Environment files of collections that cannot be read. */
  faults: NonNullable<Listed['faults']>;
  /** By collection: what `$shared` gives to its requests. */
  shared: ReadonlyMap<string, Values>;
  isLoaded: boolean;
  error: ClientError | null;
}

/** The environments as every view sees them. */
export const useEnvironments = create<EnvironmentsState>(() => ({
  environments: [],
  faults: [],
  shared: new Map(),
  isLoaded: false,
  error: null,
}));

/** Gives an environment's name as the app shows it everywhere; of one that is gone, the name in its id. */
export function labelEnvironment(
  id: string,
  environments: readonly Environment[] = useEnvironments.getState().environments,
): string {
  return labelAmong(id, environments);
}

/** Gives scheme, host and port of an address; null: it has none. */
export function originOf(address: string): string | null {
  const origin = URL.parse(address)?.origin ?? 'null';
  return origin === 'null' ? null : origin;
}

/** The same, for what stays on the screen while environments change. */
export const useEnvironmentLabel = (id: string): string =>
  useEnvironments(({ environments }) => labelEnvironment(id, environments));

const noValues: Values = {};

/** What a collection gives to its requests, whichever environment is in use. */
export function readCollectionValues(collectionId: string): Values {
  return useEnvironments.getState().shared.get(collectionId) ?? noValues;
}

const begin = createLatest();
let reading: Promise<void> | null = null;

/** Reads them anew; done once they are what was asked for last. Never throws: the error stands in the store. */
export async function loadEnvironments(): Promise<void> {
  reading = readNow(begin());
  let read: Promise<void> | null = null;
  while (read !== reading) await (read = reading);
}

async function readNow(isLast: () => boolean): Promise<void> {
  try {
    const { environments, faults = [], shared = [] } = await call('environments.list');
    if (!isLast()) return;
    useEnvironments.setState({
      environments,
      faults,
      shared: new Map(shared.map(({ collectionId, variables }) => [collectionId, variables])),
      isLoaded: true,
      error: null,
    });
  } catch (error) {
    if (isLast()) useEnvironments.setState({ error: toClientError(error), isLoaded: true });
  }
}

/** Loads the environments and follows their changes. */
export function startEnvironments(): () => void {
  const load = (): void => void loadEnvironments();
  const stops = [
    subscribe('environments.changed', ({ renamed }) => {
      if (renamed !== undefined) tellRenamed(renamed);
      load();
    }),
    subscribe('vault.changed', load),
    afterReconnect(load),
  ];
  load();
  return () => stops.forEach((stop) => stop());
}

/** Makes an environment the active one. */
export async function selectEnvironment(id: string): Promise<void> {
  try {
    await call('environments.select', { id });
    await Promise.all([refreshAppStatus(), loadEnvironments()]);
  } catch (error) {
    useEnvironments.setState({ error: toClientError(error) });
  }
}
