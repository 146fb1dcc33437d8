import type { OpenCollection } from '@shared/contract/collections';
import type { EnvironmentRecord } from '@shared/contract/environments';
import {
  environmentPlaces,
  formatEnvironmentId,
  localEnvironmentId,
  localEnvironmentLabel,
} from '@shared/contract/environment-id';
import { fillVariables } from '@shared/http-file/resolve-request';
import { readAddress } from './address-binding';
import type { CollectionEnvironments } from './collection-environments';
import { usualSetup } from '@shared/contract/usual-setup';
import type { StoredEnvironments } from './environment-store';
import { hideSecrets } from './secret-variables';

/** All that environments are made of. */
export interface EnvironmentSources {
  stored: StoredEnvironments;
  collections: readonly (CollectionEnvironments & { collection: OpenCollection })[];
  local: StoredEnvironments['local'];
  /** Given for this run alone. */
  temporary: readonly BareRecord[];
  /** Values set for this run, by environment. */
  session(id: string): EnvironmentRecord['session'];
}

/** An environment as its source has it. */
export type BareRecord = Omit<EnvironmentRecord, 'setup' | 'session'>;

/** Lists the environments: the embedded sandbox, those of the data directory, then those of each open collection. */
export function listEnvironments(sources: EnvironmentSources): EnvironmentRecord[] {
  const { stored, collections, local, temporary } = sources;
  const shared = collections.flatMap((one) => listShared(one, stored));
  const own = [describeLocal(local.baseUrl), ...stored.data.map(describeData)];
  const taken = countNames([...own, ...shared].map(({ name }) => name));
  const named = shared.map(({ place, ...record }) => ({
    ...record,
    label: taken.get(record.name) === 1 ? record.name : `${record.name} · ${place}`,
  }));
  return [...own, ...named, ...temporary].map((record) => completeRecord(record, sources));
}

function describeLocal(baseUrl: string): BareRecord {
  return {
    id: localEnvironmentId,
    name: localEnvironmentId,
    label: localEnvironmentLabel,
    kind: 'local',
    baseUrl,
    variables: {},
    source: 'builtin',
  };
}

function describeData(one: StoredEnvironments['data'][number]): BareRecord {
  return {
    ...hideSecrets(one),
    id: formatEnvironmentId(environmentPlaces.data, one.name),
    label: one.name,
    source: 'data',
  };
}

/** `place`: what tells this collection's environments from others of the same name. */
function listShared(
  { collection, environments, privateNames, sharedNames }: EnvironmentSources['collections'][number],
  stored: Marks,
): (BareRecord & { place: string })[] {
  const ids = new Set([...environments.keys()].map((name) => formatEnvironmentId(collection.id, name)));
  const { kinds } = stored;
  const moved = new Set(listMovedMarks(stored, collection.id, ids).map(({ address }) => address));
  return [...environments].map(([name, variables]) => {
    const id = formatEnvironmentId(collection.id, name);
    const baseUrl = completeAddress(variables, privateNames.get(name) ?? []).replace(/(?<!\/)\/+$/, '');
    const isMoved = moved.size > 0 && kinds[id] === undefined && moved.has(readAddress(baseUrl));
    return {
      id,
      name,
      label: name,
      kind: kinds[id] === 'production' || isMoved ? 'production' : 'sandbox',
      baseUrl,
      variables,
      privateNames: privateNames.get(name) ?? [],
      sharedNames: sharedNames.get(name) ?? [],
      source: 'collection',
      place: collection.name,
    };
  });
}

type Marks = Pick<StoredEnvironments, 'kinds' | 'liveAddresses' | 'bindings'>;

/** Lists what was marked as production under a name that the collection's file has no longer: whatever has its address now has its mark. */
export function listMovedMarks(
  { kinds, liveAddresses, bindings }: Marks,
  place: string,
  ids: ReadonlySet<string>,
): { id: string; address: string | undefined }[] {
  const isOfPlace = (id: string): boolean => id.startsWith(formatEnvironmentId(place, ''));
  return Object.keys(kinds)
    .filter((id) => kinds[id] === 'production' && isOfPlace(id) && !ids.has(id))
    .map((id) => ({ id, address: liveAddresses[id] || bindings[id] || undefined }));
}

/**
 * Gives the address of an environment as its own values complete it: secrets are bound to where it leads, and production is known
 * by that. What is private is shown nowhere, and stays a name.
 */
function completeAddress(variables: BareRecord['variables'], privateNames: readonly string[]): string {
  const written = variables['base_url'] ?? '';
  if (!written.includes('{{')) return written;
  const shown = Object.entries(variables).filter(
    ([name]) => name !== 'base_url' && !privateNames.includes(name),
  );
  return fillVariables(written, [], { variables: Object.fromEntries(shown) }).filled;
}

function countNames(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** What is kept about environments joins what their source says. */
export type KeptParts = Pick<EnvironmentSources, 'stored' | 'local' | 'session'>;

/** Makes a record whole: its connection, the values of this run, the reference that was sent last. */
export function completeRecord(record: BareRecord, { stored, local, session }: KeptParts): EnvironmentRecord {
  const lastReference = stored.lastReferences[record.id];
  return {
    ...record,
    setup: stored.setups[record.id] ?? usualSetup,
    session: session(record.id),
    lastReferences: stored.productReferences[record.id] ?? {},
    variables: {
      // Without a listener it has no value, and a request that asks for it says so before it leaves.
      ...(local.callbackUrl === '' ? {} : { callback_url: local.callbackUrl }),
      ...(lastReference === undefined ? {} : { last_reference: lastReference }),
      ...record.variables,
      base_url: record.baseUrl,
    },
  };
}
