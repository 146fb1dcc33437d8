import type { OpenCollection } from '@shared/contract/collections';
import type { EnvironmentRecord } from '@shared/contract/environments';
import { environmentPlaces, formatEnvironmentId, localEnvironmentId } from '@shared/contract/environment-id';
import type { CollectionEnvironments } from './collection-environments';
import type { StoredEnvironments } from './environment-store';
import { hideSecrets } from './secret-variables';

/** All that environments are made of. */
export interface EnvironmentSources {
  stored: StoredEnvironments;
  collections: readonly (CollectionEnvironments & { collection: OpenCollection })[];
  local: StoredEnvironments['local'];
  /** Given for this run alone. */
  temporary: readonly EnvironmentRecord[];
}

/** Lists the environments: the embedded sandbox, those of the data directory, then those of each open collection. */
export function listEnvironments(sources: EnvironmentSources): EnvironmentRecord[] {
  const { stored, collections, local, temporary } = sources;
  const shared = collections.flatMap((one) => listShared(one, stored.kinds));
  const own = [describeLocal(local.baseUrl), ...stored.data.map(describeData)];
  const taken = countNames([...own, ...shared].map(({ name }) => name));
  const named = shared.map(({ place, ...record }) => ({
    ...record,
    label: taken.get(record.name) === 1 ? record.name : `${record.name} · ${place}`,
  }));
  return [...own, ...named, ...temporary].map((record) => complete(record, sources));
}

function describeLocal(baseUrl: string): EnvironmentRecord {
  return {
    id: localEnvironmentId,
    name: localEnvironmentId,
    label: 'Local sandbox',
    kind: 'local',
    baseUrl,
    variables: {},
    source: 'builtin',
  };
}

function describeData(one: StoredEnvironments['data'][number]): EnvironmentRecord {
  return {
    ...hideSecrets(one),
    id: formatEnvironmentId(environmentPlaces.data, one.name),
    label: one.name,
    source: 'data',
  };
}

/** `place`: what tells this collection's environments from others of the same name. */
function listShared(
  { collection, environments, privateNames }: EnvironmentSources['collections'][number],
  kinds: StoredEnvironments['kinds'],
): (EnvironmentRecord & { place: string })[] {
  return [...environments].map(([name, variables]) => {
    const id = formatEnvironmentId(collection.id, name);
    return {
      id,
      name,
      label: name,
      kind: kinds[id] === 'production' ? 'production' : 'sandbox',
      baseUrl: (variables['base_url'] ?? '').replace(/\/+$/, ''),
      variables,
      privateNames: privateNames.get(name) ?? [],
      source: 'collection',
      place: collection.name,
    };
  });
}

function countNames(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function complete(record: EnvironmentRecord, { stored, local }: EnvironmentSources): EnvironmentRecord {
  const lastReference = stored.lastReferences[record.id];
  return {
    ...record,
    variables: {
      // Without a listener it has no value, and a request that asks for it says so before it leaves.
      ...(local.callbackUrl === '' ? {} : { callback_url: local.callbackUrl }),
      ...(lastReference === undefined ? {} : { last_reference: lastReference }),
      ...record.variables,
      base_url: record.baseUrl,
    },
  };
}
