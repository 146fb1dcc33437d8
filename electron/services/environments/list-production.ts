import { readEnvironmentName } from '@shared/contract/environment-id';
import type { EnvironmentRecord } from '@shared/contract/environments';
import type { KnownEnvironment } from '@shared/http-file/find-production';
import { readAddress } from './address-binding';
import type { StoredEnvironments } from './environment-store';

/** Tells whether anything may be production: most folders have none, and no file of a collection is read for that. */
export function hasProduction({ data, kinds }: Pick<StoredEnvironments, 'data' | 'kinds'>): boolean {
  return [...data.map(({ kind }) => kind), ...Object.values(kinds)].includes('production');
}

/**
 * Lists what is marked as production, whether its collection is open or not.
 *
 * Of one that is not there now, since its collection is closed, its file cannot be read or calls it otherwise, and of one whose
 * file was given another address, the addresses that its secrets are for and that it was marked with are known, and go on to count.
 * @param listed - those that are there
 */
export function listProduction(
  { kinds, bindings, liveAddresses }: Pick<StoredEnvironments, 'kinds' | 'bindings' | 'liveAddresses'>,
  listed: readonly EnvironmentRecord[],
): KnownEnvironment[] {
  const there = new Map(listed.filter(({ kind }) => kind === 'production').map((one) => [one.id, one]));
  const marked = Object.keys(kinds).filter((id) => kinds[id] === 'production');
  const elsewhere = [...new Set([...there.keys(), ...marked])].flatMap((id): KnownEnvironment[] => {
    const one = there.get(id);
    const addresses = new Set([bindings[id] ?? '', liveAddresses[id] ?? '']);
    for (const known of ['', readAddress(one?.baseUrl ?? '')]) addresses.delete(known);
    const name = readEnvironmentName(id);
    return [...addresses].map((baseUrl) => ({
      id,
      name,
      label: one?.label ?? name,
      kind: 'production',
      baseUrl,
    }));
  });
  return [...there.values(), ...elsewhere];
}
